import { sortableIdFloor } from '../base/ids.ts'
import { dayMs } from '../base/time.ts'
import { mediaOperation } from '../contract/prices.ts'
import type { Item, ItemRef } from '../contract/schemas/products.ts'
import type { ChargeReader, FoundCharge, ReservedCharge } from '../ledger/charge-reader.ts'
import type { StoredResponse } from '../ledger/commands.ts'
import { reservedColumns } from '../storage/charge-columns.ts'
import type { Engine } from '../storage/engine.ts'
import type { OpenedEngine } from '../storage/open-engine.ts'
import { reservedReader } from '../storage/reserved-reader.ts'
import { rowMapper } from '../storage/row-mapper.ts'
import { fullPages, placeholders } from '../storage/sql-text.ts'

const reservedCharges = rowMapper('reserved_charges', reservedColumns)

/** Charges as duplicates, recovery, pruning and metrics need them, with the engine's own way to read the reserved ones. */
export function createCharges(engine: OpenedEngine, clock: () => number) {
  const findAll: ChargeReader['findAll'] = (chargeIds) =>
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
    findAll,
    find: async (chargeId: string) => (await findAll([chargeId])).get(chargeId),
    reserved: (after: string, limit: number): Promise<ReservedCharge[]> =>
      engine.read((tx) =>
        reservedCharges.all(tx, 'WHERE charge_id > $1 AND operation <> $3 ORDER BY charge_id LIMIT $2', [
          after,
          limit,
          mediaOperation,
        ]),
      ),
    ...reservedReader(engine, clock),
    /** Of all projects. */
    countInReview: (): Promise<number> =>
      engine.read(async (tx) => {
        const row = await tx.get<{ open: number }>('SELECT COUNT(*) AS open FROM reviewable_charges')
        return row!.open
      }),
    /** Removes the responses of charges settled or released before `endedBefore`. Their Idempotency-Keys stay used. */
    pruneResponses: (endedBefore: number, limit: number): Promise<number> =>
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
type StoredResponseRow = { readonly [Field in keyof StoredResponse]: StoredResponse[Field] | null }

const toStoredResponse = ({ status, code, body }: StoredResponseRow): StoredResponse | null =>
  status === null || body === null ? null : { status, code, body }

export interface SnapshotBounds {
  readonly days: number
  readonly perProject: number
}

/** Items that searches returned to a project, readable only by that project. The settling batch writes them. */
export function createSnapshotStore(deps: { engine: Engine; clock: () => number; bounds: SnapshotBounds }) {
  const { engine, clock, bounds } = deps
  const oldest = () => clock() - bounds.days * dayMs
  return {
    find: (projectId: string, refs: readonly ItemRef[]): Promise<Item[]> =>
      engine.read(async (tx) => {
        const items: Item[] = []
        for (const { provider, productId } of refs) {
          const row = await tx.get<{ item: string }>(
            'SELECT item FROM snapshots WHERE project_id = $1 AND provider = $2 AND product_id = $3 AND shown_at > $4',
            [projectId, provider, productId, oldest()],
          )
          if (row) items.push(JSON.parse(row.item) as Item)
        }
        return items
      }),
    /** Removes at most `limit` expired items; returns how many. */
    pruneOld: (limit: number): Promise<number> =>
      engine.write((tx) =>
        tx.run(
          `DELETE FROM snapshots WHERE (project_id, provider, product_id) IN (
            SELECT project_id, provider, product_id FROM snapshots WHERE shown_at <= $1 ORDER BY shown_at LIMIT $2)`,
          [oldest(), limit],
        ),
      ),
    /** Removes a project's oldest items beyond its limit. */
    pruneExcess: (projectId: string): Promise<number> =>
      engine.write((tx) =>
        tx.run(
          `DELETE FROM snapshots WHERE project_id = $1 AND shown_at < (
            SELECT shown_at FROM snapshots WHERE project_id = $1 ORDER BY shown_at DESC LIMIT 1 OFFSET $2)`,
          [projectId, bounds.perProject - 1],
        ),
      ),
  }
}
