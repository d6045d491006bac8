-- Old ended charges and ledger entries are moved to archive files. What the files hold is summed up here, so that the proof of
-- the books goes on without them.

-- A project's ledger as it stood after the last entry that was archived; the entries in the store follow that one. `charges` and
-- `lots` count the archived charges and the archived entries of credit lots. `archived_until` is the latest time of an archived entry.
CREATE TABLE closing_balances (
  project_id TEXT COLLATE "C" NOT NULL PRIMARY KEY REFERENCES projects (project_id),
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
);

-- One row per archive file. Only its first `bytes` bytes count, and `sha256` is theirs: a longer file was left by a crash.
CREATE TABLE archive_files (
  file_name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  month TEXT COLLATE "C" NOT NULL,
  part INTEGER NOT NULL CHECK (part > 0),
  bytes BIGINT NOT NULL CHECK (bytes > 0),
  sha256 TEXT COLLATE "C" NOT NULL,
  entries BIGINT NOT NULL CHECK (entries > 0),
  charges BIGINT NOT NULL CHECK (charges >= 0),
  host TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  changed_at BIGINT NOT NULL
);

CREATE UNIQUE INDEX archive_files_by_month ON archive_files (month, part);

-- What archived charges took from the period of a budget that was current when they were archived.
CREATE TABLE archived_spending (
  budget_id TEXT COLLATE "C" NOT NULL REFERENCES key_budgets (budget_id),
  budget_period BIGINT NOT NULL,
  credits BIGINT NOT NULL CHECK (credits > 0),
  PRIMARY KEY (budget_id, budget_period)
);

-- One row: who archives, because only one program does at a time. A claim ends by itself.
CREATE TABLE archive_claim (
  claim_id INTEGER NOT NULL PRIMARY KEY CHECK (claim_id = 1),
  claimed_by TEXT COLLATE "C",
  claim_until BIGINT NOT NULL
);

INSERT INTO archive_claim (claim_id, claimed_by, claim_until) VALUES (1, NULL, 0);

-- A charge may now be deleted, but only after everything that refers to it.
CREATE FUNCTION refuse_loss_of_charge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM ledger_entries e WHERE e.charge_id = OLD.charge_id)
    OR EXISTS (SELECT FROM charge_responses r WHERE r.charge_id = OLD.charge_id) THEN
    RAISE foreign_key_violation USING TABLE = 'charges',
      MESSAGE = 'foreign keys refer to this row of charges: it cannot be deleted';
  END IF;
  RETURN OLD;
END $$;

CREATE OR REPLACE TRIGGER refuse_delete BEFORE DELETE ON charges FOR EACH ROW EXECUTE FUNCTION refuse_loss_of_charge();
