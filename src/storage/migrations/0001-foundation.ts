/**
 * The tables of every room, in types that all engines know. Times are epoch milliseconds; digests are text;
 * no column holds a phone, an email, a code, a session, a token or a key in plain form.
 */
export const foundation = {
  version: 1,
  name: 'foundation',
  statements: [
    // identity
    `CREATE TABLE challenges (
      challenge_digest TEXT NOT NULL PRIMARY KEY,
      phone_digest TEXT NOT NULL,
      code_digest TEXT NOT NULL,
      issued_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      wrong_attempts INTEGER NOT NULL DEFAULT 0 CHECK (wrong_attempts >= 0),
      invalidated_at BIGINT,
      consumed_at BIGINT
    )`,
    'CREATE INDEX challenges_by_phone ON challenges (phone_digest, issued_at)',
    'CREATE INDEX challenges_by_expiry ON challenges (expires_at)',
    `CREATE TABLE accounts (
      account_id TEXT NOT NULL PRIMARY KEY,
      name TEXT NOT NULL,
      recovery_email_digest TEXT NOT NULL,
      recovery_email_masked TEXT NOT NULL,
      recovery_email_state TEXT NOT NULL CHECK (recovery_email_state IN ('pending_verification', 'verified')),
      password_digest TEXT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    // A pending address reserves nothing: only verified ones are unique.
    `CREATE UNIQUE INDEX accounts_by_verified_email ON accounts (recovery_email_digest)
      WHERE recovery_email_state = 'verified'`,
    `CREATE TABLE identities (
      identity_subject TEXT NOT NULL PRIMARY KEY,
      account_id TEXT NOT NULL UNIQUE REFERENCES accounts (account_id),
      phone_digest TEXT NOT NULL UNIQUE,
      phone_masked TEXT NOT NULL,
      verified_at BIGINT NOT NULL
    )`,
    `CREATE TABLE projects (
      project_id TEXT NOT NULL PRIMARY KEY,
      account_id TEXT NOT NULL UNIQUE REFERENCES accounts (account_id),
      name TEXT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    `CREATE TABLE sessions (
      session_digest TEXT NOT NULL PRIMARY KEY,
      session_id TEXT NOT NULL UNIQUE,
      account_id TEXT NOT NULL REFERENCES accounts (account_id),
      project_id TEXT NOT NULL REFERENCES projects (project_id),
      csrf_digest TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL
    )`,
    'CREATE INDEX sessions_by_account ON sessions (account_id, expires_at)',
    'CREATE INDEX sessions_by_expiry ON sessions (expires_at)',
    `CREATE TABLE rate_windows (
      bucket TEXT NOT NULL PRIMARY KEY,
      window_ends_at BIGINT NOT NULL,
      used INTEGER NOT NULL
    )`,
    'CREATE INDEX rate_windows_by_end ON rate_windows (window_ends_at)',

    // keys: the rate window and the use of a key live in its row, so that a batch of calls touches one row a key
    `CREATE TABLE api_keys (
      key_id TEXT NOT NULL PRIMARY KEY,
      project_id TEXT NOT NULL REFERENCES projects (project_id),
      key_digest TEXT NOT NULL UNIQUE,
      display_prefix TEXT NOT NULL,
      scopes TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      revoked_at BIGINT,
      expires_at BIGINT,
      rotated_from_key_id TEXT,
      window_ends_at BIGINT NOT NULL DEFAULT 0,
      window_used INTEGER NOT NULL DEFAULT 0,
      calls BIGINT NOT NULL DEFAULT 0,
      last_used_at BIGINT
    )`,
    'CREATE INDEX api_keys_by_project ON api_keys (project_id, created_at, key_id)',

    // money
    `CREATE TABLE balances (
      project_id TEXT NOT NULL PRIMARY KEY REFERENCES projects (project_id),
      available BIGINT NOT NULL DEFAULT 0 CHECK (available >= 0),
      reserved BIGINT NOT NULL DEFAULT 0 CHECK (reserved >= 0),
      settled BIGINT NOT NULL DEFAULT 0 CHECK (settled >= 0),
      credited BIGINT NOT NULL DEFAULT 0 CHECK (credited >= 0),
      entries BIGINT NOT NULL DEFAULT 0 CHECK (entries >= 0),
      CHECK (available + reserved + settled = credited)
    )`,
    `CREATE TABLE orders (
      order_id TEXT NOT NULL PRIMARY KEY,
      project_id TEXT NOT NULL REFERENCES projects (project_id),
      idempotency_digest TEXT NOT NULL,
      amount_fen BIGINT NOT NULL CHECK (amount_fen > 0),
      credit_amount BIGINT NOT NULL CHECK (credit_amount > 0),
      pricing_version TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'simulated_paid', 'credited')),
      created_at BIGINT NOT NULL,
      simulated_paid_at BIGINT,
      credited_at BIGINT,
      CHECK ((state = 'credited') = (credited_at IS NOT NULL))
    )`,
    'CREATE UNIQUE INDEX orders_by_idempotency ON orders (project_id, idempotency_digest)',
    'CREATE INDEX orders_by_project ON orders (project_id, created_at, order_id)',
    `CREATE TABLE credit_lots (
      lot_id TEXT NOT NULL PRIMARY KEY,
      project_id TEXT NOT NULL REFERENCES projects (project_id),
      order_id TEXT NOT NULL UNIQUE REFERENCES orders (order_id),
      kind TEXT NOT NULL CHECK (kind IN ('simulated_prepaid')),
      amount BIGINT NOT NULL CHECK (amount > 0),
      created_at BIGINT NOT NULL
    )`,
    'CREATE INDEX credit_lots_by_project ON credit_lots (project_id)',
    `CREATE TABLE charges (
      charge_id TEXT NOT NULL PRIMARY KEY,
      project_id TEXT NOT NULL REFERENCES projects (project_id),
      key_id TEXT NOT NULL REFERENCES api_keys (key_id),
      operation TEXT NOT NULL,
      credits BIGINT NOT NULL CHECK (credits > 0),
      pricing_version TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('reserved', 'settled', 'released', 'manual_review')),
      idempotency_digest TEXT,
      fingerprint TEXT NOT NULL,
      isolation_version INTEGER NOT NULL,
      leaves_process INTEGER NOT NULL CHECK (leaves_process IN (0, 1)),
      instance_id TEXT NOT NULL,
      request_id TEXT NOT NULL,
      reserved_at BIGINT NOT NULL,
      ended_at BIGINT,
      reason TEXT,
      usage TEXT,
      CHECK ((state = 'reserved') = (ended_at IS NULL))
    )`,
    // A freed key is null here, and nulls never collide: I3 holds for the keys that are used up.
    'CREATE UNIQUE INDEX charges_by_idempotency ON charges (project_id, idempotency_digest)',
    'CREATE INDEX charges_by_project ON charges (project_id, charge_id)',
    "CREATE INDEX charges_under_way ON charges (charge_id) WHERE state = 'reserved'",
    "CREATE INDEX charges_in_review ON charges (project_id, charge_id) WHERE state = 'manual_review'",
    `CREATE TABLE charge_results (
      charge_id TEXT NOT NULL PRIMARY KEY REFERENCES charges (charge_id),
      status INTEGER NOT NULL,
      body TEXT NOT NULL,
      stored_at BIGINT NOT NULL
    )`,
    `CREATE TABLE ledger_entries (
      project_id TEXT NOT NULL REFERENCES projects (project_id),
      seq BIGINT NOT NULL CHECK (seq > 0),
      kind TEXT NOT NULL CHECK (kind IN ('credit', 'reserve', 'settle', 'release', 'review')),
      amount BIGINT NOT NULL CHECK (amount > 0),
      available BIGINT NOT NULL CHECK (available >= 0),
      reserved BIGINT NOT NULL CHECK (reserved >= 0),
      charge_id TEXT REFERENCES charges (charge_id),
      lot_id TEXT REFERENCES credit_lots (lot_id),
      entered_at BIGINT NOT NULL,
      PRIMARY KEY (project_id, seq)
    )`,
    'CREATE INDEX ledger_entries_by_charge ON ledger_entries (charge_id)',
    `CREATE TABLE review_decisions (
      charge_id TEXT NOT NULL PRIMARY KEY REFERENCES charges (charge_id),
      decision TEXT NOT NULL CHECK (decision IN ('settled', 'released')),
      reason TEXT NOT NULL,
      decided_by TEXT NOT NULL,
      decided_at BIGINT NOT NULL
    )`,

    // what searches showed a project
    `CREATE TABLE snapshots (
      project_id TEXT NOT NULL REFERENCES projects (project_id),
      provider TEXT NOT NULL,
      product_id TEXT NOT NULL,
      item TEXT NOT NULL,
      shown_at BIGINT NOT NULL,
      PRIMARY KEY (project_id, provider, product_id)
    )`,
    'CREATE INDEX snapshots_by_project ON snapshots (project_id, shown_at)',
    'CREATE INDEX snapshots_by_age ON snapshots (shown_at)',
  ],
} as const
