-- Sealed contacts, codes for several purposes, and the outbox of messages.

-- The secrets that digests and sealed values of this store were made with. The check value is derived from the secret, so a
-- gateway with another secret is found out before it registers anybody twice.
CREATE TABLE secret_versions (
  key_version TEXT NOT NULL PRIMARY KEY,
  check_value TEXT NOT NULL,
  first_used_at BIGINT NOT NULL
);

-- A sealed contact can be written to. Null: the account is older than this column and its owner has not signed in since.
ALTER TABLE accounts ADD COLUMN recovery_email_sealed TEXT;

ALTER TABLE accounts ADD COLUMN recovery_email_key_version TEXT;

ALTER TABLE identities ADD COLUMN phone_sealed TEXT;

ALTER TABLE identities ADD COLUMN phone_key_version TEXT;

-- What a code is good for. Codes of an account end with its password or its contact; registration has no account yet.
ALTER TABLE challenges RENAME COLUMN phone_digest TO contact_digest;

ALTER TABLE challenges ADD COLUMN purpose TEXT NOT NULL DEFAULT 'registration'
  CHECK (purpose = 'registration' OR purpose = 'email_verification' OR purpose = 'recovery');

ALTER TABLE challenges ADD COLUMN account_id TEXT REFERENCES accounts (account_id);

DROP INDEX challenges_by_phone;

CREATE INDEX challenges_by_contact ON challenges (contact_digest, purpose, issued_at);

CREATE INDEX challenges_by_account ON challenges (account_id) WHERE account_id IS NOT NULL;

-- Addresses that an account has signed in from, as digests: a sign-in from another one sends a notice.
CREATE TABLE account_requesters (
  account_id TEXT NOT NULL REFERENCES accounts (account_id),
  requester_digest TEXT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, requester_digest)
);

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
);

CREATE INDEX messages_by_next_attempt ON messages (next_attempt_at);
