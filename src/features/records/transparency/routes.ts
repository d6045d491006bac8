import { Refusal } from '../../../contract/errors.ts'
import type { Route, RouteResponse } from '../../../http/route.ts'
import type { Engine } from '../../../storage/engine.ts'
import { currentLog, findLog, type TileCache, TileMissing } from './log-store.ts'
import { type CheckpointPublisher, contradictedBy } from './publisher.ts'
import { jwksOf, type SigningKeys } from './signing-keys.ts'
import { hashBytes, tileWidth, widthOf } from './tree.ts'

interface TransparencyRouteDeps {
  readonly engine: Pick<Engine, 'read'>
  readonly keys: SigningKeys
  readonly publisher: CheckpointPublisher
  readonly tiles: TileCache
}

/** Public, also for other sites: they contain no data of a payer. */
const shared = { 'access-control-allow-origin': '*' }
const forSeconds = { ...shared, 'cache-control': 'public, max-age=5' }
const immutable = { ...shared, 'cache-control': 'public, max-age=31536000, immutable' }

export function transparencyRoutes({ engine, keys, publisher, tiles }: TransparencyRouteDeps): Route[] {
  const get = (operationId: string, path: string, handle: Route['handle']): Route => ({
    operationId,
    method: 'GET',
    path,
    handle,
  })
  return [
    get('receipts.jwks', '/.well-known/jwks.json', async () => ({
      status: 200,
      headers: { ...forSeconds, 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(jwksOf((await keys.get()).keys)),
    })),
    get('transparency.checkpoint', '/transparency/checkpoint', () => note(publisher.current()?.note ?? null)),
    get('transparency.cosigned', '/transparency/cosigned', async () => {
      const { cosigned } = await engine.read(currentLog)
      return note(publisher.isSound() ? cosigned : null)
    }),
    get('transparency.fork', '/transparency/forks/{number}', async ({ params }) => {
      const number = /^[1-9]\d{0,8}$/.test(params.number ?? '') ? Number(params.number) : 0
      const { current, log, ended } = await engine.read(async (tx) => {
        const log = await findLog(tx, number)
        return { current: await currentLog(tx), log, ended: log ? await contradictedBy(tx, log, number) : [] }
      })
      if (!log || number >= current.logNumber) throw new Refusal('NOT_FOUND')
      // Each ends with a line break, so an empty line is between two.
      return note(ended.length > 0 ? ended.map((one) => one.note).join('\n') : log.checkpoint)
    }),
    get('transparency.tile', '/transparency/tile/*', async ({ params }) => {
      const wanted = tileOf(params['*'] ?? '')
      const published = publisher.current()
      if (!wanted || !published || !publisher.isSound()) throw new Refusal('NOT_FOUND')
      const { level, index, width } = wanted
      if (widthOf(level, index, published.size) < width) throw new Refusal('NOT_FOUND')
      const hashes = await engine
        .read((tx) => tiles.reader(tx, published.logNumber)(level, index, width))
        .catch(missing)
      return {
        status: 200,
        headers: { ...immutable, 'content-type': 'application/octet-stream' },
        body: hashes.subarray(0, width * hashBytes),
      }
    }),
  ]
}

function missing(error: unknown): never {
  if (error instanceof TileMissing) throw new Refusal('NOT_FOUND', { cause: error })
  throw error
}

function note(text: string | null): RouteResponse {
  if (text === null) throw new Refusal('NOT_FOUND')
  return { status: 200, headers: { ...forSeconds, 'content-type': 'text/plain; charset=utf-8' }, body: text }
}

/** `<L>/<N>[.p/<W>]`, where N has groups of three digits and all but the last begin with x. */
export function tileOf(path: string): { level: number; index: number; width: number } | null {
  const match = /^(0|[1-9]|[1-5]\d|6[0-3])\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(path)
  if (!match) return null
  const groups = match[2]!.split('/')
  // Each number has one path only.
  if (groups.length > 1 && groups[0] === 'x000') return null
  const index = Number(groups.map((group) => group.replace('x', '')).join(''))
  const width = match[3] === undefined ? tileWidth : Number(match[3])
  if (width > tileWidth || (match[3] !== undefined && width === tileWidth)) return null
  return { level: Number(match[1]), index, width }
}
