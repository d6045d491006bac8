import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Health } from './health.ts'
import { type Inbox, inboxEntries } from './inbox/inbox.ts'
import { inboxFiles, inboxPage } from './inbox/inbox-page.ts'
import type { Metrics } from './metrics.ts'

export interface OperatorListener {
  readonly listen: (address: { host: string; port: number }) => Promise<{ host: string; port: number }>
  readonly close: () => Promise<void>
}

export interface OperatorDeps {
  readonly health: Health
  readonly metrics: Metrics
  /** The local inbox; null on a public origin. */
  readonly inbox: Inbox | null
}

type Page = () => Promise<{ status: number; type: string; body: string }>

/** Serves health, metrics and the local inbox, separate from the public listener. */
export function createOperatorListener({ health, metrics, inbox }: OperatorDeps): OperatorListener {
  const pages: Record<string, Page> = {
    '/healthz': async () => ({ status: 200, type: 'text/plain', body: 'alive\n' }),
    '/readyz': async () => {
      const problems = await health.problems()
      return {
        status: problems.length === 0 ? 200 : 503,
        type: 'text/plain',
        body: `${problems.join('\n') || 'ready'}\n`,
      }
    },
    '/metrics': async () => ({ status: 200, type: metrics.contentType, body: await metrics.text() }),
  }
  if (inbox) {
    const json = (value: object) => ({ status: 200, type: 'application/json', body: JSON.stringify(value) })
    pages['/'] = async () => ({
      status: 200,
      type: 'text/html; charset=utf-8',
      body: inboxPage(await inboxEntries(inbox)),
    })
    pages['/inbox.json'] = async () => json(await inboxEntries(inbox))
    pages['/sms.json'] = async () => json(await inbox.sms())
    pages['/email.json'] = async () => json(await inbox.email())
    for (const [path, file] of Object.entries(inboxFiles)) pages[path] = async () => ({ status: 200, ...file })
  }

  const server = createServer(async (request, response) => {
    const page = pages[(request.url ?? '').split('?')[0]!]
    if (!page)
      return send(response, {
        status: 404,
        type: 'text/plain',
        body: `not found; try ${Object.keys(pages).join(' ')}\n`,
      })
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return send(response, { status: 405, type: 'text/plain', body: 'GET only\n' })
    send(response, await page().catch(() => ({ status: 500, type: 'text/plain', body: 'failed\n' })))
  })
  server.headersTimeout = 10_000
  server.requestTimeout = 10_000
  server.maxConnections = 256

  return {
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => resolve({ host, port: (server.address() as AddressInfo).port }))
      }),
    close: () => closeServer(server),
  }
}

function send(response: ServerResponse, { status, type, body }: { status: number; type: string; body: string }): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': policy,
  })
  response.end(body)
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const closeServer = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
