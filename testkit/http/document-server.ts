import { pino } from 'pino'
import { loadConfig } from '../../src/config/config.ts'
import { publicOperations } from '../../src/contract/operations.ts'
import type { ServiceFacts } from '../../src/documents/facts.ts'
import { serviceFacts } from '../../src/documents/facts.ts'
import { documentRoutes, pricingRoutes } from '../../src/documents/routes.ts'
import { createHttpServer } from '../../src/http/server.ts'
import { freePort } from './free-port.ts'

export interface DocumentServer {
  readonly origin: string
  readonly facts: ServiceFacts
  readonly close: () => Promise<void>
}

/** The real listener with the routes that need no store: documents and prices. */
export async function startDocumentServer(): Promise<DocumentServer> {
  // The port is chosen first, because every document names the origin.
  const port = await freePort()
  const config = loadConfig({ GATEWAY_ORIGIN: `http://127.0.0.1:${port}` })
  const operations = publicOperations(config.providerNames)
  const facts = serviceFacts(config)
  const server = createHttpServer({
    origin: config.origin,
    isLoopback: config.isLoopback,
    routes: [...documentRoutes(operations, facts), ...pricingRoutes(operations, config.paymentMode)],
    ...config.server,
    logger: pino({ level: 'silent' }),
    observe: () => {},
    newRequestId: () => 'req_1',
  })
  await server.listen(config.listen)
  return { origin: config.origin.origin, facts, close: () => server.close() }
}
