import { ok, pathParameter, viewRoute } from '../../../../http/endpoint.ts'
import { type RouteResponse, StreamedBody } from '../../../../http/route.ts'
import { defineFeature } from '../../../../ops/feature.ts'
import type { Accounts } from '../../../identity/accounts/feature.ts'
import type { ArchivedReads } from '../../archives/archived-reads.ts'
import type { Reports } from '../../reports/feature.ts'
import type { Transparency } from '../feature.ts'
import { receiptOperations, type SinceParameters } from './contract.ts'
import { createReceipts } from './receipts.ts'
import { createStatements } from './statements.ts'
import { verifyFileRoutes } from './verify-files.ts'

export interface ReceiptsFeatureDeps extends Pick<Reports, 'reports'> {
  readonly accounts: Accounts
  readonly transparency: Transparency
  readonly archivedReads: ArchivedReads
}

export const jose = (jws: string): RouteResponse => ({
  status: 200,
  headers: { 'content-type': 'application/jose' },
  body: jws,
})

export const receiptsFeature = defineFeature({
  name: 'receipts',
  consoleOperations: receiptOperations,
  build({ config, engine, clock, operation }, { accounts, reports, transparency, archivedReads }: ReceiptsFeatureDeps) {
    const { keys, publisher, tiles } = transparency
    const shared = { engine, keys, publisher, tiles, archivedReads, issuer: config.origin.origin, clock }
    const receipts = createReceipts(shared)
    const statements = createStatements({ ...shared, reports })
    const deps = { operation, guards: accounts.guards }
    const parameter = (id: string, name: string) => {
      const found = operation(id)
      return (call: Parameters<typeof pathParameter>[1]) => pathParameter(found, call, name)
    }
    const chargeId = parameter('console.usage.receiptJws', 'chargeId')
    const orderId = parameter('console.orders.receiptJws', 'orderId')
    const seq = parameter('console.ledger.receiptJws', 'seq')
    const month = parameter('console.statements.jws', 'month')
    return {
      receipts,
      routes: [
        ...verifyFileRoutes(),
        viewRoute<SinceParameters>(deps, 'console.usage.receiptJws', async ({ session, query, call }) =>
          jose(await receipts.charge(session.projectId, chargeId(call), query.since)),
        ),
        viewRoute<SinceParameters>(deps, 'console.orders.receiptJws', async ({ session, query, call }) =>
          jose(await receipts.order(session.projectId, orderId(call), query.since)),
        ),
        viewRoute<SinceParameters>(deps, 'console.ledger.receiptJws', async ({ session, query, call }) =>
          jose(await receipts.entry(session.projectId, Number(seq(call)), query.since)),
        ),
        viewRoute(deps, 'console.statements.read', async ({ session, call }) =>
          ok(await statements.month(session.projectId, month(call))),
        ),
        viewRoute<SinceParameters>(deps, 'console.statements.jws', async ({ session, query, call }) =>
          jose(await statements.jws(session.projectId, month(call), query.since)),
        ),
        viewRoute(deps, 'console.statements.jsonl', async ({ session, call }) => ({
          status: 200,
          headers: { 'content-type': 'text/plain; charset=utf-8' },
          body: new StreamedBody(null, () => statements.jsonl(session.projectId, month(call))),
        })),
      ],
    }
  },
})

export type ReceiptsParts = ReturnType<typeof receiptsFeature.build>
