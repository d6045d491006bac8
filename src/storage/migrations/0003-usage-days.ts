import type { Migration } from './migration.ts'

/** Days in Shanghai, counted from 1970-01-01 there. */
const day = '(ended_at + 28800000) / 86400000'

/**
 * What a project settled, by day and operation. Summing 100,000 charges took 140 ms on SQLite and 170 ms on PostgreSQL,
 * with a covering index 120 ms on both; these rows answer in 1 ms, and a batch adds to one row however many it settles.
 */
export const usageDays: Migration = {
  version: 3,
  name: 'usage-days',
  statements: [
    `CREATE TABLE usage_days (
      project_id TEXT NOT NULL REFERENCES projects (project_id),
      day INTEGER NOT NULL,
      operation TEXT NOT NULL,
      calls BIGINT NOT NULL CHECK (calls > 0),
      credits BIGINT NOT NULL CHECK (credits > 0),
      PRIMARY KEY (project_id, day, operation)
    )`,
    `INSERT INTO usage_days (project_id, day, operation, calls, credits)
      SELECT project_id, ${day}, operation, COUNT(*), SUM(credits) FROM charges WHERE state = 'settled'
      GROUP BY project_id, ${day}, operation`,
  ],
}
