import { chargeColumns } from '../../../storage/charge-columns.ts'
import type { Engine, Reader } from '../../../storage/engine.ts'
import { flag, from, integer, orNull, pick, type RowOf, rowMapper, text } from '../../../storage/row-mapper.ts'
import { findKey, type KeyRow } from '../../identity/keys/store.ts'
import { type LedgerRange, rangeQuery } from '../../records/archives/store.ts'
import type { ReportStore } from '../../records/reports/store.ts'
import { type OwnCharge, ownFields } from './contract.ts'

/** A key with its rate window and the balance of its project, as of one moment. */
export interface HeldKey {
  readonly row: KeyRow
  readonly windowEndsAt: number
  readonly windowUsed: number
  readonly available: number
  readonly reserved: number
}

export interface KeyOwner {
  readonly projectId: string
  readonly keyId: string
}

export type OwnChargeRow = RowOf<typeof ownColumns>

export type KeyApiStore = ReturnType<typeof createKeyApiStore>

export const createKeyApiStore = (engine: Engine, reports: Pick<ReportStore, 'along'>) => ({
  key: ({ projectId, keyId }: KeyOwner): Promise<HeldKey | undefined> =>
    engine.read(async (tx) => {
      const row = await findKey(tx, projectId, keyId)
      const numbers = await tx.get<Omit<HeldKey, 'row'>>(windowAndBalance, [keyId])
      return row && { row, ...numbers! }
    }),
  charge: (owner: KeyOwner, chargeId: string) => engine.read((tx) => oneCharge(tx, owner, 'c.charge_id', chargeId)),
  isOfChain: (keyId: string, other: string): Promise<boolean> =>
    engine.read(async (tx) => {
      const row = await tx.get(`SELECT 1 AS found FROM api_keys c WHERE c.key_id = $2 AND ${isInChainOf('$1')}`, [
        keyId,
        other,
      ])
      return row !== undefined
    }),
  chargeOfIntent: (owner: KeyOwner, idempotencyDigest: string) =>
    engine.read((tx) => oneCharge(tx, owner, 'c.idempotency_digest', idempotencyDigest)),
  /** The charges of the key's chain that were reserved in a range of the ledger, the newest first. */
  charges: (range: LedgerRange, keyId: string, limit: number) =>
    reports.along(range, async (tx) => (await alongLedger(tx, range, { limit, keyId })).map(placed.decode)),
})

const windowAndBalance = `SELECT k.window_ends_at AS "windowEndsAt", k.window_used AS "windowUsed",
    COALESCE(b.available, 0) AS available, COALESCE(b.reserved, 0) AS reserved
  FROM api_keys k LEFT JOIN balances b ON b.project_id = k.project_id WHERE k.key_id = $1`

/** A chain has the id of its first key. */
const isInChainOf = (keyId: string) => `EXISTS (SELECT 1 FROM api_keys k
  WHERE k.key_id = c.key_id AND COALESCE(k.chain_id, k.key_id) =
    (SELECT COALESCE(o.chain_id, o.key_id) FROM api_keys o WHERE o.key_id = ${keyId}))`

const ownColumns = {
  ...pick(from('c', chargeColumns), ...ownFields),
  resolution: orNull(
    text<NonNullable<OwnCharge['resolution']>>(
      '(SELECT d.decision FROM review_decisions d WHERE d.charge_id = c.charge_id)',
    ),
  ),
  replayable: flag(`CASE WHEN c.idempotency_digest IS NOT NULL AND EXISTS (
    SELECT 1 FROM charge_responses r WHERE r.charge_id = c.charge_id) THEN 1 ELSE 0 END`),
}
const ownCharges = rowMapper('charges c', ownColumns)

/** CROSS JOIN fixes the order: ledger range first, one lookup per charge. */
const placed = rowMapper('wanted s CROSS JOIN charges c', { ...ownColumns, seq: integer('s.seq') })
const alongLedger = rangeQuery<object, 'limit' | 'keyId'>(
  ['limit', 'keyId'],
  ({ limit, keyId }) => `SELECT ${placed.list} FROM wanted s CROSS JOIN charges c
    WHERE s.kind = 'reserve' AND c.charge_id = s.charge_id AND ${isInChainOf(keyId)}
    ORDER BY s.seq DESC LIMIT ${limit}`,
)

const oneCharge = (
  tx: Reader,
  { projectId, keyId }: KeyOwner,
  column: 'c.charge_id' | 'c.idempotency_digest',
  value: string,
): Promise<OwnChargeRow | undefined> =>
  ownCharges.get(tx, `WHERE c.project_id = $1 AND ${column} = $2 AND ${isInChainOf('$3')}`, [projectId, value, keyId])
