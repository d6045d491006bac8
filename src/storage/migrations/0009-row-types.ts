import type { Migration } from './migration.ts'

/**
 * What a batch sends to PostgreSQL: the rows of a table as one value, since one list a column costs the server nearly twice as
 * much (`postgres/row-types.ts`). A row that is not as it was is refused in its own update, which needs no count of them (0007).
 */
export const rowTypesOfABatch: Migration = {
  version: 9,
  name: 'row-types-of-a-batch',
  statements: [],
  own: {
    postgres: [
      'DROP FUNCTION refuse_stale',
      `CREATE FUNCTION refuse_stale_row() RETURNS bigint LANGUAGE plpgsql AS $$
        BEGIN
          RAISE EXCEPTION USING ERRCODE = 'GW001', MESSAGE = 'a row that the batch took for granted is not as it was';
        END $$`,
      `CREATE TYPE balance_written AS (project_id text, available bigint, reserved bigint, settled bigint, credited bigint,
        entries bigint, last_entry_id bigint, entries_before bigint)`,
      `CREATE TYPE key_written AS (key_id text, window_ends_at bigint, window_used int, calls bigint, last_used_at bigint,
        ends_before bigint, used_before int, calls_before bigint, revoked_at bigint, expires_at bigint)`,
      `CREATE TYPE charge_reserved AS (charge_id text, project_id text, key_id text, operation text, credits bigint,
        pricing_version text, state text, idempotency_digest text, fingerprint text, isolation_version int,
        leaves_process int, instance_id text, request_id text, reserved_at bigint)`,
      `CREATE TYPE charge_ended AS (charge_id text, state text, ended_at bigint, reason text, usage text,
        idempotency_digest text)`,
      'CREATE TYPE result_stored AS (charge_id text, status int, body text, stored_at bigint)',
      'CREATE TYPE decision_made AS (charge_id text, decision text, reason text, decided_by text, decided_at bigint)',
      'CREATE TYPE item_shown AS (project_id text, provider text, product_id text, item text, shown_at bigint)',
      'CREATE TYPE usage_settled AS (project_id text, day int, operation text, calls bigint, credits bigint)',
      'CREATE TYPE order_credited AS (order_id text, credited_at bigint)',
      `CREATE TYPE lot_added AS (lot_id text, project_id text, order_id text, kind text, amount bigint,
        created_at bigint)`,
      `CREATE TYPE entry_made AS (entry_id bigint, previous_id bigint, project_id text, seq bigint, kind text, amount bigint,
        available bigint, reserved bigint, charge_id text, lot_id text, entered_at bigint)`,
    ],
  },
}
