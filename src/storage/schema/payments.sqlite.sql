-- Payments. payments.postgres.sql is the equivalent for PostgreSQL.

-- SQLite cannot change a CHECK, so the table of credit lots is written anew. Its references are checked at the end.
PRAGMA defer_foreign_keys = ON;

CREATE TABLE copied_credit_lots AS SELECT * FROM credit_lots;

DROP TABLE credit_lots;

CREATE TABLE credit_lots (
  lot_id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  order_id TEXT UNIQUE REFERENCES orders (order_id),
  kind TEXT NOT NULL CHECK (kind = 'simulated_prepaid' OR kind = 'operator_grant' OR kind = 'paid'),
  amount INTEGER NOT NULL CHECK (amount > 0),
  created_at INTEGER NOT NULL,
  reference TEXT UNIQUE,
  CHECK ((kind = 'operator_grant') = (order_id IS NULL)),
  CHECK ((kind = 'paid') = (reference IS NOT NULL))
) STRICT;

INSERT INTO credit_lots (lot_id, project_id, order_id, kind, amount, created_at)
SELECT lot_id, project_id, order_id, kind, amount, created_at FROM copied_credit_lots;

DROP TABLE copied_credit_lots;

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
  display TEXT NOT NULL CHECK (display = 'qr' OR display = 'redirect'),
  amount_fen INTEGER NOT NULL CHECK (amount_fen > 0),
  credits INTEGER NOT NULL CHECK (credits > 0),
  state TEXT NOT NULL CHECK (state = 'created' OR state = 'waiting' OR state = 'paid' OR state = 'expired' OR state = 'cancelled' OR state = 'failed' OR state = 'review'),
  qr_text TEXT,
  redirect_url TEXT,
  client_address TEXT,
  transaction_id TEXT,
  note TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  paid_at INTEGER,
  credited_at INTEGER,
  queries INTEGER NOT NULL CHECK (queries >= 0),
  failures INTEGER NOT NULL CHECK (failures >= 0),
  next_query_at INTEGER,
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
  received_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX payment_inbox_by_event ON payment_inbox (method, event_id);

CREATE INDEX payment_inbox_by_time ON payment_inbox (received_at);

-- A refund of a payment, by an operator. Its credits are held before the provider is asked.
CREATE TABLE payment_refunds (
  refund_id TEXT NOT NULL PRIMARY KEY,
  payment_id TEXT NOT NULL REFERENCES payments (payment_id),
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  lot_id TEXT NOT NULL REFERENCES credit_lots (lot_id),
  amount_fen INTEGER NOT NULL CHECK (amount_fen > 0),
  credits INTEGER NOT NULL CHECK (credits > 0),
  reference TEXT NOT NULL,
  reason TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state = 'waiting' OR state = 'held' OR state = 'pending' OR state = 'refunded' OR state = 'returned' OR state = 'review'),
  requested_by TEXT NOT NULL,
  requested_at INTEGER NOT NULL,
  approved_by TEXT,
  provider_refund_id TEXT,
  note TEXT,
  hold_entry_id INTEGER,
  end_entry_id INTEGER,
  ended_at INTEGER,
  failures INTEGER NOT NULL CHECK (failures >= 0),
  next_query_at INTEGER,
  claimed_by TEXT
) STRICT;

CREATE UNIQUE INDEX payment_refunds_by_reference ON payment_refunds (payment_id, reference);

CREATE INDEX payment_refunds_by_project ON payment_refunds (project_id, refund_id);

CREATE INDEX payment_refunds_by_next_query ON payment_refunds (next_query_at) WHERE next_query_at IS NOT NULL;

-- The last comparison of a day with the bill of a provider; `differences` is JSON.
CREATE TABLE payment_comparisons (
  bill_date TEXT NOT NULL,
  method TEXT NOT NULL,
  compared_at INTEGER NOT NULL,
  bill TEXT NOT NULL,
  payments INTEGER NOT NULL,
  amount_fen INTEGER NOT NULL,
  differences TEXT NOT NULL,
  open_differences INTEGER NOT NULL,
  PRIMARY KEY (bill_date, method)
) STRICT;

-- The records of the simulated payment provider, which knows nothing of the other tables.
CREATE TABLE simulated_trades (
  trade_id TEXT NOT NULL PRIMARY KEY,
  amount_fen INTEGER NOT NULL,
  currency TEXT NOT NULL,
  state TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- What was paid there, and paid back.
CREATE TABLE simulated_transactions (
  transaction_id TEXT NOT NULL PRIMARY KEY,
  trade_id TEXT NOT NULL REFERENCES simulated_trades (trade_id),
  kind TEXT NOT NULL,
  amount_fen INTEGER NOT NULL,
  currency TEXT NOT NULL,
  refund_id TEXT,
  happened_at INTEGER NOT NULL
) STRICT;

CREATE INDEX simulated_transactions_by_trade ON simulated_transactions (trade_id);

CREATE INDEX simulated_transactions_by_time ON simulated_transactions (happened_at);
