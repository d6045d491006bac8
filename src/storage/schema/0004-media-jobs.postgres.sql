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
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  finished_at BIGINT,
  deadline_at BIGINT NOT NULL,
  cancel_requested_at BIGINT,
  next_poll_at BIGINT,
  polls INTEGER NOT NULL DEFAULT 0,
  misses INTEGER NOT NULL DEFAULT 0,
  silences INTEGER NOT NULL DEFAULT 0,
  content_tries INTEGER NOT NULL DEFAULT 0,
  content_type TEXT,
  content_bytes BIGINT,
  content_sha256 TEXT,
  content_expires_at BIGINT,
  claimed_by TEXT,
  claim_until BIGINT,
  version INTEGER NOT NULL DEFAULT 0,
  CHECK ((finished_at IS NULL) = (next_poll_at IS NOT NULL)),
  CHECK ((status = 'completed') = (content_bytes IS NOT NULL))
);

CREATE INDEX media_jobs_by_project ON media_jobs (project_id, job_id);

CREATE INDEX media_jobs_due ON media_jobs (next_poll_at) WHERE next_poll_at IS NOT NULL;

CREATE INDEX media_jobs_by_provider_id ON media_jobs (provider, provider_id) WHERE next_poll_at IS NOT NULL;

-- A batch sends its rows as arrays of these types (src/storage/books/book-writes.ts declares the columns).
CREATE TYPE media_job_row AS (
  job_id text, project_id text, charge_id text, instance_id text, provider text, prompt text, seconds int, size text,
  test_only int, status text, created_at bigint, updated_at bigint, deadline_at bigint, next_poll_at bigint
);

CREATE TYPE media_job_change_row AS (
  job_id text, status text, provider_id text, progress int, updated_at bigint, next_poll_at bigint, version int
);

CREATE TYPE media_job_end_row AS (
  job_id text, status text, progress int, error_code text, updated_at bigint, finished_at bigint, next_poll_at bigint,
  content_type text, content_bytes bigint, content_sha256 text, content_expires_at bigint, claimed_by text,
  claim_until bigint, version int
);
