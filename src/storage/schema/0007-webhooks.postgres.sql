-- Webhooks and what is sent to them.

-- `sealed` holds the secrets. `next_attempt_at` is when the webhook is due next, null if nothing waits; while an instance
-- sends to it, it is the end of that claim. So there is one delivery at a time for each webhook.
CREATE TABLE webhooks (
  webhook_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  project_id TEXT COLLATE "C" NOT NULL REFERENCES projects (project_id),
  url TEXT COLLATE "C" NOT NULL,
  types TEXT COLLATE "C" NOT NULL,
  sealed TEXT COLLATE "C" NOT NULL,
  key_version TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL CHECK (state IN ('enabled', 'disabled')),
  disabled_reason TEXT COLLATE "C",
  disabled_at BIGINT,
  created_at BIGINT NOT NULL,
  next_attempt_at BIGINT,
  claimed_by TEXT COLLATE "C"
);

CREATE INDEX webhooks_by_project ON webhooks (project_id, webhook_id);

CREATE INDEX webhooks_by_next_attempt ON webhooks (next_attempt_at) WHERE state = 'enabled';

-- An event on its way to one webhook. `is_holding`: later deliveries of the webhook wait for it.
CREATE TABLE webhook_deliveries (
  delivery_id TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  webhook_id TEXT COLLATE "C" NOT NULL REFERENCES webhooks (webhook_id),
  event_id TEXT COLLATE "C" NOT NULL,
  type TEXT COLLATE "C" NOT NULL,
  body TEXT COLLATE "C" NOT NULL,
  status TEXT COLLATE "C" NOT NULL CHECK (status IN ('waiting', 'delivered', 'failed')),
  is_holding INTEGER NOT NULL CHECK (is_holding IN (0, 1)),
  attempts INTEGER NOT NULL CHECK (attempts >= 0),
  created_at BIGINT NOT NULL,
  first_attempt_at BIGINT,
  last_attempt_at BIGINT,
  next_attempt_at BIGINT,
  answer_status INTEGER,
  answer_ms INTEGER,
  fault TEXT COLLATE "C"
);

CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, delivery_id);

CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, is_holding, delivery_id) WHERE status = 'waiting';
