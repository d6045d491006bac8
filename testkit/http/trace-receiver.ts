import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly status: { readonly code?: number }
  readonly attributes: Readonly<Record<string, unknown>>
}

interface Attribute {
  readonly key: string
  readonly value: Record<string, unknown>
}

/** A collector that takes OTLP over HTTP, as JSON. */
export async function startTraceReceiver() {
  const spans: ReceivedSpan[] = []
  const resources: Record<string, unknown>[] = []
  let isRefusing = false
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (isRefusing) return response.writeHead(400).end()
    if (request.method !== 'POST' || request.url !== '/v1/traces') return response.writeHead(404).end()
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString())
    for (const { resource, scopeSpans } of resourceSpans) {
      resources.push(flat(resource.attributes))
      for (const scope of scopeSpans) {
        for (const span of scope.spans) spans.push({ ...span, attributes: flat(span.attributes) })
      }
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    resources,
    /** Takes nothing from now on. */
    refuse: () => {
      isRefusing = true
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const flat = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
