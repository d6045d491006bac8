import { procedures as registered } from '../../src/storage/sqlite/batch.ts'
import { procedures as faults } from './sqlite-procedures.ts'

/** The real procedures, and ways to break the store under them. */
export const procedures = { ...registered, ...faults }
