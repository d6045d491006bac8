-- Where archived charges are: a page is a gzip member of an archive file, a slice the entries of one project in a page.
-- A subject is a charge or a credit lot with entries in that page.
CREATE TABLE archive_pages (
  page_id BIGINT NOT NULL PRIMARY KEY,
  file_name TEXT COLLATE "C" NOT NULL,
  start_byte BIGINT NOT NULL CHECK (start_byte >= 0),
  bytes BIGINT NOT NULL CHECK (bytes > 0)
);

CREATE TABLE archived_subjects (
  subject_id TEXT COLLATE "C" NOT NULL,
  page_id BIGINT NOT NULL,
  PRIMARY KEY (subject_id, page_id)
);

CREATE TABLE archived_slices (
  project_id TEXT COLLATE "C" NOT NULL,
  first_seq BIGINT NOT NULL,
  last_seq BIGINT NOT NULL,
  latest_at BIGINT NOT NULL,
  page_id BIGINT NOT NULL,
  PRIMARY KEY (project_id, first_seq)
);
