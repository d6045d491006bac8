-- What only PostgreSQL has, after schema.sql: views without an index by state, checks of references, and the types of a batch's rows.

-- Charges in review, found through their ledger entries. LATERAL looks up each charge separately; with a join, the planner may
-- read every charge.
CREATE VIEW reviewable_charges AS
SELECT e.project_id, e.charge_id, key_id, operation, credits, state, instance_id, leaves_process, request_id, reserved_at, ended_at, reason
FROM ledger_entries e
  CROSS JOIN LATERAL (SELECT * FROM charges WHERE charges.charge_id = e.charge_id LIMIT 1) c
WHERE e.kind = 'review' AND c.state = 'manual_review';

-- Charges in progress, found without an extra index: follows each project's ledger back until all its reserved credits are
-- accounted for, which is at its oldest call in progress.
CREATE VIEW reserved_charges AS
SELECT b.project_id, c.charge_id, key_id, operation, credits, state, instance_id, leaves_process, request_id, reserved_at, ended_at, reason
FROM balances b
  CROSS JOIN LATERAL (
    WITH RECURSIVE back AS (
      SELECT b.last_entry_id AS entry_id, NULL::text COLLATE "C" AS charge_id, b.reserved - (
        SELECT COALESCE(SUM(r.credits), 0)::bigint FROM reviewable_charges r WHERE r.project_id = b.project_id
      ) AS missing
      UNION ALL
      SELECT e.previous_id, c.charge_id, back.missing - COALESCE(c.credits, 0)
      FROM back
        JOIN ledger_entries e ON e.entry_id = back.entry_id
        LEFT JOIN LATERAL (SELECT * FROM charges WHERE charges.charge_id = e.charge_id LIMIT 1) c ON e.kind = 'reserve' AND c.state = 'reserved'
      WHERE back.missing > 0
    ) SELECT charge_id FROM back WHERE charge_id IS NOT NULL
  ) found
  CROSS JOIN LATERAL (SELECT * FROM charges WHERE charges.charge_id = found.charge_id LIMIT 1) c
WHERE b.reserved > 0;

-- Rejects an optimistic batch whose expected rows have changed (src/storage/postgres/batch-statements.ts).
CREATE FUNCTION refuse_stale_row() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'GW001', MESSAGE = 'a row has changed since the batch was decided';
END $$;

-- Tables that every call writes have triggers instead of foreign keys. PostgreSQL checks a foreign key row by row and locks each
-- parent, which took 103 of the 335 microseconds a call cost the server. These triggers check all rows of a statement at once,
-- without locks, and parents can never be deleted. A new row must also belong to its parent's project.
-- LATERAL and (|| '') keep the planner from reading all parents.
CREATE FUNCTION check_references_of_charges() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_broken boolean;
BEGIN
  IF TG_LEVEL = 'STATEMENT' THEN
    is_broken := EXISTS (
      SELECT FROM added a
        LEFT JOIN LATERAL (
          SELECT true AS found FROM api_keys p WHERE p.key_id = a.key_id AND p.project_id || '' = a.project_id LIMIT 1
        ) a_key ON true
      WHERE a_key.found IS NULL);
  ELSE
    is_broken := NOT EXISTS (SELECT FROM projects p WHERE p.project_id = NEW.project_id)
      OR NOT EXISTS (SELECT FROM api_keys p WHERE p.key_id = NEW.key_id);
  END IF;
  IF is_broken THEN
    RAISE foreign_key_violation USING TABLE = 'charges',
      MESSAGE = 'a row of charges violates a foreign key: it refers to a row that does not exist';
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION check_references_of_charge_responses() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_broken boolean;
BEGIN
  IF TG_LEVEL = 'STATEMENT' THEN
    is_broken := EXISTS (
      SELECT FROM added a
        LEFT JOIN LATERAL (SELECT true AS found FROM charges p WHERE p.charge_id = a.charge_id LIMIT 1) a_charge ON true
      WHERE a_charge.found IS NULL);
  ELSE
    is_broken := NOT EXISTS (SELECT FROM charges p WHERE p.charge_id = NEW.charge_id);
  END IF;
  IF is_broken THEN
    RAISE foreign_key_violation USING TABLE = 'charge_responses',
      MESSAGE = 'a row of charge_responses violates a foreign key: it refers to a row that does not exist';
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION check_references_of_ledger_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_broken boolean;
BEGIN
  IF TG_LEVEL = 'STATEMENT' THEN
    is_broken := EXISTS (
      SELECT FROM added a
        LEFT JOIN LATERAL (
          SELECT true AS found FROM charges p WHERE p.charge_id = a.charge_id AND p.project_id || '' = a.project_id LIMIT 1
        ) a_charge ON true
      WHERE CASE
        WHEN a.charge_id IS NOT NULL AND a_charge.found IS NULL THEN true
        WHEN a.lot_id IS NOT NULL
          THEN NOT EXISTS (SELECT FROM credit_lots p WHERE p.lot_id = a.lot_id AND p.project_id = a.project_id)
        WHEN a.charge_id IS NULL THEN NOT EXISTS (SELECT FROM projects p WHERE p.project_id = a.project_id)
        ELSE false END);
  ELSE
    is_broken := NOT EXISTS (SELECT FROM projects p WHERE p.project_id = NEW.project_id)
      OR (NEW.charge_id IS NOT NULL AND NOT EXISTS (SELECT FROM charges p WHERE p.charge_id = NEW.charge_id))
      OR (NEW.lot_id IS NOT NULL AND NOT EXISTS (SELECT FROM credit_lots p WHERE p.lot_id = NEW.lot_id));
  END IF;
  IF is_broken THEN
    RAISE foreign_key_violation USING TABLE = 'ledger_entries',
      MESSAGE = 'a row of ledger_entries violates a foreign key: it refers to a row that does not exist';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER check_added_references AFTER INSERT ON charges REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION check_references_of_charges();

