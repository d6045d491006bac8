import type { Jwks } from '../../../sdk/src/verify.ts'
import { ask } from './ask.ts'
import { readOrTakeEarly as read } from './early-reads.ts'

export const readJwks = (): Promise<Jwks> =>
  ask(async () => {
    const response = await read('/.well-known/jwks.json')
    return { response, data: response.ok ? ((await response.json()) as Jwks) : { keys: [] } }
  })

/** The checkpoint that the gateway serves now; null before its first entry. */
export function readCheckpoint(): Promise<string | null> {
  return ask(async () => {
    const response = await read('/transparency/checkpoint')
    if (response.status === 404) return { response: new Response(), data: null }
    return { response, data: await response.text() }
  })
}

/** A tile of the public log, by its path below `/transparency/`; null if it is not there. */
export async function readTile(path: string): Promise<Uint8Array | null> {
  const response = await read(`/transparency/${path}`)
  return response.ok ? new Uint8Array(await response.arrayBuffer()) : null
}
