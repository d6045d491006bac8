-- Payments. payments.sqlite.sql is the equivalent for SQLite, which says more about the tables.

ALTER TABLE credit_lots ADD COLUMN reference TEXT COLLATE "C" UNIQUE;

ALTER TABLE credit_lots DROP CONSTRAINT credit_lots_kind_check;

ALTER TABLE credit_lots ADD CONSTRAINT credit_lots_kind_check CHECK (kind IN ('simulated_prepaid', 'operator_grant', 'paid'));

ALTER TABLE credit_lots ADD CONSTRAINT credit_lots_reference_check CHECK ((kind = 'paid') = (reference IS NOT NULL));

CREATE TABLE payments (
  payment_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (project_id),
  order_id TEXT COLLATE "C" NOT NULL UNIQUE REFERENCES orders (order_id),
  idempotency_digest TEXT COLLATE "C" NOT NULL,
  method TEXT COLLATE "C" NOT NULL,
  display TEXT COLLATE "C" NOT NULL CHECK (display IN ('qr', 'redirect')),
  amount_fen BIGINT NOT NULL CHECK (amount_fen > 0),
  credits BIGINT NOT NULL CHECK (credits > 0),
  state TEXT COLLATE "C" NOT NULL CHECK (state IN ('created', 'waiting', 'paid', 'expired', 'cancelled', 'failed', 'review')),
  qr_text TEXT COLLATE "C",
  redirect_url TEXT COLLATE "C",
  client_address TEXT COLLATE "C",
  transaction_id TEXT COLLATE "C",
  note TEXT COLLATE "C",
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  paid_at BIGINT,
  credited_at BIGINT,
  queries BIGINT NOT NULL CHECK (queries >= 0),
  failures BIGINT NOT NULL CHECK (failures >= 0),
  next_query_at BIGINT,
  claimed_by TEXT COLLATE "C",
  CHECK ((state = 'paid') = (credited_at IS NOT NULL))
);

CREATE UNIQUE INDEX payments_by_idempotency ON payments (project_id, idempotency_digest);

CREATE INDEX payments_by_project ON payments (project_id, payment_id);

CREATE INDEX payments_by_next_query ON payments (next_query_at) WHERE next_query_at IS NOT NULL;

CREATE INDEX payments_by_state ON payments (state, payment_id);

CREATE INDEX payments_by_time ON payments (method, paid_at);

CREATE TABLE payment_inbox (
  inbox_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  method TEXT COLLATE "C" NOT NULL,
  event_id TEXT COLLATE "C" NOT NULL,
  payment_id TEXT COLLATE "C",
  sealed TEXT COLLATE "C" NOT NULL,
  key_version TEXT COLLATE "C" NOT NULL,
  received_at BIGINT NOT NULL
);

CREATE UNIQUE INDEX payment_inbox_by_event ON payment_inbox (method, event_id);

CREATE INDEX payment_inbox_by_time ON payment_inbox (received_at);

CREATE TABLE payment_refunds (
  refund_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  payment_id TEXT COLLATE "C" NOT NULL REFERENCES payments (payment_id),
  project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (project_id),
  lot_id TEXT COLLATE "C" NOT NULL REFERENCES credit_lots (lot_id),
  amount_fen BIGINT NOT NULL CHECK (amount_fen > 0),
  credits BIGINT NOT NULL CHECK (credits > 0),
  reference TEXT COLLATE "C" NOT NULL,
  reason TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL CHECK (state IN ('waiting', 'held', 'pending', 'refunded', 'returned', 'review')),
  requested_by TEXT COLLATE "C" NOT NULL,
  requested_at BIGINT NOT NULL,
  approved_by TEXT COLLATE "C",
  provider_refund_id TEXT COLLATE "C",
  note TEXT COLLATE "C",
  hold_entry_id BIGINT,
  end_entry_id BIGINT,
  ended_at BIGINT,
  failures BIGINT NOT NULL CHECK (failures >= 0),
  next_query_at BIGINT,
  claimed_by TEXT COLLATE "C"
);

CREATE UNIQUE INDEX payment_refunds_by_reference ON payment_refunds (payment_id, reference);

CREATE INDEX payment_refunds_by_project ON payment_refunds (project_id, refund_id);

CREATE INDEX payment_refunds_by_next_query ON payment_refunds (next_query_at) WHERE next_query_at IS NOT NULL;

CREATE TABLE payment_comparisons (
  bill_date TEXT COLLATE "C" NOT NULL,
  method TEXT COLLATE "C" NOT NULL,
  compared_at BIGINT NOT NULL,
  bill TEXT COLLATE "C" NOT NULL,
  payments BIGINT NOT NULL,
  amount_fen BIGINT NOT NULL,
  differences TEXT COLLATE "C" NOT NULL,
  open_differences BIGINT NOT NULL,
  PRIMARY KEY (bill_date, method)
);

CREATE TABLE simulated_trades (
  trade_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  amount_fen BIGINT NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  expires_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE TABLE simulated_transactions (
  transaction_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  trade_id TEXT COLLATE "C" NOT NULL REFERENCES simulated_trades (trade_id),
  kind TEXT COLLATE "C" NOT NULL,
  amount_fen BIGINT NOT NULL,
  currency TEXT COLLATE "C" NOT NULL,
  refund_id TEXT COLLATE "C",
  happened_at BIGINT NOT NULL
);

CREATE INDEX simulated_transactions_by_trade ON simulated_transactions (trade_id);

CREATE INDEX simulated_transactions_by_time ON simulated_transactions (happened_at);

-- What a batch of the ledger writes (src/storage/batch/payment-writes.ts).
CREATE TYPE paid_lot_row AS (
  lot_id text, project_id text, order_id text, kind text, amount bigint, created_at bigint, reference text
);

CREATE TYPE payment_credit_row AS (
  payment_id text, state text, transaction_id text, note text, paid_at bigint, credited_at bigint, client_address text,
  next_query_at bigint, claimed_by text
);

CREATE TYPE refund_hold_row AS (
  refund_id text, state text, hold_entry_id bigint, next_query_at bigint, approved_by text
);

CREATE TYPE refund_end_row AS (
  refund_id text, state text, provider_refund_id text, end_entry_id bigint, ended_at bigint, next_query_at bigint, claimed_by text
);
