import { jsonType } from '../../../http/errors.ts'
import type { Route } from '../../../http/route.ts'
import { createStaticContent, type StaticContent } from '../../../http/static/static-content.ts'
import type { OperatorOperation } from '../../../operator-kit/operation.ts'
import { operatorDocument } from '../contract.ts'
import { openEndpoint } from '../endpoint.ts'
import type { OperatorHosts } from './hosts.ts'

export interface MonitoringDeps {
  /** Everything that the listener serves to programs. */
  readonly operations: readonly OperatorOperation[]
  readonly hosts: OperatorHosts
  readonly problems: () => Promise<string[]>
  readonly metrics: { readonly text: () => Promise<string>; readonly contentType: string }
}

/** What needs no sign-in. */
export function monitoringRoutes({ operations, hosts, problems, metrics }: MonitoringDeps): Route[] {
  /** One for each name of the listener: few. */
  const documents = new Map<string, StaticContent>()
  const text = (status: number, body: string, contentType = 'text/plain; charset=utf-8') => ({
    status,
    headers: { 'content-type': contentType },
    body,
  })
  const probe = (id: string, handle: Route['handle']): Route => ({ ...openEndpoint(id, handle), servesAnyHost: true })
  return [
    probe('operator.healthz', () => text(200, 'alive\n')),
    probe('operator.readyz', async () => {
      const found = await problems()
      return text(found.length === 0 ? 200 : 503, `${found.join('\n') || 'ready'}\n`)
    }),
    probe('operator.metrics', async () => text(200, await metrics.text(), metrics.contentType)),
    openEndpoint('operator.openapi', (call) => {
      const origin = hosts.originOf(call)
      const document =
        documents.get(origin) ??
        createStaticContent({ body: () => JSON.stringify(operatorDocument(operations, origin)), contentType: jsonType })
      documents.set(origin, document)
      return document.respond(call)
    }),
  ]
}
