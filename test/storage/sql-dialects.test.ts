import { expect, test } from 'vitest'
import { statementsFor } from '../../src/storage/schema/sql-dialects.ts'

const text = `-- A comment.
CREATE TABLE a (
  b TEXT NOT NULL PRIMARY KEY{sqlite: REFERENCES c (b)},
  d BIGINT CHECK (d IN (0, 1)),
  e INTEGER
){postgres: WITH (fillfactor = 50)} STRICT, WITHOUT ROWID;

-- @sqlite
-- Only there.
CREATE INDEX a_by_d ON a (d) WHERE d IN (0, 1);

-- @postgres
CREATE FUNCTION f() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN 'TEXT';
END $$;

INSERT INTO a (b) VALUES ('x');
`
const insert = "INSERT INTO a (b) VALUES ('x')"

test('one text yields the statements of SQLite', () => {
  expect(statementsFor('sqlite', text)).toEqual([
    `CREATE TABLE a (
  b TEXT NOT NULL PRIMARY KEY REFERENCES c (b),
  d INTEGER CHECK (d = 0 OR d = 1),
  e INTEGER
) STRICT, WITHOUT ROWID`,
    'CREATE INDEX a_by_d ON a (d) WHERE d IN (0, 1)',
    insert,
  ])
})

test('the same text yields the statements of PostgreSQL', () => {
  expect(statementsFor('postgres', text)).toEqual([
    `CREATE TABLE a (
  b TEXT COLLATE "C" NOT NULL PRIMARY KEY,
  d BIGINT CHECK (d IN (0, 1)),
  e INTEGER
) WITH (fillfactor = 50)`,
    "CREATE FUNCTION f() RETURNS text LANGUAGE plpgsql AS $$\nBEGIN\n  RETURN 'TEXT';\nEND $$",
    insert,
  ])
})

test('a step may be one statement without an end', () => {
  expect(statementsFor('postgres', 'ALTER TABLE a ADD COLUMN f TEXT')).toEqual([
    'ALTER TABLE a ADD COLUMN f TEXT COLLATE "C"',
  ])
})
