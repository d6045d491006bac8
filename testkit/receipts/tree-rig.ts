import { createKeyring } from '../../src/base/keyring.ts'
import type { ArchivedReads } from '../../src/features/records/archives/archived-reads.ts'
import type { ReportStore } from '../../src/features/records/reports/store.ts'
import { createKeeperCheck, type KeeperCheckDeps } from '../../src/features/records/transparency/keepers.ts'
import { createTileCache, currentLog, tileReader } from '../../src/features/records/transparency/log-store.ts'
import { createPublisher } from '../../src/features/records/transparency/publisher.ts'
import { createReceipts } from '../../src/features/records/transparency/receipts/receipts.ts'
import { createStatements } from '../../src/features/records/transparency/receipts/statements.ts'
import type { SequencerDeps } from '../../src/features/records/transparency/sequencer.ts'
import { createSequencer } from '../../src/features/records/transparency/sequencer.ts'
import { createSigningKeys, jwksOf } from '../../src/features/records/transparency/signing-keys.ts'
import { buildStep } from '../../src/features/records/transparency/tree-step.ts'

const keyring = createKeyring('the secret of the tests, 32 bytes or more')

export interface TreeOptions {
  readonly engine: SequencerDeps['engine']
  readonly dataDir: string
  readonly instanceId?: string
  readonly clock?: () => number
  readonly batch?: number
  readonly archivedReads?: ArchivedReads
  /** The server on which the store is; without it, no other instance is waited for. */
  readonly keepers?: Pick<KeeperCheckDeps, 'host' | 'readServer' | 'onWaiting'>
}

/** Nothing is archived here. */
const nothingArchived = {
  subject: async () => null,
  entriesFrom: async () => null,
  firstNotBefore: async () => null,
  archived: async () => 0,
}

/** One instance that appends to the tree, without a gateway. */
export function createTree({
  engine,
  dataDir,
  instanceId = 'ins_1',
  clock = Date.now,
  batch = 1000,
  ...given
}: TreeOptions) {
  const tiles = createTileCache()
  const refusals: string[] = []
  const keys = createSigningKeys({ engine, keyring, clock })
  const publisher = createPublisher({
    ...{ engine, dataDir, tiles, onRefused: (_, fault) => void refusals.push(fault) },
    ...(given.keepers && { keepers: createKeeperCheck({ engine, dataDir, ...given.keepers }) }),
  })
  const gateway = new URL('https://gateway.example')
  const shared = { engine, instanceId, gateway, keys, publisher, tiles, clock, batch }
  const sequencer = createSequencer({ ...shared, build: buildStep, onFault: () => {} })
  const archivedReads = given.archivedReads ?? nothingArchived
  const shownBy = { engine, keys, publisher, tiles, archivedReads, issuer: gateway.origin, clock }
  return {
    keys,
    publisher,
    refusals,
    step: sequencer.step,
    start: sequencer.start,
    stop: sequencer.stop,
    /** Appends everything that is there. */
    async settle(): Promise<void> {
      while (await sequencer.step());
    },
    receipts: () => createReceipts(shownBy),
    statements: (reports: Pick<ReportStore, 'ledgerEnds' | 'enteredAt'>) => createStatements({ ...shownBy, reports }),
    jwks: async () => jwksOf((await keys.get()).keys),
    log: () => engine.read(currentLog),
    /** Every leaf hash, from the tiles. */
    leaves: () =>
      engine.read(async (tx) => {
        const { logNumber, size } = await currentLog(tx)
        const found: Buffer[] = []
        for (let from = 0; from < size; from += 256) {
          const tile = await tileReader(tx, logNumber)(0, from / 256, Math.min(256, size - from))
          for (let at = 0; at < Math.min(256, size - from); at += 1) {
            found.push(Buffer.from(tile.subarray(at * 32, (at + 1) * 32)))
          }
        }
        return found
      }),
  }
}

export type Tree = ReturnType<typeof createTree>
