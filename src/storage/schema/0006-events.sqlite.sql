-- Events: what happened to a project, written in the commit of what happened.

-- `due_at` is when the event is passed to its subscribers, null once it was; 0 is at once. `seq` is never used twice, because
-- `projects.events_read_to` refers to it.
CREATE TABLE events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  event_id TEXT NOT NULL UNIQUE,
  project_id TEXT NOT NULL REFERENCES projects (project_id),
  type TEXT NOT NULL,
  happened_at INTEGER NOT NULL,
  data TEXT NOT NULL,
  due_at INTEGER DEFAULT 0
) STRICT;

CREATE INDEX events_by_project ON events (project_id, seq);

CREATE INDEX events_due ON events (due_at, seq) WHERE due_at IS NOT NULL;

-- The last event that the payer has marked as read.
ALTER TABLE projects ADD COLUMN events_read_to INTEGER NOT NULL DEFAULT 0;

-- Available credits below which an event is raised: null for the default, 0 for never.
ALTER TABLE balances ADD COLUMN low_balance_credits INTEGER CHECK (low_balance_credits >= 0);

-- The first call since the last credit that was refused for want of credits.
ALTER TABLE balances ADD COLUMN empty_at INTEGER;

-- When the payer is told next that the key expires; null for never.
ALTER TABLE api_keys ADD COLUMN expiry_warning_at INTEGER;

UPDATE api_keys SET expiry_warning_at = expires_at - 604800000 WHERE expires_at IS NOT NULL AND revoked_at IS NULL;

CREATE INDEX api_keys_by_expiry_warning ON api_keys (expiry_warning_at) WHERE expiry_warning_at IS NOT NULL;
