-- Where archived charges are: a page is a gzip member of an archive file, a slice the entries of one project in a page.
-- A subject is a charge or a credit lot with entries in that page.
CREATE TABLE archive_pages (
  page_id INTEGER NOT NULL PRIMARY KEY,
  file_name TEXT NOT NULL,
  start_byte INTEGER NOT NULL CHECK (start_byte >= 0),
  bytes INTEGER NOT NULL CHECK (bytes > 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE archived_subjects (
  subject_id TEXT NOT NULL,
  page_id INTEGER NOT NULL,
  PRIMARY KEY (subject_id, page_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE archived_slices (
  project_id TEXT NOT NULL,
  first_seq INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  latest_at INTEGER NOT NULL,
  page_id INTEGER NOT NULL,
  PRIMARY KEY (project_id, first_seq)
) STRICT, WITHOUT ROWID;
