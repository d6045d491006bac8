import type { Migration } from '../../src/storage/schema/migrations.ts'

/** A migration of a test, after which only programs serve that know `compatibleFrom`. */
export const step = (version: number, statements: readonly string[], compatibleFrom = version): Migration => ({
  ...{ version, name: `step-${version}`, compatibleFrom, isRequired: true },
  statements: () => statements,
})

/** A step as a release would take it: it only adds, so that the program before and the one after serve both schemas. */
export const expandingStep = (version: number): Migration => ({
  ...step(
    version,
    [
      'CREATE TABLE charge_labels (charge_id TEXT NOT NULL PRIMARY KEY, label TEXT NOT NULL)',
      'ALTER TABLE charges ADD COLUMN label TEXT',
    ],
    version - 1,
  ),
  isRequired: false,
})
