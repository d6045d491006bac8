-- Old ended charges and ledger entries are moved to archive files. What the files hold is summed up here, so that the proof of
-- the books goes on without them.

-- A project's ledger as it stood after the last entry that was archived; the entries in the store follow that one. `charges` and
-- `lots` count the archived charges and the archived entries of credit lots. `archived_until` is the latest time of an archived entry.
CREATE TABLE closing_balances (
  project_id TEXT NOT NULL PRIMARY KEY REFERENCES projects (project_id),
  last_entry_id INTEGER NOT NULL,
  entries INTEGER NOT NULL CHECK (entries > 0),
  available INTEGER NOT NULL CHECK (available >= 0),
  reserved INTEGER NOT NULL CHECK (reserved >= 0),
  settled INTEGER NOT NULL CHECK (settled >= 0),
  credited INTEGER NOT NULL CHECK (credited >= 0),
  granted INTEGER NOT NULL CHECK (granted >= 0),
  withdrawn INTEGER NOT NULL CHECK (withdrawn >= 0),
  charges INTEGER NOT NULL CHECK (charges >= 0),
  lots INTEGER NOT NULL CHECK (lots >= 0),
  archived_until INTEGER NOT NULL,
  CHECK (available + reserved + settled = credited)
) STRICT, WITHOUT ROWID;

-- One row per archive file. Only its first `bytes` bytes count, and `sha256` is theirs: a longer file was left by a crash.
CREATE TABLE archive_files (
  file_name TEXT NOT NULL PRIMARY KEY,
  month TEXT NOT NULL,
  part INTEGER NOT NULL CHECK (part > 0),
  bytes INTEGER NOT NULL CHECK (bytes > 0),
  sha256 TEXT NOT NULL,
  entries INTEGER NOT NULL CHECK (entries > 0),
  charges INTEGER NOT NULL CHECK (charges >= 0),
  host TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX archive_files_by_month ON archive_files (month, part);

-- What archived charges took from the period of a budget that was current when they were archived.
CREATE TABLE archived_spending (
  budget_id TEXT NOT NULL REFERENCES key_budgets (budget_id),
  budget_period INTEGER NOT NULL,
  credits INTEGER NOT NULL CHECK (credits > 0),
  PRIMARY KEY (budget_id, budget_period)
) STRICT, WITHOUT ROWID;

-- One row: who archives, because only one program does at a time. A claim ends by itself.
CREATE TABLE archive_claim (
  claim_id INTEGER NOT NULL PRIMARY KEY CHECK (claim_id = 1),
  claimed_by TEXT,
  claim_until INTEGER NOT NULL
) STRICT;

INSERT INTO archive_claim (claim_id, claimed_by, claim_until) VALUES (1, NULL, 0);
