-- What each project has spent: a copy of balances.settled that lags behind a little, because an index on the balance itself would
-- make every call slower.
CREATE INDEX accounts_by_creation ON accounts (created_at, account_id);

CREATE INDEX accounts_suspended ON accounts (suspended_at, account_id) WHERE suspended_at IS NOT NULL;

CREATE TABLE project_spending (
  project_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES projects (project_id),
  settled BIGINT NOT NULL CHECK (settled > 0)
);

CREATE INDEX project_spending_by_amount ON project_spending (settled, project_id);

-- What one instance asked of a provider in an hour, by outcome and by latency.
CREATE TABLE provider_hours (
  provider TEXT COLLATE "C" NOT NULL,
  hour BIGINT NOT NULL,
  confirmed BIGINT NOT NULL,
  rejected BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  uncertain BIGINT NOT NULL,
  latencies TEXT COLLATE "C" NOT NULL,
  instance_id TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (hour, provider, instance_id)
);
