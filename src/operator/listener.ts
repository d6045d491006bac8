import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SmsMessage } from '../identity/ports.ts'
import type { Health } from './health.ts'
import { inboxFiles, inboxPage } from './inbox/inbox-page.ts'
import type { Metrics } from './metrics.ts'

export interface OperatorListener {
  readonly listen: (address: { host: string; port: number }) => Promise<{ host: string; port: number }>
  readonly close: () => Promise<void>
}

export interface OperatorDeps {
  readonly health: Health
  readonly metrics: Metrics
  /** The local SMS inbox; null on a public origin. */
  readonly readInbox: (() => Promise<SmsMessage[]>) | null
}

type Page = () => Promise<{ status: number; type: string; body: string }>

/** Serves health, metrics and the SMS inbox, separate from the public listener. */
export function createOperatorListener({ health, metrics, readInbox }: OperatorDeps): OperatorListener {
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
  if (readInbox) {
    pages['/'] = async () => ({ status: 200, type: 'text/html; charset=utf-8', body: inboxPage(await readInbox()) })
    pages['/sms.json'] = async () => ({
      status: 200,
      type: 'application/json',
      body: JSON.stringify(await readInbox()),
    })
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
