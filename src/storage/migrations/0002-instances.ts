import type { Migration } from './migration.ts'

/** The running gateways of one database, each with a lease; an embedded store has one gateway and leaves it empty. */
export const instances: Migration = {
  version: 2,
  name: 'instances',
  statements: [
    `CREATE TABLE instances (
      instance_id TEXT NOT NULL PRIMARY KEY,
      started_at BIGINT NOT NULL,
      lease_until BIGINT NOT NULL
    )`,
  ],
}
