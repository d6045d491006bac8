import { sortableIdFloor } from '../../base/ids.ts'
import { mediaOperation } from '../../contract/prices.ts'
import type { ChargeReader, ReservedCharge } from '../../ledger/charge-reader.ts'
import { chargeColumns, reservedColumns } from '../charge-columns.ts'
import type { Engine } from '../engine.ts'
import { rowMapper, sqlOf } from '../row-mapper.ts'

const reserved = rowMapper('reserved', reservedColumns)

/** Most calls take less; older ones are searched in the ledger, once each. */
const recentMs = 120_000
/** Bounds the memory of old open charges. */
const maxKnown = 5000

/**
 * Reads reserved charges for recovery. The view `reserved_charges` follows a ledger back to the oldest open call, which
 * takes seconds if a busy project has a long one. Here recent charges are read by their ids, which begin with the time, and
 * those of media jobs by the job. Only if credits of a project are still unexplained, its ledger is followed; what that
 * finds is remembered.
 */
export function createReservedReader(
  engine: Pick<Engine, 'read'>,
  { clock }: { clock: () => number },
): ChargeReader['reserved'] {
  let known: string[] = []
  return async (after, limit) => {
    const since = sortableIdFloor('chg', clock() - recentMs)
    const rows = await engine.read(async (tx) => {
      // Planned once, perhaps while the tables are still empty.
      await tx.get("SELECT set_config('enable_seqscan', 'off', true) AS set")
      // As an array literal; ids contain nothing that needs quotes.
      const ids = `{${known.join(',')}}`
      return tx.all<ReservedCharge>(selectReserved, [since, ids, mediaOperation, after, limit])
    })
    const old = rows.map(({ chargeId }) => chargeId).filter((chargeId) => chargeId < since)
    known = [...(after === '' ? [] : known), ...old].slice(-maxKnown)
    return rows.map(reserved.decode)
  }
}

const columns = Object.values(sqlOf({ ...reservedColumns, state: chargeColumns.state })).join(', ')

// A project's reserved credits are those of its charges that are reserved or in review, and of its open refunds. What none found so
// far explains belongs to older charges: the ledger is followed back until nothing is missing.
const selectReserved = `
  WITH RECURSIVE found AS MATERIALIZED (
    SELECT ${columns} FROM charges WHERE charge_id >= $1 AND state = 'reserved'
    UNION
    SELECT ${columns} FROM charges WHERE charge_id = ANY($2::text[]) AND charge_id < $1 AND state = 'reserved'
    UNION
    SELECT c.* FROM media_jobs j
      CROSS JOIN LATERAL (SELECT ${columns} FROM charges WHERE charges.charge_id = j.charge_id LIMIT 1) c
    WHERE j.next_poll_at IS NOT NULL AND c.charge_id < $1 AND c.state = 'reserved'
  ), explained AS MATERIALIZED (
    SELECT project_id, SUM(credits)::bigint AS credits FROM found GROUP BY project_id
  ), back AS (
    SELECT b.last_entry_id AS entry_id, NULL::text COLLATE "C" AS charge_id, b.reserved - COALESCE(e.credits, 0) - (
      SELECT COALESCE(SUM(r.credits), 0)::bigint FROM reviewable_charges r WHERE r.project_id = b.project_id
    ) - (
      SELECT COALESCE(SUM(f.credits), 0)::bigint FROM payment_refunds f
      WHERE f.project_id = b.project_id AND f.hold_entry_id IS NOT NULL AND f.end_entry_id IS NULL
    ) AS missing
    FROM balances b LEFT JOIN explained e ON e.project_id = b.project_id
    WHERE b.reserved > 0
    UNION ALL
    SELECT e.previous_id, c.charge_id, back.missing - COALESCE(c.credits, 0)
    FROM back
      JOIN ledger_entries e ON e.entry_id = back.entry_id
      LEFT JOIN LATERAL (SELECT * FROM charges WHERE charges.charge_id = e.charge_id LIMIT 1) c
        ON e.kind = 'reserve' AND c.state = 'reserved' AND c.operation <> $3 AND c.charge_id < $1
          AND c.charge_id <> ALL($2::text[])
    WHERE back.missing > 0
  )
  SELECT ${reserved.list}
  FROM (
    SELECT * FROM found
    UNION ALL
    SELECT c.* FROM back
      CROSS JOIN LATERAL (SELECT ${columns} FROM charges WHERE charges.charge_id = back.charge_id LIMIT 1) c
    WHERE back.charge_id IS NOT NULL
  ) reserved
  WHERE charge_id > $4 AND operation <> $3 ORDER BY charge_id LIMIT $5`
