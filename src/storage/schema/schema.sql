-- The schema of a new store, for both engines. Types are PostgreSQL's and table options SQLite's; sql-dialects.ts renders the text
-- for an engine. {sqlite: ...} and {postgres: ...} belong to one engine, as does a statement under "-- @sqlite" or "-- @postgres".
-- schema.postgres.sql adds what only PostgreSQL has.
--
-- Released with 0.2.0: every later change is a migration.
--
-- Statements are separated by blank lines. Times are epoch milliseconds; digests are text. No column holds a phone number, an
-- email address, a code, a session, a token or a key in plain form. docs/data-model.md shows how the tables relate.
-- Small tables with frequent updates are WITHOUT ROWID, so that an update writes one page instead of two on SQLite.

-- The secrets that digests and sealed values of this store were made with. The check value is derived from the secret, so a
-- gateway with another secret is found out before it registers a phone twice.
CREATE TABLE secret_versions (
  key_version TEXT NOT NULL PRIMARY KEY,
  check_value TEXT NOT NULL,
  first_used_at BIGINT NOT NULL
) STRICT;

-- Registered people. The recovery email is stored as a digest and a mask, and sealed, so that it can be written to. A suspended
-- account cannot sign in.
CREATE TABLE accounts (
  account_id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  recovery_email_digest TEXT NOT NULL,
  recovery_email_masked TEXT NOT NULL,
  recovery_email_state TEXT NOT NULL CHECK (recovery_email_state IN ('pending_verification', 'verified')),
  recovery_email_sealed TEXT,
  recovery_email_key_version TEXT,
  password_digest TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  suspended_at BIGINT,
  suspension_reason TEXT
) STRICT;

-- Only verified addresses are unique; several accounts may have the same pending one.
CREATE UNIQUE INDEX accounts_by_verified_email ON accounts (recovery_email_digest)
  WHERE recovery_email_state = 'verified';

-- An operator searches by it; also pending ones.
CREATE INDEX accounts_by_email ON accounts (recovery_email_digest);

CREATE INDEX accounts_by_creation ON accounts (created_at, account_id);

CREATE INDEX accounts_suspended ON accounts (suspended_at, account_id) WHERE suspended_at IS NOT NULL;

-- The verified phone of each account (digest, mask and sealed), and its permanent subject at the identity provider.
CREATE TABLE identities (
  identity_subject TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL UNIQUE REFERENCES accounts (account_id),
  phone_digest TEXT NOT NULL UNIQUE,
  phone_masked TEXT NOT NULL,
  phone_sealed TEXT,
  phone_key_version TEXT,
  verified_at BIGINT NOT NULL
) STRICT;

-- One row per verification code sent, as a digest, and what it is good for. Codes of an account end with its password or its
-- contact; registration has no account yet.
CREATE TABLE challenges (
  challenge_digest TEXT NOT NULL PRIMARY KEY,
  purpose TEXT NOT NULL CHECK (purpose IN ('registration', 'email_verification', 'recovery', 'operator_recovery')),
  account_id TEXT REFERENCES accounts (account_id),
  contact_digest TEXT NOT NULL,
  code_digest TEXT NOT NULL,
  issued_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  wrong_attempts INTEGER NOT NULL DEFAULT 0 CHECK (wrong_attempts >= 0),
  invalidated_at BIGINT,
  consumed_at BIGINT
) STRICT;

CREATE INDEX challenges_by_contact ON challenges (contact_digest, purpose, issued_at);

CREATE INDEX challenges_by_account ON challenges (account_id) WHERE account_id IS NOT NULL;

CREATE INDEX challenges_by_expiry ON challenges (expires_at);

-- Addresses that an account has signed in from, as digests: a sign-in from another one sends a notice.
CREATE TABLE account_requesters (
  account_id TEXT NOT NULL REFERENCES accounts (account_id),
  requester_digest TEXT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, requester_digest)
) STRICT, WITHOUT ROWID;

-- Messages to be sent: recipient and content are sealed. A row is deleted once it is delivered or has expired. Channel `none`
-- is the decoy of a recovery for an unknown identifier, so that it costs the same work as a real one.
CREATE TABLE messages (
  message_id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT REFERENCES accounts (account_id),
  channel TEXT NOT NULL CHECK (channel = 'sms' OR channel = 'email' OR channel = 'none'),
  kind TEXT NOT NULL CHECK (kind = 'verification' OR kind = 'recovery' OR kind = 'notice'),
  sealed TEXT NOT NULL,
  key_version TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  next_attempt_at BIGINT NOT NULL,
  claimed_by TEXT
) STRICT;

CREATE INDEX messages_by_next_attempt ON messages (next_attempt_at);

CREATE INDEX messages_by_channel ON messages (channel, kind, next_attempt_at);

-- Each account has one project, which owns its credits, keys, orders and charges. `events_read_to` is the last event that the
-- payer has marked as read.
CREATE TABLE projects (
  project_id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL UNIQUE REFERENCES accounts (account_id),
  name TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  events_read_to BIGINT NOT NULL DEFAULT 0
) STRICT;

-- Console sessions. The cookie and the CSRF token are stored as digests. `factor_at` is when the session last proved a second
-- factor.
CREATE TABLE sessions (
  session_digest TEXT NOT NULL PRIMARY KEY,
  session_id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (account_id),
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  csrf_digest TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  browser TEXT,
  network TEXT,
  factor_at BIGINT
) STRICT;

CREATE INDEX sessions_by_account ON sessions (account_id, expires_at);

CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- Secrets of one-time codes, sealed. They count from `confirmed_at`, when the first code was right.
CREATE TABLE totp_factors (
  account_id TEXT NOT NULL PRIMARY KEY REFERENCES accounts (account_id),
  sealed TEXT NOT NULL,
  key_version TEXT NOT NULL,
  last_step BIGINT,
  created_at BIGINT NOT NULL,
  confirmed_at BIGINT
) STRICT, WITHOUT ROWID;

-- Codes that replace a lost second factor, once each.
CREATE TABLE recovery_codes (
  account_id TEXT NOT NULL REFERENCES accounts (account_id),
  code_digest TEXT NOT NULL,
  used_at BIGINT,
  PRIMARY KEY (account_id, code_digest)
) STRICT, WITHOUT ROWID;

-- Sign-ins whose password was right and whose second factor is missing.
CREATE TABLE pending_sign_ins (
  token_digest TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (account_id),
  expires_at BIGINT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX pending_sign_ins_by_account ON pending_sign_ins (account_id, expires_at);

-- Second factors that a recovery code asked to remove, which is done a day later.
CREATE TABLE factor_removals (
  account_id TEXT NOT NULL PRIMARY KEY REFERENCES accounts (account_id),
  due_at BIGINT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX factor_removals_by_time ON factor_removals (due_at);

-- `sign_count` is the counter that the authenticator sent last, zero if it has none.
CREATE TABLE passkeys (
  passkey_id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (account_id),
  credential_id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  public_key TEXT NOT NULL,
  sign_count BIGINT NOT NULL,
  transports TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT
) STRICT, WITHOUT ROWID;

CREATE INDEX passkeys_by_account ON passkeys (account_id, created_at);

-- Used challenges, kept until they expire.
CREATE TABLE used_passkey_challenges (
  challenge_digest TEXT NOT NULL PRIMARY KEY,
  expires_at BIGINT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX used_passkey_challenges_by_time ON used_passkey_challenges (expires_at);

-- Fixed-window rate limits of requests other than billable calls.
CREATE TABLE rate_windows (
  bucket TEXT NOT NULL PRIMARY KEY,
  window_ends_at BIGINT NOT NULL,
  used INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX rate_windows_by_end ON rate_windows (window_ends_at);

-- API keys, as digests. A key's rate window and usage are in its row, so that a batch updates one row per key.
-- `suspended_at` repeats the account's, because the commit that reserves credits reads only the key. `allowed_addresses` are
-- addresses and CIDR ranges, separated by spaces; null allows every requester. `last_used_from` is masked: without the last byte
-- of an IPv4 address and the last 64 bits of an IPv6 address. `chain_id` is the first key of the rotation chain; null for that
-- key itself. `settings_version` rises with every change of the settings, so that a batch notices one. The digests of the
-- creating request are null if it had no Idempotency-Key. `expiry_warning_at` is when the payer is next warned that the key
-- expires; null for never.
CREATE TABLE api_keys (
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
  last_used_at BIGINT,
  suspended_at BIGINT,
  name TEXT,
  allowed_addresses TEXT,
  last_used_from TEXT,
  chain_id TEXT,
  settings_version INTEGER NOT NULL DEFAULT 0,
  idempotency_digest TEXT,
  request_digest TEXT,
  expiry_warning_at BIGINT,
  shows_balance INTEGER NOT NULL DEFAULT 1 CHECK (shows_balance IN (0, 1)),
  logs_content BIGINT NOT NULL DEFAULT 0 CHECK (logs_content IN (0, 1))
) STRICT;

CREATE INDEX api_keys_by_project ON api_keys (project_id, created_at, key_id);

CREATE INDEX api_keys_by_display_prefix ON api_keys (display_prefix);

CREATE UNIQUE INDEX api_keys_by_idempotency ON api_keys (project_id, idempotency_digest);

CREATE INDEX api_keys_by_expiry_warning ON api_keys (expiry_warning_at) WHERE expiry_warning_at IS NOT NULL;

-- The budget of a rotation chain, named after its first key. `spent` counts what was reserved since `period_from` and not released.
-- `other_counts` is a JSON array of [period_from, spent, reached_at]: other periods, for clocks that differ.
-- A budget that was removed has no credits; its row stays, so that a new one never gets the same period.
CREATE TABLE key_budgets (
  budget_id TEXT NOT NULL PRIMARY KEY REFERENCES api_keys (key_id),
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  credits BIGINT CHECK (credits > 0),
  per TEXT NOT NULL CHECK (per IN ('day', 'month', 'total')),
  period_from BIGINT NOT NULL,
  spent BIGINT NOT NULL CHECK (spent >= 0),
  reached_at BIGINT,
  other_counts TEXT NOT NULL DEFAULT '[]'
) STRICT, WITHOUT ROWID;

CREATE INDEX key_budgets_by_project ON key_budgets (project_id);

-- The credits of each project. The CHECK is invariant I1; `entries` and `last_entry_id` are the end of the ledger.
-- `low_balance_credits` are the available credits below which an event is raised: null for the default, 0 for never. `empty_at`
-- is the first call since the last credit that was refused for lack of credits.
CREATE TABLE balances (
  project_id TEXT NOT NULL PRIMARY KEY REFERENCES projects (project_id),
  available BIGINT NOT NULL DEFAULT 0 CHECK (available >= 0),
  reserved BIGINT NOT NULL DEFAULT 0 CHECK (reserved >= 0),
  settled BIGINT NOT NULL DEFAULT 0 CHECK (settled >= 0),
  credited BIGINT NOT NULL DEFAULT 0 CHECK (credited >= 0),
  entries BIGINT NOT NULL DEFAULT 0 CHECK (entries >= 0),
  last_entry_id BIGINT,
  low_balance_credits BIGINT CHECK (low_balance_credits >= 0),
  empty_at BIGINT,
  CHECK (available + reserved + settled = credited)
) STRICT, WITHOUT ROWID;

-- What each project has spent: a copy of balances.settled that lags behind a little, because an index on the balance itself would
-- make every call slower.
CREATE TABLE project_spending (
  project_id TEXT NOT NULL PRIMARY KEY REFERENCES projects (project_id),
  settled BIGINT NOT NULL CHECK (settled > 0)
) STRICT, WITHOUT ROWID;

CREATE INDEX project_spending_by_amount ON project_spending (settled, project_id);

-- Recharge orders: pending, then credited once.
CREATE TABLE orders (
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
  cancelled_at BIGINT,
  CHECK ((state = 'credited') = (credited_at IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX orders_by_idempotency ON orders (project_id, idempotency_digest);

CREATE INDEX orders_by_project ON orders (project_id, created_at, order_id);

-- The source of credits: one lot per credited order (invariant I5), or one per grant of an operator. `reference` is the payment of
-- a paid lot.
CREATE TABLE credit_lots (
  lot_id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  order_id TEXT UNIQUE REFERENCES orders (order_id),
  kind TEXT NOT NULL CHECK (kind IN ('simulated_prepaid', 'operator_grant', 'paid')),
  amount BIGINT NOT NULL CHECK (amount > 0),
  created_at BIGINT NOT NULL,
  reference TEXT UNIQUE,
  CHECK ((kind = 'operator_grant') = (order_id IS NULL)),
  CHECK ((kind = 'paid') = (reference IS NOT NULL))
) STRICT;

CREATE INDEX credit_lots_by_project ON credit_lots (project_id);

-- A payment of one order, at one payment provider. Its row is committed before the provider is asked, and its id is the order
-- number there. `next_query_at` is when the provider is asked next, null if nothing is left to ask; `claimed_by` asks it now.
-- `client_address` is needed to create a payment on a phone, and is removed once that succeeded. `note` says why a payment is in
-- review or failed.
CREATE TABLE payments (
  payment_id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  order_id TEXT NOT NULL UNIQUE REFERENCES orders (order_id),
  idempotency_digest TEXT NOT NULL,
  method TEXT NOT NULL,
  display TEXT NOT NULL CHECK (display IN ('qr', 'redirect')),
  amount_fen BIGINT NOT NULL CHECK (amount_fen > 0),
  credits BIGINT NOT NULL CHECK (credits > 0),
  state TEXT NOT NULL CHECK (state IN ('created', 'waiting', 'paid', 'expired', 'cancelled', 'failed', 'review')),
  qr_text TEXT,
  redirect_url TEXT,
  client_address TEXT,
  transaction_id TEXT,
  note TEXT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  paid_at BIGINT,
  credited_at BIGINT,
  queries BIGINT NOT NULL CHECK (queries >= 0),
  failures BIGINT NOT NULL CHECK (failures >= 0),
  next_query_at BIGINT,
  claimed_by TEXT,
  CHECK ((state = 'paid') = (credited_at IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX payments_by_idempotency ON payments (project_id, idempotency_digest);

CREATE INDEX payments_by_project ON payments (project_id, payment_id);

CREATE INDEX payments_by_next_query ON payments (next_query_at) WHERE next_query_at IS NOT NULL;

CREATE INDEX payments_by_state ON payments (state, payment_id);

CREATE INDEX payments_by_time ON payments (method, paid_at);

-- Callbacks of payment providers whose signature was right, sealed. Each only brings the query of its payment forward.
CREATE TABLE payment_inbox (
  inbox_id TEXT NOT NULL PRIMARY KEY,
  method TEXT NOT NULL,
  event_id TEXT NOT NULL,
  payment_id TEXT,
  sealed TEXT NOT NULL,
  key_version TEXT NOT NULL,
  received_at BIGINT NOT NULL
) STRICT;

CREATE UNIQUE INDEX payment_inbox_by_event ON payment_inbox (method, event_id);

CREATE INDEX payment_inbox_by_time ON payment_inbox (received_at);

-- A refund of a payment, by an operator. Its credits are held before the provider is asked.
CREATE TABLE payment_refunds (
  refund_id TEXT NOT NULL PRIMARY KEY,
  payment_id TEXT NOT NULL REFERENCES payments (payment_id),
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  lot_id TEXT NOT NULL REFERENCES credit_lots (lot_id),
  amount_fen BIGINT NOT NULL CHECK (amount_fen > 0),
  credits BIGINT NOT NULL CHECK (credits > 0),
  reference TEXT NOT NULL,
  reason TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'held', 'pending', 'refunded', 'returned', 'review')),
  requested_by TEXT NOT NULL,
  requested_at BIGINT NOT NULL,
  approved_by TEXT,
  provider_refund_id TEXT,
  note TEXT,
  hold_entry_id BIGINT,
  end_entry_id BIGINT,
  ended_at BIGINT,
  failures BIGINT NOT NULL CHECK (failures >= 0),
  next_query_at BIGINT,
  claimed_by TEXT
) STRICT;

CREATE UNIQUE INDEX payment_refunds_by_reference ON payment_refunds (payment_id, reference);

CREATE INDEX payment_refunds_by_project ON payment_refunds (project_id, refund_id);

CREATE INDEX payment_refunds_by_next_query ON payment_refunds (next_query_at) WHERE next_query_at IS NOT NULL;

-- The last comparison of a day with the bill of a provider; `differences` is JSON.
CREATE TABLE payment_comparisons (
  bill_date TEXT NOT NULL,
  method TEXT NOT NULL,
  compared_at BIGINT NOT NULL,
  bill TEXT NOT NULL,
  payments BIGINT NOT NULL,
  amount_fen BIGINT NOT NULL,
  differences TEXT NOT NULL,
  open_differences BIGINT NOT NULL,
  PRIMARY KEY (bill_date, method)
) STRICT;

-- The records of the simulated payment provider, which knows nothing of the other tables.
CREATE TABLE simulated_trades (
  trade_id TEXT NOT NULL PRIMARY KEY,
  amount_fen BIGINT NOT NULL,
  currency TEXT NOT NULL,
  state TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL
) STRICT;

-- What was paid there, and paid back.
CREATE TABLE simulated_transactions (
  transaction_id TEXT NOT NULL PRIMARY KEY,
  trade_id TEXT NOT NULL REFERENCES simulated_trades (trade_id),
  kind TEXT NOT NULL,
  amount_fen BIGINT NOT NULL,
  currency TEXT NOT NULL,
  refund_id TEXT,
  happened_at BIGINT NOT NULL
) STRICT;

CREATE INDEX simulated_transactions_by_trade ON simulated_transactions (trade_id);

CREATE INDEX simulated_transactions_by_time ON simulated_transactions (happened_at);

-- One row per admitted call, with the price at that time, the budget that it counts against and the period it was reserved in
-- (null for a key without a budget). On PostgreSQL half of each page stays free and no index includes the state, so that ending a
-- charge is a HOT update: a ninth less work for the server. Its references are checked by triggers (schema.postgres.sql).
CREATE TABLE charges (
  charge_id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL{sqlite: REFERENCES projects (project_id)},
  key_id TEXT NOT NULL{sqlite: REFERENCES api_keys (key_id)},
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
  budget_id TEXT,
  budget_period BIGINT,
  response_sha256 TEXT,
  model TEXT,
  CHECK ((state = 'reserved') = (ended_at IS NULL))
){postgres: WITH (fillfactor = 50)} STRICT;

-- Invariant I3. An Idempotency-Key that was freed is null, and nulls are never equal.
CREATE UNIQUE INDEX charges_by_idempotency ON charges (project_id, idempotency_digest);

-- @sqlite
CREATE INDEX charges_reserved ON charges (charge_id) WHERE state = 'reserved';

-- @sqlite
CREATE INDEX charges_in_review ON charges (project_id, charge_id) WHERE state = 'manual_review';

-- The stored response of each ended call, for replays.
CREATE TABLE charge_responses (
  charge_id TEXT NOT NULL PRIMARY KEY{sqlite: REFERENCES charges (charge_id)},
  status INTEGER NOT NULL,
  code TEXT,
  body TEXT NOT NULL,
  stored_at BIGINT NOT NULL
) STRICT;

-- Request and response, sealed, for keys that ask for it. No index by age: ids of charges sort by time. The sealed text comes
-- last, so that the search for old secrets reads no text. With a rowid, because large rows make a tree without one deep.
CREATE TABLE charge_contents (
  charge_id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL,
  key_version TEXT NOT NULL,
  sealed TEXT NOT NULL
) STRICT;

-- Responses to an OpenAI client that are still to be delivered: written with the reservation, removed once the response was written
-- out. A client that lost its connection repeats the call, and finds its first attempt here.
CREATE TABLE pending_deliveries (
  charge_id TEXT NOT NULL PRIMARY KEY,
  key_id TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  request_id TEXT NOT NULL,
  instance_id TEXT NOT NULL,
  is_lost BIGINT NOT NULL CHECK (is_lost IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE INDEX pending_deliveries_by_call ON pending_deliveries (key_id, fingerprint);

-- @postgres
-- A batch takes one value and uses it and the next 255.
CREATE SEQUENCE ledger_entry_ids INCREMENT BY 256;

-- Every movement of credits, append-only. Each entry has the id of the previous one in its project, so a project's entries form
-- a chain that ends at its balance. Only every 32nd is indexed by number: a full index would cost each call two page writes.
CREATE TABLE ledger_entries (
  entry_id BIGINT NOT NULL PRIMARY KEY{postgres: DEFAULT nextval('ledger_entry_ids')},
  previous_id BIGINT,
  project_id TEXT NOT NULL{sqlite: REFERENCES projects (project_id)},
  seq BIGINT NOT NULL CHECK (seq > 0),
  kind TEXT NOT NULL CHECK (kind IN ('credit', 'reserve', 'settle', 'release', 'review', 'grant', 'withdraw')),
  amount BIGINT NOT NULL CHECK (amount > 0),
  available BIGINT NOT NULL CHECK (available >= 0),
  reserved BIGINT NOT NULL CHECK (reserved >= 0),
  charge_id TEXT{sqlite: REFERENCES charges (charge_id)},
  lot_id TEXT{sqlite: REFERENCES credit_lots (lot_id)},
  entered_at BIGINT NOT NULL,
  CHECK ((seq = 1) = (previous_id IS NULL))
) STRICT;

-- @postgres
ALTER SEQUENCE ledger_entry_ids OWNED BY ledger_entries.entry_id;

CREATE INDEX ledger_entries_by_charge ON ledger_entries (charge_id);

CREATE INDEX ledger_entries_by_number ON ledger_entries (project_id, seq) WHERE seq % 32 = 0;

CREATE INDEX ledger_entries_by_lot ON ledger_entries (lot_id) WHERE lot_id IS NOT NULL;

-- @postgres
CREATE INDEX ledger_entries_in_review ON ledger_entries (project_id, charge_id) WHERE kind = 'review';

-- Operators' decisions on charges in review, with their reasons.
CREATE TABLE review_decisions (
  charge_id TEXT NOT NULL PRIMARY KEY REFERENCES charges (charge_id),
  decision TEXT NOT NULL CHECK (decision IN ('settled', 'released')),
  reason TEXT NOT NULL,
  decided_by TEXT NOT NULL,
  decided_at BIGINT NOT NULL
) STRICT;

-- Settled calls and credits per project, day and operation, for reports. On SQLite the key starts with the day, which keeps
-- today's rows together; starting with the project, nearly every call would write a separate page.
CREATE TABLE usage_days (
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  day INTEGER NOT NULL,
  operation TEXT NOT NULL,
  calls BIGINT NOT NULL CHECK (calls > 0),
  credits BIGINT NOT NULL CHECK (credits > 0),
  PRIMARY KEY ({sqlite:day, project_id}{postgres:project_id, day}, operation)
) STRICT, WITHOUT ROWID;

-- @sqlite
CREATE INDEX usage_days_by_project ON usage_days (project_id, day);

-- Items that searches returned to a project, for the pick operations to read.
CREATE TABLE snapshots (
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  provider TEXT NOT NULL,
  product_id TEXT NOT NULL,
  item TEXT NOT NULL,
  shown_at BIGINT NOT NULL,
  PRIMARY KEY (project_id, provider, product_id)
) STRICT;

CREATE INDEX snapshots_by_project ON snapshots (project_id, shown_at);

CREATE INDEX snapshots_by_age ON snapshots (shown_at);

-- One row per media job, written in the same commit as its charge and ended in the same commit as its charge.
-- Who holds the claim polls the job; a claim expires. `version` changes with every write of a poll, which compares it
-- first. `next_poll_at` is null once the job has ended. `misses` counts responses that do not know the job, `silences` looks
-- without a response. `instance_id` is the instance that submits it: while it is alive, no other instance asks about the submission.
CREATE TABLE media_jobs (
  job_id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  charge_id TEXT NOT NULL UNIQUE REFERENCES charges (charge_id),
  instance_id TEXT NOT NULL,
  provider TEXT NOT NULL,
  provider_id TEXT,
  prompt TEXT NOT NULL,
  seconds INTEGER NOT NULL CHECK (seconds > 0),
  size TEXT NOT NULL,
  test_only INTEGER NOT NULL CHECK (test_only IN (0, 1)),
  status TEXT NOT NULL CHECK (status = 'submitting' OR status = 'queued' OR status = 'in_progress' OR status = 'completed'
    OR status = 'failed' OR status = 'cancelled' OR status = 'unknown'),
  progress INTEGER CHECK (progress >= 0 AND progress <= 100),
  error_code TEXT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  finished_at BIGINT,
  deadline_at BIGINT NOT NULL,
  cancel_requested_at BIGINT,
  next_poll_at BIGINT,
  polls INTEGER NOT NULL DEFAULT 0,
  misses INTEGER NOT NULL DEFAULT 0,
  silences INTEGER NOT NULL DEFAULT 0,
  content_tries INTEGER NOT NULL DEFAULT 0,
  content_type TEXT,
  content_bytes BIGINT,
  content_sha256 TEXT,
  content_expires_at BIGINT,
  claimed_by TEXT,
  claim_until BIGINT,
  version INTEGER NOT NULL DEFAULT 0,
  CHECK ((finished_at IS NULL) = (next_poll_at IS NOT NULL)),
  CHECK ((status = 'completed') = (content_bytes IS NOT NULL))
) STRICT;

CREATE INDEX media_jobs_by_project ON media_jobs (project_id, job_id);

CREATE INDEX media_jobs_due ON media_jobs (next_poll_at) WHERE next_poll_at IS NOT NULL;

-- Finds the projects whose turn it is to be polled, one step for each.
CREATE INDEX media_jobs_turns ON media_jobs (provider, project_id, next_poll_at) WHERE next_poll_at IS NOT NULL;

-- A provider that responds with the id of another job must not hand its clip to another project.
CREATE UNIQUE INDEX media_jobs_by_provider_id ON media_jobs (provider, provider_id) WHERE provider_id IS NOT NULL;

-- What happened to a project, written in the commit of what happened. `due_at` is when the event is passed to its subscribers,
-- null once it was; 0 is at once. `seq` is never used twice, because `projects.events_read_to` refers to it.
CREATE TABLE events (
  seq BIGINT {sqlite:PRIMARY KEY AUTOINCREMENT}{postgres:GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY},
  event_id TEXT NOT NULL UNIQUE,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  type TEXT NOT NULL,
  happened_at BIGINT NOT NULL,
  data TEXT NOT NULL,
  due_at BIGINT DEFAULT 0
) STRICT;

CREATE INDEX events_by_project ON events (project_id, seq);

CREATE INDEX events_by_type ON events (project_id, type, seq);

CREATE INDEX events_due ON events (due_at, seq) WHERE due_at IS NOT NULL;

-- Endpoints that events are sent to. `sealed` holds the secrets. `next_attempt_at` is when the webhook is due next, null if
-- nothing waits; while an instance sends to it, it is the end of that claim. So there is one delivery at a time per webhook.
-- `served_at`: the last claim.
CREATE TABLE webhooks (
  webhook_id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  url TEXT NOT NULL,
  types TEXT NOT NULL,
  sealed TEXT NOT NULL,
  key_version TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('enabled', 'disabled')),
  disabled_reason TEXT,
  disabled_at BIGINT,
  created_at BIGINT NOT NULL,
  next_attempt_at BIGINT,
  claimed_by TEXT,
  served_at BIGINT
) STRICT;

CREATE INDEX webhooks_by_project ON webhooks (project_id, webhook_id);

CREATE INDEX webhooks_by_next_attempt ON webhooks (next_attempt_at) WHERE state = 'enabled';

-- An event on its way to one webhook. `is_holding`: later deliveries of the webhook wait for it.
CREATE TABLE webhook_deliveries (
  delivery_id TEXT NOT NULL PRIMARY KEY,
  webhook_id TEXT NOT NULL REFERENCES webhooks (webhook_id),
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  body TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('waiting', 'delivered', 'failed')),
  is_holding INTEGER NOT NULL CHECK (is_holding IN (0, 1)),
  attempts INTEGER NOT NULL CHECK (attempts >= 0),
  created_at BIGINT NOT NULL,
  first_attempt_at BIGINT,
  last_attempt_at BIGINT,
  next_attempt_at BIGINT,
  answer_status INTEGER,
  answer_ms INTEGER,
  fault TEXT,
  answer_body TEXT
) STRICT;

CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, delivery_id);

CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, is_holding, delivery_id) WHERE status = 'waiting';

-- Which events a payer is notified about by email and SMS, separated by spaces. A project without a row has the defaults.
CREATE TABLE alert_settings (
  project_id TEXT NOT NULL PRIMARY KEY REFERENCES projects (project_id),
  email_types TEXT NOT NULL,
  sms_types TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Grants, withdrawals and refunds that wait for a second operator, and what was decided about them. `subject` is what is
-- decided, `subject_id` the refund that it is about.
CREATE TABLE approvals (
  approval_id TEXT NOT NULL PRIMARY KEY,
  subject TEXT NOT NULL CHECK (subject IN ('movement', 'refund', 'refund_decision')),
  subject_id TEXT,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  kind TEXT NOT NULL CHECK (kind IN ('grant', 'withdraw')),
  amount BIGINT NOT NULL CHECK (amount > 0),
  reference TEXT NOT NULL,
  reference_key TEXT NOT NULL,
  reason TEXT NOT NULL,
  requested_by TEXT NOT NULL,
  requested_via TEXT NOT NULL CHECK (requested_via IN ('web', 'command line')),
  requested_at BIGINT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'rejected')),
  decided_by TEXT,
  decided_at BIGINT,
  CHECK ((subject = 'movement') = (subject_id IS NULL)),
  CHECK ((state = 'pending') = (decided_at IS NULL)),
  CHECK ((state = 'pending') = (decided_by IS NULL))
) STRICT;

-- One request per reference; a rejected one may be made again.
CREATE UNIQUE INDEX approvals_by_reference ON approvals (project_id, kind, reference) WHERE state <> 'rejected';

CREATE INDEX approvals_by_state ON approvals (state, approval_id);

CREATE INDEX approvals_by_subject ON approvals (subject, subject_id) WHERE subject_id IS NOT NULL;

CREATE INDEX approvals_by_reference_key ON approvals (kind, reference_key) WHERE state = 'pending';

-- What an operator granted or withdrew: the external reference of a ledger entry. `entry_id` has no foreign key, so
-- that SQLite can rebuild the ledger; reconcile checks it.
CREATE TABLE operator_movements (
  movement_id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  kind TEXT NOT NULL CHECK (kind IN ('grant', 'withdraw')),
  amount BIGINT NOT NULL CHECK (amount > 0),
  reference TEXT NOT NULL,
  reference_key TEXT NOT NULL,
  entry_id BIGINT NOT NULL UNIQUE,
  lot_id TEXT UNIQUE REFERENCES credit_lots (lot_id),
  approval_id TEXT UNIQUE REFERENCES approvals (approval_id),
  audit_id TEXT NOT NULL UNIQUE,
  moved_by TEXT NOT NULL,
  moved_at BIGINT NOT NULL,
  CHECK ((kind = 'grant') = (lot_id IS NOT NULL))
) STRICT;

-- The same bank transfer is never granted twice.
CREATE UNIQUE INDEX operator_movements_by_reference ON operator_movements (project_id, kind, reference);

-- The same one in another project or spelling.
CREATE INDEX operator_movements_by_reference_key ON operator_movements (kind, reference_key, moved_at);

-- What was moved in the last 24 hours without a second operator.
CREATE INDEX operator_movements_by_operator ON operator_movements (kind, moved_by, moved_at) WHERE approval_id IS NULL;

CREATE INDEX operator_movements_by_project ON operator_movements (kind, project_id, moved_at) WHERE approval_id IS NULL;

-- Every action of an operator, append-only. Each entry's hash covers the hash of the one before it.
CREATE TABLE audit_entries (
  seq BIGINT NOT NULL PRIMARY KEY CHECK (seq > 0),
  audit_id TEXT NOT NULL UNIQUE,
  acted_at BIGINT NOT NULL,
  acted_by TEXT NOT NULL,
  via TEXT NOT NULL CHECK (via IN ('web', 'command line')),
  action TEXT NOT NULL,
  object TEXT NOT NULL,
  reason TEXT NOT NULL,
  state_before TEXT,
  state_after TEXT,
  previous_hash TEXT NOT NULL,
  entry_hash TEXT NOT NULL
) STRICT;

CREATE INDEX audit_entries_by_time ON audit_entries (acted_at);

CREATE INDEX audit_entries_by_operator ON audit_entries (acted_by, seq);

CREATE INDEX audit_entries_by_action ON audit_entries (action, seq);

CREATE INDEX audit_entries_by_object ON audit_entries (object, seq);

-- @sqlite
CREATE TRIGGER refuse_audit_update BEFORE UPDATE ON audit_entries BEGIN
  SELECT RAISE(ABORT, 'audit entries are never changed');
END;

-- @sqlite
CREATE TRIGGER refuse_audit_delete BEFORE DELETE ON audit_entries BEGIN
  SELECT RAISE(ABORT, 'audit entries are never deleted');
END;

-- @postgres
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit entries are never changed or deleted';
END $$;

-- @postgres
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();

-- @postgres
CREATE TRIGGER refuse_truncate BEFORE TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- The end of the audit log, in one row: it shows when the last entries are missing, and locking it keeps one chain.
CREATE TABLE audit_head (
  head_id INTEGER NOT NULL PRIMARY KEY CHECK (head_id = 1),
  entries BIGINT NOT NULL CHECK (entries >= 0),
  last_hash TEXT NOT NULL
) STRICT;

INSERT INTO audit_head (head_id, entries, last_hash) VALUES (1, 0, '');

-- People who operate the gateway.
CREATE TABLE operators (
  name TEXT NOT NULL PRIMARY KEY,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'support', 'treasurer', 'admin')),
  password_digest TEXT NOT NULL,
  must_change_password INTEGER NOT NULL CHECK (must_change_password IN (0, 1)),
  totp_sealed TEXT NOT NULL,
  totp_key_version TEXT NOT NULL,
  last_totp_step BIGINT,
  totp_enrolled INTEGER NOT NULL CHECK (totp_enrolled IN (0, 1)),
  totp_failures INTEGER NOT NULL CHECK (totp_failures >= 0),
  credentials_by TEXT,
  credentials_at BIGINT NOT NULL,
  awaits_approval INTEGER NOT NULL CHECK (awaits_approval IN (0, 1)),
  created_at BIGINT NOT NULL,
  disabled_at BIGINT
) STRICT;

-- Failed sign-ins of the current hour, summed up so that strangers cannot fill the audit log.
CREATE TABLE sign_in_failures (
  name TEXT NOT NULL,
  reason TEXT NOT NULL,
  attempts BIGINT NOT NULL CHECK (attempts > 0),
  first_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  PRIMARY KEY (name, reason)
) STRICT;

-- Signed-in browsers of operators. The local administrator of a loopback origin is not in `operators`.
CREATE TABLE operator_sessions (
  session_digest TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  is_local INTEGER NOT NULL CHECK (is_local IN (0, 1)),
  csrf_digest TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
) STRICT;

CREATE INDEX operator_sessions_by_name ON operator_sessions (name);

CREATE INDEX operator_sessions_by_expiry ON operator_sessions (expires_at);

-- Providers that an operator took out of service, on all instances.
CREATE TABLE provider_switches (
  provider TEXT NOT NULL PRIMARY KEY,
  is_out INTEGER NOT NULL CHECK (is_out IN (0, 1)),
  changed_by TEXT NOT NULL,
  changed_at BIGINT NOT NULL
) STRICT;

-- Reconciliations that were run, with their results.
CREATE TABLE reconcile_runs (
  run_id TEXT NOT NULL PRIMARY KEY,
  started_by TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  finished_at BIGINT,
  is_sound INTEGER CHECK (is_sound IN (0, 1)),
  report TEXT
) STRICT;

-- Old ended charges and ledger entries are moved to archive files. What the files hold is summed up here and below, so that the
-- proof of the books goes on without them. One row is a project's ledger as it stood after the last entry that was archived; the
-- entries in the store follow that one. `charges` and `lots` count the archived charges and the archived entries of credit lots.
-- `archived_until` is the latest time of an archived entry.
CREATE TABLE closing_balances (
  project_id TEXT NOT NULL PRIMARY KEY REFERENCES projects (project_id),
  last_entry_id BIGINT NOT NULL,
  entries BIGINT NOT NULL CHECK (entries > 0),
  available BIGINT NOT NULL CHECK (available >= 0),
  reserved BIGINT NOT NULL CHECK (reserved >= 0),
  settled BIGINT NOT NULL CHECK (settled >= 0),
  credited BIGINT NOT NULL CHECK (credited >= 0),
  granted BIGINT NOT NULL CHECK (granted >= 0),
  withdrawn BIGINT NOT NULL CHECK (withdrawn >= 0),
  charges BIGINT NOT NULL CHECK (charges >= 0),
  lots BIGINT NOT NULL CHECK (lots >= 0),
  archived_until BIGINT NOT NULL,
  CHECK (available + reserved + settled = credited)
) STRICT, WITHOUT ROWID;

-- One row per archive file. Only its first `bytes` bytes count, and `sha256` is theirs: a longer file was left by a crash.
CREATE TABLE archive_files (
  file_name TEXT NOT NULL PRIMARY KEY,
  month TEXT NOT NULL,
  part INTEGER NOT NULL CHECK (part > 0),
  bytes BIGINT NOT NULL CHECK (bytes > 0),
  sha256 TEXT NOT NULL,
  entries BIGINT NOT NULL CHECK (entries > 0),
  charges BIGINT NOT NULL CHECK (charges >= 0),
  host TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  changed_at BIGINT NOT NULL
) STRICT;

CREATE UNIQUE INDEX archive_files_by_month ON archive_files (month, part);

-- What archived charges took from a period that their budget remembered when they were archived.
CREATE TABLE archived_spending (
  budget_id TEXT NOT NULL REFERENCES key_budgets (budget_id),
  budget_period BIGINT NOT NULL,
  credits BIGINT NOT NULL CHECK (credits > 0),
  PRIMARY KEY (budget_id, budget_period)
) STRICT, WITHOUT ROWID;

-- Idempotency-Keys of archived charges. They are kept for `charges.resultDays` more, so that a call that is repeated late is not
-- charged again.
CREATE TABLE archived_idempotency_keys (
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  idempotency_digest TEXT NOT NULL,
  archived_at BIGINT NOT NULL,
  PRIMARY KEY (project_id, idempotency_digest)
) STRICT, WITHOUT ROWID;

CREATE INDEX archived_idempotency_keys_by_time ON archived_idempotency_keys (archived_at);

-- One row: who archives, because only one program does at a time. A claim expires.
CREATE TABLE archive_claim (
  claim_id INTEGER NOT NULL PRIMARY KEY CHECK (claim_id = 1),
  claimed_by TEXT,
  claim_until BIGINT NOT NULL
) STRICT;

INSERT INTO archive_claim (claim_id, claimed_by, claim_until) VALUES (1, NULL, 0);

-- Where archived charges are: a page is a gzip member of an archive file.
CREATE TABLE archive_pages (
  page_id BIGINT NOT NULL PRIMARY KEY,
  file_name TEXT NOT NULL,
  start_byte BIGINT NOT NULL CHECK (start_byte >= 0),
  bytes BIGINT NOT NULL CHECK (bytes > 0)
) STRICT, WITHOUT ROWID;

-- The charges and credit lots with entries in a page.
CREATE TABLE archived_subjects (
  subject_id TEXT NOT NULL,
  page_id BIGINT NOT NULL,
  PRIMARY KEY (subject_id, page_id)
) STRICT, WITHOUT ROWID;

-- The entries of one project in a page.
CREATE TABLE archived_slices (
  project_id TEXT NOT NULL,
  first_seq BIGINT NOT NULL,
  last_seq BIGINT NOT NULL,
  latest_at BIGINT NOT NULL,
  page_id BIGINT NOT NULL,
  PRIMARY KEY (project_id, first_seq)
) STRICT, WITHOUT ROWID;

-- Keys that sign receipts and checkpoints, sealed. Number 0 is the key of the salts; the signing keys count from 1.
CREATE TABLE signing_keys (
  key_id TEXT NOT NULL PRIMARY KEY,
  number BIGINT NOT NULL UNIQUE CHECK (number >= 0),
  public_key TEXT NOT NULL,
  sealed TEXT NOT NULL,
  key_version TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  ends_at BIGINT
) STRICT, WITHOUT ROWID;

-- A tree of the ledger; it is only appended to. `refused` is a checkpoint that an instance kept and the log contradicts; `cosigned`
-- is the newest one that a witness signed.
CREATE TABLE transparency_logs (
  log_number BIGINT NOT NULL PRIMARY KEY CHECK (log_number > 0),
  started_at BIGINT NOT NULL,
  size BIGINT NOT NULL CHECK (size >= 0),
  last_entry_id BIGINT NOT NULL,
  checkpoint TEXT,
  signed_at BIGINT NOT NULL,
  audit_day BIGINT NOT NULL,
  refused TEXT,
  claimed_by TEXT,
  claim_until BIGINT NOT NULL,
  cosigned TEXT
) STRICT, WITHOUT ROWID;

-- A leaf is a ledger entry, or a text of its own (`body`).
CREATE TABLE transparency_leaves (
  log_number BIGINT NOT NULL REFERENCES transparency_logs (log_number),
  leaf_index BIGINT NOT NULL CHECK (leaf_index >= 0),
  entry_id BIGINT,
  salt TEXT NOT NULL,
  body TEXT,
  PRIMARY KEY (log_number, leaf_index),
  CHECK ((entry_id IS NULL) <> (body IS NULL))
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX transparency_leaves_by_entry ON transparency_leaves (entry_id, log_number) WHERE entry_id IS NOT NULL;

CREATE INDEX transparency_leaves_with_body ON transparency_leaves (log_number, leaf_index) WHERE body IS NOT NULL;

-- Hashes of one level of a tree; a tile grows until it has 256.
CREATE TABLE transparency_tiles (
  log_number BIGINT NOT NULL REFERENCES transparency_logs (log_number),
  level BIGINT NOT NULL CHECK (level >= 0),
  tile_index BIGINT NOT NULL CHECK (tile_index >= 0),
  hashes TEXT NOT NULL,
  PRIMARY KEY (log_number, level, tile_index)
) STRICT, WITHOUT ROWID;

-- How many entries of a project are in a tree, and the day on which it was last sent a checkpoint.
CREATE TABLE transparency_progress (
  log_number BIGINT NOT NULL REFERENCES transparency_logs (log_number),
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  entries BIGINT NOT NULL CHECK (entries > 0),
  told_day BIGINT NOT NULL,
  PRIMARY KEY (log_number, project_id)
) STRICT, WITHOUT ROWID;

-- What one instance asked of a provider in an hour, by outcome and by latency.
CREATE TABLE provider_hours (
  provider TEXT NOT NULL,
  hour BIGINT NOT NULL,
  confirmed BIGINT NOT NULL,
  rejected BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  uncertain BIGINT NOT NULL,
  latencies TEXT NOT NULL,
  instance_id TEXT NOT NULL,
  PRIMARY KEY (hour, provider, instance_id)
) STRICT, WITHOUT ROWID;

-- Leases of running gateways; empty on SQLite, which has a single instance. When one expires, another gateway recovers that
-- instance's charges. `known_version` is the newest
-- migration that the program knows, `needed_version` the newest that it needs; `process` is host name and process id.
CREATE TABLE instances (
  instance_id TEXT NOT NULL PRIMARY KEY,
  started_at BIGINT NOT NULL,
  lease_until BIGINT NOT NULL,
  known_version INTEGER NOT NULL,
  needed_version INTEGER NOT NULL,
  process TEXT NOT NULL
) STRICT;

-- @sqlite
-- Charges in review. INDEXED BY, because the planner would otherwise read all charges of a project.
CREATE VIEW reviewable_charges AS
SELECT project_id, charge_id, key_id, operation, credits, state, instance_id, leaves_process, request_id, reserved_at, ended_at, reason
FROM charges INDEXED BY charges_in_review WHERE state = 'manual_review';

-- @sqlite
-- Charges in progress.
CREATE VIEW reserved_charges AS
SELECT project_id, charge_id, key_id, operation, credits, state, instance_id, leaves_process, request_id, reserved_at, ended_at, reason
FROM charges INDEXED BY charges_reserved WHERE state = 'reserved';
