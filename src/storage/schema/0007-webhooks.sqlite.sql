-- Webhooks and what is sent to them.

-- `sealed` holds the secrets. `next_attempt_at` is when the webhook is due next, null if nothing waits; while an instance
-- sends to it, it is the end of that claim. So there is one delivery at a time for each webhook.
CREATE TABLE webhooks (
  webhook_id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  url TEXT NOT NULL,
  types TEXT NOT NULL,
  sealed TEXT NOT NULL,
  key_version TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state = 'enabled' OR state = 'disabled'),
  disabled_reason TEXT,
  disabled_at INTEGER,
  created_at INTEGER NOT NULL,
  next_attempt_at INTEGER,
  claimed_by TEXT
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
  status TEXT NOT NULL CHECK (status = 'waiting' OR status = 'delivered' OR status = 'failed'),
  is_holding INTEGER NOT NULL CHECK (is_holding IN (0, 1)),
  attempts INTEGER NOT NULL CHECK (attempts >= 0),
  created_at INTEGER NOT NULL,
  first_attempt_at INTEGER,
  last_attempt_at INTEGER,
  next_attempt_at INTEGER,
  answer_status INTEGER,
  answer_ms INTEGER,
  fault TEXT
) STRICT;

CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, delivery_id);

CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, is_holding, delivery_id) WHERE status = 'waiting';