CREATE TRIGGER check_changed_references AFTER UPDATE OF project_id, key_id ON charges
  FOR EACH ROW EXECUTE FUNCTION check_references_of_charges();

CREATE TRIGGER check_added_references AFTER INSERT ON charge_responses REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION check_references_of_charge_responses();

CREATE TRIGGER check_changed_references AFTER UPDATE OF charge_id ON charge_responses
  FOR EACH ROW EXECUTE FUNCTION check_references_of_charge_responses();

CREATE TRIGGER check_added_references AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION check_references_of_ledger_entries();

CREATE TRIGGER check_changed_references AFTER UPDATE OF project_id, charge_id, lot_id ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION check_references_of_ledger_entries();

CREATE FUNCTION refuse_loss() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE foreign_key_violation USING TABLE = TG_TABLE_NAME,
    MESSAGE = format('foreign keys refer to %s: its rows are never deleted or renamed', TG_TABLE_NAME);
END $$;

-- An archived charge may be deleted, but only after everything that refers to it.
CREATE FUNCTION refuse_loss_of_charge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM ledger_entries e WHERE e.charge_id = OLD.charge_id)
    OR EXISTS (SELECT FROM charge_responses r WHERE r.charge_id = OLD.charge_id) THEN
    RAISE foreign_key_violation USING TABLE = 'charges',
      MESSAGE = 'foreign keys refer to this row of charges: it cannot be deleted';
  END IF;
  RETURN OLD;
END $$;

CREATE TRIGGER refuse_delete BEFORE DELETE ON projects FOR EACH ROW EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_new_id BEFORE UPDATE OF project_id ON projects FOR EACH ROW
  WHEN (NEW.project_id IS DISTINCT FROM OLD.project_id) EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON projects FOR EACH STATEMENT EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_delete BEFORE DELETE ON api_keys FOR EACH ROW EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_new_id BEFORE UPDATE OF key_id ON api_keys FOR EACH ROW
  WHEN (NEW.key_id IS DISTINCT FROM OLD.key_id) EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON api_keys FOR EACH STATEMENT EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_delete BEFORE DELETE ON charges FOR EACH ROW EXECUTE FUNCTION refuse_loss_of_charge();

CREATE TRIGGER refuse_new_id BEFORE UPDATE OF charge_id ON charges FOR EACH ROW
  WHEN (NEW.charge_id IS DISTINCT FROM OLD.charge_id) EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON charges FOR EACH STATEMENT EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_delete BEFORE DELETE ON credit_lots FOR EACH ROW EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_new_id BEFORE UPDATE OF lot_id ON credit_lots FOR EACH ROW
  WHEN (NEW.lot_id IS DISTINCT FROM OLD.lot_id) EXECUTE FUNCTION refuse_loss();

CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON credit_lots FOR EACH STATEMENT EXECUTE FUNCTION refuse_loss();

-- A batch sends its rows as arrays of these types; src/storage/batch/writes.ts declares the columns. Gateways of the version before
-- keep writing the old type, so a changed row gets a new version of its type.
CREATE TYPE balance_change_row_v1 AS (
  project_id text, available bigint, reserved bigint, settled bigint, credited bigint, entries bigint,
  last_entry_id bigint, expected_entries bigint, expected_last_entry_id bigint, expected_low_balance_credits bigint
);

CREATE TYPE key_change_row_v1 AS (
  key_id text, window_ends_at bigint, window_used int, calls bigint, last_used_at bigint, last_used_from text,
  expected_window_ends_at bigint, expected_window_used int, expected_calls bigint, expected_blocked_at bigint,
  expected_expires_at bigint, expected_settings_version int
);

