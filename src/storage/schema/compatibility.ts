import { StoreUnusable } from '../engine.ts'
import type { Migration } from './migration.ts'

/** A migration as the store has recorded it. */
export interface MigrationRecord {
  readonly version: number
  readonly name: string
  readonly state: string
  /** Programs that know this version or a newer one can serve the store. */
  readonly compatibleFrom: number
}

export interface SchemaStanding {
  /** The newest migration of the store. */
  readonly newest: MigrationRecord
  /** Migrations of the program that the store does not have. */
  readonly missing: readonly Migration[]
  /** Migrations of the store that the program does not know, but is compatible with. */
  readonly unknown: readonly MigrationRecord[]
}

/** What the program knows of the store's schema. Throws `StoreUnusable` if it cannot even migrate it. */
export function compareSchema(records: readonly MigrationRecord[], migrations: readonly Migration[]): SchemaStanding {
  for (const { version, name, state } of records) {
    const known = migrations.find((migration) => migration.version === version)
    if (state !== 'applied') {
      throw new StoreUnusable(
        `migration ${version} (${name}) is recorded as ${state}: it stopped half-way. Restore a backup, or finish it by hand and set its state to applied`,
      )
    }
    if (known && known.name !== name) {
      throw new StoreUnusable(
        `migration ${version} of the database is called ${name}, not ${known.name}: the database belongs to another program. Set DATABASE_URL to an empty database or to a store of this gateway`,
      )
    }
  }
  const unknown = records.filter(({ version }) => !migrations.some((migration) => migration.version === version))
  const breaking = unknown.find((record) => record.compatibleFrom > knownVersion(migrations))
  if (breaking) throw tooNew(breaking, knownVersion(migrations))
  const missing = migrations.filter(({ version }) => !records.some((record) => record.version === version))
  return { newest: records.at(-1)!, missing, unknown }
}

/** Throws `StoreUnusable` if the program cannot serve without a migration that the store does not have. */
export function refuseTooOld({ newest, missing }: SchemaStanding): void {
  const required = missing.findLast(({ isRequired }) => isRequired)
  if (!required) return
  throw new StoreUnusable(
    `the schema is at version ${newest.version} (${newest.name}), and this program needs version ${required.version} (${required.name}): run npm run gateway -- migrate`,
  )
}

/** The newest migration that a program knows, and the newest that it needs. */
export const knownVersion = (migrations: readonly Migration[]): number => migrations.at(-1)!.version
export const neededVersion = (migrations: readonly Migration[]): number =>
  migrations.findLast(({ isRequired }) => isRequired)!.version

export const tooNew = ({ version, name }: Pick<MigrationRecord, 'version' | 'name'>, known: number): StoreUnusable =>
  new StoreUnusable(
    `the database has migration ${version} (${name}), which is too new for this program: it knows version ${known}. Start the newer program; migrate cannot go back`,
  )

/** A store from before 0.2.0 is told by its first migration; the later ones are part of today's baseline. */
export function refuseFormerStore(firstName: string | undefined): void {
  if (firstName !== formerBaseline) return
  throw new StoreUnusable(
    'this store was set up by a version before 0.2.0, which this program cannot open. Stop its gateways, run npm run gateway -- export FILE, then set DATABASE_URL to an empty store and run npm run gateway -- import FILE',
  )
}

/** The first migration of such a store. */
export const formerBaseline = 'baseline'
