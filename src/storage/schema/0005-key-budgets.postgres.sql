-- Keys with a name, a budget, allowed addresses and a rotation chain.

ALTER TABLE api_keys ADD COLUMN name TEXT COLLATE "C";

-- Addresses and CIDR ranges, separated by spaces; null allows every requester.
ALTER TABLE api_keys ADD COLUMN allowed_addresses TEXT COLLATE "C";

-- Masked: the last byte of an IPv4 address and the last 64 bits of an IPv6 address are left out.
ALTER TABLE api_keys ADD COLUMN last_used_from TEXT COLLATE "C";

-- The first key of the rotation chain; null for that key itself.
ALTER TABLE api_keys ADD COLUMN chain_id TEXT COLLATE "C";

-- Rises with every change of the settings, so that a batch notices one.
ALTER TABLE api_keys ADD COLUMN settings_version INTEGER NOT NULL DEFAULT 0;

-- Null for keys that were created without an Idempotency-Key.
ALTER TABLE api_keys ADD COLUMN idempotency_digest TEXT COLLATE "C";

ALTER TABLE api_keys ADD COLUMN request_digest TEXT COLLATE "C";

CREATE UNIQUE INDEX api_keys_by_idempotency ON api_keys (project_id, idempotency_digest);

-- The budget of a rotation chain, named after its first key. `spent` counts what was reserved since `period_from` and not released.
-- A budget that was removed has no credits; its row stays, so that a new one never gets an earlier period.
CREATE TABLE key_budgets (
  budget_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES api_keys (key_id),
  project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (project_id),
  credits BIGINT CHECK (credits > 0),
  per TEXT COLLATE "C" NOT NULL CHECK (per IN ('day', 'month', 'total')),
  period_from BIGINT NOT NULL,
  spent BIGINT NOT NULL CHECK (spent >= 0),
  reached_at BIGINT
);

CREATE INDEX key_budgets_by_project ON key_budgets (project_id);

-- The budget that a charge counts against and the period it was reserved in; null for a key without a budget.
ALTER TABLE charges ADD COLUMN budget_id TEXT COLLATE "C";

ALTER TABLE charges ADD COLUMN budget_period BIGINT;

-- A batch sends its rows as arrays of these types (src/storage/books/book-writes.ts declares the columns).
ALTER TYPE charge_row ADD ATTRIBUTE budget_id text, ADD ATTRIBUTE budget_period bigint;

-- Created again, because an attribute can only be added at the end.
DROP TYPE key_change_row;

CREATE TYPE key_change_row AS (
  key_id text, window_ends_at bigint, window_used int, calls bigint, last_used_at bigint, last_used_from text,
  expected_window_ends_at bigint, expected_window_used int, expected_calls bigint, expected_blocked_at bigint,
  expected_expires_at bigint, expected_settings_version int
);

CREATE TYPE budget_change_row AS (
  budget_id text, period_from bigint, spent bigint, reached_at bigint, expected_period_from bigint, expected_spent bigint
);
