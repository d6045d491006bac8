import { startApp } from '../../src/app/app.ts'
import type { Config } from '../../src/config/config.ts'
import { commonHeaders } from '../../src/http/errors.ts'
import { createRequestLog } from '../../src/http/request-log.ts'
import { createResponder } from '../../src/http/responder.ts'
import { createRouter } from '../../src/http/router.ts'
import { Exchange } from '../../src/http/transport/exchange.ts'
import { createLedger } from '../../src/ledger/ledger.ts'
import { createBatchStore } from '../../src/storage/batch-store.ts'
import type { Logger } from '../../src/storage/engine.ts'
import type { OpenedEngine } from '../../src/storage/open-store.ts'
import { type Administration, createTestAdministration } from '../../testkit/store/administration.ts'
import { SimulatedEngine, type SimulatedStore } from './store.ts'
import type { Process } from './world.ts'

/** The program that a simulated gateway or operator runs: this version, or another one. */
export interface Code {
  readonly version: string
  readonly startApp: typeof startApp
  readonly http: {
    readonly commonHeaders: typeof commonHeaders
    readonly createRequestLog: typeof createRequestLog
    readonly createResponder: typeof createResponder
    readonly createRouter: typeof createRouter
    readonly Exchange: typeof Exchange
  }
  readonly openEngine: (store: SimulatedStore, owner: Process, logger: Logger) => OpenedEngine
  readonly administrate: (engine: OpenedEngine, config: Config, clock: () => number) => Administration
}

export const currentCode: Code = {
  version: 'current',
  startApp,
  http: { commonHeaders, createRequestLog, createResponder, createRouter, Exchange },
  openEngine: (store, owner, logger) => new SimulatedEngine(store, owner, logger),
  administrate: (engine, { operators: { approvalAboveCredits } }, clock) =>
    createTestAdministration(
      { engine, ledger: createLedger({ store: createBatchStore(engine) }), clock },
      { approvalAboveCredits },
    ),
}
