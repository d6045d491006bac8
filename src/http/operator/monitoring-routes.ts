import { operatorDocument } from '../../documents/operator-document.ts'
import { jsonType } from '../errors.ts'
import type { Route } from '../route.ts'
import { createStaticContent, type StaticContent } from '../static/static-content.ts'
import { operatorOperation, routeOf } from './endpoint.ts'
import type { OperatorHosts } from './hosts.ts'

export interface MonitoringDeps {
  readonly hosts: OperatorHosts
  readonly problems: () => Promise<string[]>
  readonly metrics: { readonly text: () => Promise<string>; readonly contentType: string }
}

/** What needs no sign-in. */
export function monitoringRoutes({ hosts, problems, metrics }: MonitoringDeps): Route[] {
  /** One for each name of the listener: few. */
  const documents = new Map<string, StaticContent>()
  const text = (status: number, body: string, contentType = 'text/plain; charset=utf-8') => ({
    status,
    headers: { 'content-type': contentType },
    body,
  })
  return [
    { ...routeOf(operatorOperation('operator.healthz')), servesAnyHost: true, handle: () => text(200, 'alive\n') },
    {
      ...routeOf(operatorOperation('operator.readyz')),
      servesAnyHost: true,
      async handle() {
        const found = await problems()
        return text(found.length === 0 ? 200 : 503, `${found.join('\n') || 'ready'}\n`)
      },
    },
    {
      ...routeOf(operatorOperation('operator.metrics')),
      servesAnyHost: true,
      handle: async () => text(200, await metrics.text(), metrics.contentType),
    },
    {
      ...routeOf(operatorOperation('operator.openapi')),
      handle(call) {
        const origin = hosts.originOf(call)
        const document =
          documents.get(origin) ??
          createStaticContent({ body: JSON.stringify(operatorDocument(origin)), contentType: jsonType })
        documents.set(origin, document)
        return document.answer(call)
      },
    },
  ]
}
