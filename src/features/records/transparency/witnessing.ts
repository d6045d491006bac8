import { monotonicMs } from '../../../base/clock.ts'
import { createWorkLoop } from '../../../base/work-loop.ts'
import { readVkey } from '../../../config/witnesses.ts'
import type { FeatureContext } from '../../../ops/feature.ts'
import type { Engine, Writer } from '../../../storage/engine.ts'
import type { EngineKind } from '../../../storage/schema/sql-dialects.ts'
import { type Cosigner, cosignerOf, findCosignature, withLines } from './cosignatures.ts'
import { currentLog, isClaimedByAnother, type TileCache, writeCosigned } from './log-store.ts'
import { type CheckpointPublisher, type Published, publishedOf } from './publisher.ts'
import { consistencyProof } from './tree.ts'
import { createWitness, WitnessFault, type WitnessRequest } from './witness.ts'

export interface WitnessSettings {
  readonly name: string
  readonly vkey: string
  readonly url: string
}

export interface WitnessingDeps extends Pick<FeatureContext, 'instanceId'> {
  readonly engine: Pick<Engine, 'read' | 'write'> & { readonly kind: EngineKind }
  readonly witnesses: readonly WitnessSettings[]
  readonly publisher: Pick<CheckpointPublisher, 'current' | 'isSound'>
  readonly tiles: TileCache
  /** Called when a witness begins to fail, or fails in another way. */
  readonly onRefused: (witness: string, fault: WitnessFault) => void
  readonly onFault: (error: unknown) => void
}

/** A witness is not asked more often, however fast the tree grows. */
const pauseMs = 5000
const longestPauseMs = 300_000
/** The appending instance asks the witnesses; after this long without it, any other does. */
const takeOverMs = 10_000

/**
 * Collects cosignatures for checkpoints that are already published: nothing waits for a witness. A cosignature that arrives while its
 * checkpoint is still the newest is added to it; the newest cosigned checkpoint is kept too, because a busy log has soon outgrown it.
 */
export function createWitnessing(deps: WitnessingDeps) {
  const { engine, publisher, tiles } = deps
  const asked = deps.witnesses.map(({ name, vkey, url }) => ({
    ...{ name, witness: createWitness(url, cosignerOf(readVkey(vkey)!)) },
    ...{ nextAt: Number.NEGATIVE_INFINITY, failures: 0, failed: 0, fault: null as string | null },
  }))
  type Asked = (typeof asked)[number]

  async function step(): Promise<void> {
    const published = publisher.current()
    if (!published || !publisher.isSound()) return
    const due = asked.filter(({ nextAt }) => nextAt <= monotonicMs())
    const missing = due.filter(({ witness }) => !findCosignature(published.note, published.note, witness.cosigner))
    if (missing.length === 0) return
    if (await isAppendedByAnother(deps)) return
    const lines = await Promise.all(missing.map((one) => ask(one, published)))
    const found = lines.filter((line) => line !== null)
    if (found.length > 0) await engine.write((tx) => addLines(tx, published, found))
  }

  async function ask(one: Asked, published: Published): Promise<string | null> {
    try {
      const line = await one.witness.cosign(requestOf(published))
      Object.assign(one, { nextAt: monotonicMs() + pauseMs, failures: 0, fault: null })
      return line
    } catch (error) {
      if (!(error instanceof WitnessFault)) throw error
      one.failures += 1
      one.failed += 1
      one.nextAt = monotonicMs() + Math.min(pauseMs * 2 ** (one.failures - 1), longestPauseMs)
      if (one.fault !== error.message) deps.onRefused(one.name, error)
      one.fault = error.message
      return null
    }
  }

  const requestOf = ({ note, size, logNumber }: Published): WitnessRequest => ({
    ...{ note, size },
    proofFrom: (old) => engine.read((tx) => consistencyProof(tiles.reader(tx, logNumber), old, size)),
  })

  const loop = createWorkLoop({
    beginDue: async () => {
      await step()
      return false
    },
    onFault: deps.onFault,
  })
  return {
    start: () => (asked.length === 0 ? undefined : loop.start()),
    async stop(): Promise<void> {
      await loop.stop()
      await Promise.all(asked.map(({ witness }) => witness.close()))
    },
    step,
    failures: () => asked.map(({ name, failed }) => ({ name, failed })),
  }
}

const isAppendedByAnother = ({ engine, instanceId }: Pick<WitnessingDeps, 'engine' | 'instanceId'>) =>
  engine.read(async (tx) =>
    isClaimedByAnother(tx, engine.kind, { instanceId, log: await currentLog(tx), graceMs: takeOverMs }),
  )

async function addLines(tx: Writer, { note, size, logNumber }: Published, lines: readonly string[]): Promise<void> {
  const log = await currentLog(tx)
  if (log.logNumber !== logNumber || log.refused !== null) return
  const before = publishedOf(log.cosigned)
  if (before && before.size > size) return
  const isSame = before?.size === size
  const cosigned = withLines(isSame ? before.note : note, lines)
  const checkpoint = log.checkpoint !== null && publishedOf(log.checkpoint)!.size === size ? log.checkpoint : null
  await writeCosigned(
    tx,
    logNumber,
    cosigned,
    checkpoint === null ? null : { before: checkpoint, after: withLines(checkpoint, lines) },
  )
}

/** Witnesses without a cosignature on the newest cosigned checkpoint, for the doctor. */
export async function silentWitnesses(
  engine: Pick<Engine, 'read'>,
  witnesses: readonly WitnessSettings[],
): Promise<string[]> {
  const { cosigned } = await engine.read(currentLog)
  const hasSigned = (cosigner: Cosigner) => cosigned !== null && findCosignature(cosigned, cosigned, cosigner) !== null
  return witnesses.filter(({ vkey }) => !hasSigned(cosignerOf(readVkey(vkey)!))).map(({ name }) => name)
}
