-- Media jobs: one row per job, written in the same commit as its charge and ended in the same commit as its charge.

-- Who holds the claim polls the job; a claim ends by itself. `version` changes with every write of a poll, which compares it
-- first. `next_poll_at` is null once the job has ended. `misses` counts answers that do not know the job, `silences` looks
-- without an answer. `instance_id` is the instance that submits it: while that one lives, nobody else asks about the submission.
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
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  finished_at INTEGER,
  deadline_at INTEGER NOT NULL,
  cancel_requested_at INTEGER,
  next_poll_at INTEGER,
  polls INTEGER NOT NULL DEFAULT 0,
  misses INTEGER NOT NULL DEFAULT 0,
  silences INTEGER NOT NULL DEFAULT 0,
  content_tries INTEGER NOT NULL DEFAULT 0,
  content_type TEXT,
  content_bytes INTEGER,
  content_sha256 TEXT,
  content_expires_at INTEGER,
  claimed_by TEXT,
  claim_until INTEGER,
  version INTEGER NOT NULL DEFAULT 0,
  CHECK ((finished_at IS NULL) = (next_poll_at IS NOT NULL)),
  CHECK ((status = 'completed') = (content_bytes IS NOT NULL))
) STRICT;

CREATE INDEX media_jobs_by_project ON media_jobs (project_id, job_id);

CREATE INDEX media_jobs_due ON media_jobs (next_poll_at) WHERE next_poll_at IS NOT NULL;

CREATE INDEX media_jobs_by_provider_id ON media_jobs (provider, provider_id) WHERE next_poll_at IS NOT NULL;
