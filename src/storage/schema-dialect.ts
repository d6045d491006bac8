import type { OpenedEngine } from './open-engine.ts'
import { postgresDialect } from './postgres/dialect.ts'
import type { Dialect } from './schema/migrate.ts'
import { sqliteDialect } from './sqlite/dialect.ts'

export const dialectOf = ({ kind }: OpenedEngine): Dialect => (kind === 'sqlite' ? sqliteDialect : postgresDialect)
