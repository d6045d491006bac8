import type { ReportStore } from '../../reporting/ports.ts'
import type { Engine } from '../engine.ts'
import { chargeReports } from './console-charges.ts'
import { ledgerReports } from './console-ledger.ts'
import { standingReports } from './console-standing.ts'

/** What the console reads of a project: short reads along an index, so that none of them holds up the books. */
export const createConsoleStore = (engine: Engine): ReportStore => ({
  ...standingReports(engine),
  ...chargeReports(engine),
  ...ledgerReports(engine),
})
