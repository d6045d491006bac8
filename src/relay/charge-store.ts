import { sortableIdFloor } from '../base/ids.ts'
import type { ErrorCode } from '../contract/errors.ts'
import { mediaOperation } from '../contract/prices.ts'
import type { ChargeReader, FoundCharge, ReservedCharge } from '../ledger/books.ts'
import type { StoredResponse } from '../ledger/commands.ts'
import { reservedReader } from '../storage/books.ts'
import type { Engine } from '../storage/engine.ts'
import type { OpenedEngine } from '../storage/open-engine.ts'
import { fullPages, placeholders } from '../storage/sql-text.ts'

/** Charges as duplicates, recovery, pruning and metrics need them. */
export function createChargeStore(engine: Engine): ChargeReader & ChargePruner & ReviewCounter {
  const findAll = (chargeIds: readonly string[]) =>
    engine.read(async (tx) => {
      const found = new Map<string, FoundCharge>()
      for (const page of fullPages(chargeIds, chargeIds.length === 1 ? 1 : idsPerRead)) {
        const rows = await tx.all<{ chargeId: string; state: FoundCharge['state'] } & StoredResponseRow>(
          `SELECT c.charge_id AS "chargeId", c.state, r.status, r.code, r.body
          FROM charges c LEFT JOIN charge_responses r ON r.charge_id = c.charge_id
          WHERE c.charge_id IN (${placeholders(page)})`,
          page,
        )
        for (const row of rows) found.set(row.chargeId, { state: row.state, response: toStoredResponse(row) })
      }
      return found
    })
  return {
    countInReview: () =>
      engine.read(async (tx) => {
        const row = await tx.get<{ open: number }>('SELECT COUNT(*) AS open FROM reviewable_charges')
        return row!.open
      }),
    find: async (chargeId) => (await findAll([chargeId])).get(chargeId),
    findAll,
    reserved: (after, limit) =>
      engine.read(async (tx) => {
        const rows = await tx.all<Omit<ReservedCharge, 'leavesProcess'> & { leavesProcess: number }>(
          `SELECT charge_id AS "chargeId", project_id AS "projectId", operation, credits, instance_id AS "instanceId",
            leaves_process AS "leavesProcess", reserved_at AS "reservedAt"
          FROM reserved_charges WHERE charge_id > $1 AND operation <> $3 ORDER BY charge_id LIMIT $2`,
          [after, limit, mediaOperation],
        )
        return rows.map((row) => ({ ...row, leavesProcess: row.leavesProcess === 1 }))
      }),
    pruneResponses: (endedBefore, limit) =>
      engine.write((tx) =>
        tx.run(
          // Ids sort by reservation time, which precedes the end, so the id limits the scan without an index by age.
          `DELETE FROM charge_responses WHERE charge_id IN (
            SELECT r.charge_id FROM charge_responses r JOIN charges c ON c.charge_id = r.charge_id
            WHERE r.charge_id < $1 AND c.ended_at < $2 AND c.state IN ('settled', 'released')
            ORDER BY r.charge_id LIMIT $3)`,
          [sortableIdFloor('chg', endedBefore), endedBefore, limit],
        ),
      ),
  }
}

const idsPerRead = 32

/** All null if no response is stored. */
interface StoredResponseRow {
  readonly status: number | null
  readonly code: ErrorCode | null
  readonly body: string | null
}

export interface ReviewCounter {
  /** Charges in review, of all projects. */
  countInReview(): Promise<number>
}

export interface ChargePruner {
  /** Removes the responses of charges settled or released before `endedBefore`. Their Idempotency-Keys stay used. */
  pruneResponses(endedBefore: number, limit: number): Promise<number>
}

const toStoredResponse = ({ status, code, body }: StoredResponseRow): StoredResponse | null =>
  status === null || body === null ? null : { status, code, body }

/** Charges, with the engine's own way to read the reserved ones. */
export const createCharges = (engine: OpenedEngine, clock: () => number) => ({
  ...createChargeStore(engine),
  ...reservedReader(engine, clock),
})
