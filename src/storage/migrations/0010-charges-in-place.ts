import type { Migration } from './migration.ts'

const columns = `key_id, operation, credits, state, instance_id, leaves_process, request_id, reserved_at, ended_at, reason`

/** By its index, and no other: the planner would rather look through all charges of a project. */
const embedded = (state: string, index: string) =>
  `SELECT project_id, charge_id, ${columns} FROM charges INDEXED BY ${index} WHERE state = '${state}'`

/** Looked up by itself: joined, a server that takes the entries for many would read every charge. */
const chargeOf = (entry: string) =>
  `LATERAL (SELECT * FROM charges WHERE charges.charge_id = ${entry}.charge_id LIMIT 1) c`

/**
 * PostgreSQL ends a charge in its page and leaves its indexes alone, if the page has room and no index depends on the state:
 * a ninth of what a call costs the server. So half of each page is kept free, and the charges that hold credits are found
 * without an index of their own: those in review by their entries, and the reserved ones by what the balances hold. The
 * ledger is followed back until that much is found, which is as far as the oldest call under way. SQLite gains nothing
 * by it and keeps its indexes.
 */
export const chargesInPlace: Migration = {
  version: 10,
  name: 'charges-in-place',
  statements: [],
  own: {
    sqlite: [
      `CREATE VIEW reserved_charges AS ${embedded('reserved', 'charges_under_way')}`,
      `CREATE VIEW reviewable_charges AS ${embedded('manual_review', 'charges_in_review')}`,
    ],
    postgres: [
      'ALTER TABLE charges SET (fillfactor = 50)',
      'DROP INDEX charges_under_way',
      'DROP INDEX charges_in_review',
      "CREATE INDEX ledger_entries_in_review ON ledger_entries (project_id, charge_id) WHERE kind = 'review'",
      `CREATE VIEW reviewable_charges AS SELECT e.project_id, e.charge_id, ${columns}
        FROM ledger_entries e CROSS JOIN ${chargeOf('e')}
        WHERE e.kind = 'review' AND c.state = 'manual_review'`,
      `CREATE VIEW reserved_charges AS SELECT b.project_id, c.charge_id, ${columns} FROM balances b
        CROSS JOIN LATERAL (
          WITH RECURSIVE back AS (
            SELECT b.last_entry_id AS entry_id, NULL::text COLLATE "C" AS charge_id, b.reserved - (
              SELECT COALESCE(SUM(r.credits), 0)::bigint FROM reviewable_charges r WHERE r.project_id = b.project_id) AS sought
            UNION ALL
            SELECT e.previous_id, c.charge_id, back.sought - COALESCE(c.credits, 0)
            FROM back JOIN ledger_entries e ON e.entry_id = back.entry_id
              LEFT JOIN ${chargeOf('e')} ON e.kind = 'reserve' AND c.state = 'reserved'
            WHERE back.sought > 0
          ) SELECT charge_id FROM back WHERE charge_id IS NOT NULL
        ) found
        CROSS JOIN ${chargeOf('found')} WHERE b.reserved > 0`,
    ],
  },
}
