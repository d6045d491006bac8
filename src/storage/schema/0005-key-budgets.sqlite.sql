-- Keys with a name, a budget, allowed addresses and a rotation chain.

ALTER TABLE api_keys ADD COLUMN name TEXT;

-- Addresses and CIDR ranges, separated by spaces; null allows every requester.
ALTER TABLE api_keys ADD COLUMN allowed_addresses TEXT;

-- Masked: the last byte of an IPv4 address and the last 64 bits of an IPv6 address are left out.
ALTER TABLE api_keys ADD COLUMN last_used_from TEXT;

-- The first key of the rotation chain; null for that key itself.
ALTER TABLE api_keys ADD COLUMN chain_id TEXT;

-- Rises with every change of the settings, so that a batch notices one.
ALTER TABLE api_keys ADD COLUMN settings_version INTEGER NOT NULL DEFAULT 0;

-- Null for keys that were created without an Idempotency-Key.
ALTER TABLE api_keys ADD COLUMN idempotency_digest TEXT;

ALTER TABLE api_keys ADD COLUMN request_digest TEXT;

CREATE UNIQUE INDEX api_keys_by_idempotency ON api_keys (project_id, idempotency_digest);

-- The budget of a rotation chain, named after its first key. `spent` counts what was reserved since `period_from` and not released.
-- A budget that was removed has no credits; its row stays, so that a new one never gets an earlier period.
CREATE TABLE key_budgets (
  budget_id TEXT NOT NULL PRIMARY KEY REFERENCES api_keys (key_id),
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  credits INTEGER CHECK (credits > 0),
  per TEXT NOT NULL CHECK (per = 'day' OR per = 'month' OR per = 'total'),
  period_from INTEGER NOT NULL,
  spent INTEGER NOT NULL CHECK (spent >= 0),
  reached_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX key_budgets_by_project ON key_budgets (project_id);

-- The budget that a charge counts against and the period it was reserved in; null for a key without a budget.
ALTER TABLE charges ADD COLUMN budget_id TEXT;

ALTER TABLE charges ADD COLUMN budget_period INTEGER;