CREATE TYPE key_release_row_v1 AS (
  charge_id text, idempotency_digest text
);

CREATE TYPE response_row_v1 AS (
  charge_id text, status int, code text, body text, stored_at bigint
);

CREATE TYPE response_change_row_v1 AS (
  charge_id text, status int, code text, body text, stored_at bigint
);

CREATE TYPE review_decision_row_v1 AS (
  charge_id text, decision text, reason text, decided_by text, decided_at bigint
);

CREATE TYPE snapshot_row_v1 AS (
  project_id text, provider text, product_id text, item text, shown_at bigint
);

CREATE TYPE usage_day_row_v1 AS (
  project_id text, day int, operation text, calls bigint, credits bigint
);

CREATE TYPE order_credit_row_v1 AS (
  order_id text, state text, simulated_paid_at bigint, credited_at bigint
);

CREATE TYPE credit_lot_row_v1 AS (
  lot_id text, project_id text, order_id text, kind text, amount bigint, created_at bigint
);

CREATE TYPE ledger_entry_row_v1 AS (
  entry_id bigint, previous_id bigint, project_id text, seq bigint, kind text, amount bigint, available
  bigint, reserved bigint, charge_id text, lot_id text, entered_at bigint
);

CREATE TYPE operator_movement_row_v1 AS (
  movement_id text, project_id text, kind text, amount bigint, reference text, reference_key text, entry_id bigint, lot_id text,
  approval_id text, audit_id text, moved_by text, moved_at bigint
);

CREATE TYPE granted_lot_row_v1 AS (
  lot_id text, project_id text, kind text, amount bigint, created_at bigint
);

CREATE TYPE approval_grant_row_v1 AS (
  approval_id text, state text, decided_by text, decided_at bigint
);

CREATE TYPE audit_entry_row_v1 AS (
  seq bigint, audit_id text, acted_at bigint, acted_by text, via text, action text, object text, reason text, state_before
  text, state_after text, previous_hash text, entry_hash text
);

CREATE TYPE audit_head_change_row_v1 AS (
  head_id int, entries bigint, last_hash text
);

CREATE TYPE media_job_row_v1 AS (
  job_id text, project_id text, charge_id text, instance_id text, provider text, prompt text, seconds int, size text,
  test_only int, status text, created_at bigint, updated_at bigint, deadline_at bigint, next_poll_at bigint
);

CREATE TYPE media_job_change_row_v1 AS (
  job_id text, status text, provider_id text, progress int, updated_at bigint, next_poll_at bigint, version int
);

CREATE TYPE media_job_end_row_v1 AS (
  job_id text, status text, progress int, error_code text, updated_at bigint, finished_at bigint, next_poll_at bigint,
  content_type text, content_bytes bigint, content_sha256 text, content_expires_at bigint, claimed_by text,
  claim_until bigint, version int
);

CREATE TYPE budget_change_row_v1 AS (
  budget_id text, period_from bigint, spent bigint, reached_at bigint, other_counts text, expected_period_from bigint,
  expected_spent bigint, expected_reached_at bigint, expected_other_counts text
);

CREATE TYPE empty_change_row_v1 AS (
  project_id text, empty_at bigint
);

CREATE TYPE event_row_v1 AS (
  event_id text, project_id text, type text, happened_at bigint, data text
);

CREATE TYPE paid_lot_row_v1 AS (
  lot_id text, project_id text, order_id text, kind text, amount bigint, created_at bigint, reference text
);

CREATE TYPE payment_credit_row_v1 AS (
  payment_id text, state text, transaction_id text, note text, paid_at bigint, credited_at bigint, client_address text,
  next_query_at bigint, claimed_by text
);

CREATE TYPE refund_hold_row_v1 AS (
  refund_id text, state text, hold_entry_id bigint, next_query_at bigint, approved_by text
);

CREATE TYPE refund_end_row_v1 AS (
  refund_id text, state text, provider_refund_id text, end_entry_id bigint, ended_at bigint, next_query_at bigint, claimed_by text
);

CREATE TYPE charge_end_row_v1 AS (
  charge_id text, state text, ended_at bigint, reason text, usage text, response_sha256 text
);

CREATE TYPE charge_row_v1 AS (
  charge_id text, project_id text, key_id text, operation text, credits bigint, pricing_version text, state text,
  request_id text, model text, reserved_at bigint, idempotency_digest text, fingerprint text, isolation_version int,
  leaves_process int, instance_id text, budget_id text, budget_period bigint
);

CREATE TYPE charge_content_row_v1 AS (
  charge_id text, project_id text, key_version text, sealed text
);

CREATE TYPE pending_delivery_row_v1 AS (
  charge_id text, key_id text, fingerprint text, request_id text, instance_id text, is_lost int
);
