import { Writable } from 'node:stream'
import { pino } from 'pino'
import { type ErrorCode, errors } from '../../src/contract/errors.ts'
import type { Observation } from '../../src/http/request-log.ts'
import type { Route } from '../../src/http/route.ts'
import { createHttpServer, type HttpServerOptions } from '../../src/http/server.ts'
import type { RawResponse } from '../../testkit/http/raw-http.ts'

export const host = 'gateway.test:8787'

export interface Fixture {
  readonly port: number
  readonly server: ReturnType<typeof createHttpServer>
  readonly observations: Observation[]
  /** How often a handler ran, by operation. */
  readonly runs: Map<string, number>
  readonly log: () => string
}

/** The real listener on a free port, with two routes that count how often they ran. */
export async function startFixture(
  options: Partial<HttpServerOptions> = {},
  address = '127.0.0.1',
  wantedPort = 0,
): Promise<Fixture> {
  const lines: string[] = []
  const runs = new Map<string, number>()
  const observations: Observation[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  let requests = 0
  const count = (route: Route): Route => ({
    ...route,
    handle: (call) => {
      runs.set(route.operationId, (runs.get(route.operationId) ?? 0) + 1)
      return route.handle(call)
    },
  })
  const server = createHttpServer({
    origin: new URL(`http://${host}`),
    isLoopback: true,
    bodyLimitBytes: 65_536,
    bodyDeadlineMs: 10_000,
    logger: pino({ level: 'trace' }, sink),
    observe: (observation) => observations.push(observation),
    newRequestId: () => `req_${++requests}`,
    ...options,
    routes: (options.routes ?? [ping, echo]).map(count),
  })
  const { port } = await server.listen({ host: address, port: wantedPort })
  return { port, server, observations, runs, log: () => lines.join('') }
}

export const ping: Route = {
  operationId: 'ping',
  method: 'GET',
  path: '/v1/ping',
  handle: () => ({ status: 200, body: { pong: true } }),
}

export const echo: Route = {
  operationId: 'echo',
  method: 'POST',
  path: '/v1/echo',
  handle: async (call) => ({ status: 200, body: { echo: await call.readJson() } }),
}

export const goodGet = `GET /v1/ping HTTP/1.1\r\nHost: ${host}\r\n\r\n`

export function post(body: string, { path = '/v1/echo', headers = [] as string[] } = {}): string {
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body, 'latin1')}`,
    ...headers,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

export const goodPost = post('{"a":1}')

export const codeOf = ({ body }: RawResponse): ErrorCode => JSON.parse(body).error.code

export const requiredHeaders: Readonly<Record<string, RegExp>> = {
  'cache-control': /^no-store$/,
  'content-security-policy': /^default-src 'none'/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^no-referrer$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'x-request-id': /^req_\d+$/,
  'content-type': /^application\/json; charset=utf-8$/,
  'content-length': /^\d+$/,
  date: /GMT$/,
}

/** Why this is not a well-formed response of ours, or null. Used by the tables and the fuzzer. */
export function flawOf({ status, headers, body }: RawResponse): string | null {
  for (const [name, pattern] of Object.entries(requiredHeaders)) {
    if (!pattern.test(headers.get(name) ?? '')) return `${name}: ${headers.get(name)}`
  }
  if (status === 200) return null
  const value = JSON.parse(body)
  const { code, message } = value.error ?? {}
  if (Object.keys(value).join() !== 'error' || Object.keys(value.error).join() !== 'code,message') return body
  const row = errors[code as ErrorCode]
  if (row === undefined || row.status !== status || typeof message !== 'string' || message === '') return body
  return null
}

/** Lets a test decide when handlers continue, so that no test has to sleep. */
export class Gate {
  arrived = 0
  #waiting: (() => void)[] = []
  #watchers: (() => void)[] = []

  /** Resolves once released, with the position in order of arrival. */
  async pass(): Promise<number> {
    const place = ++this.arrived
    for (const watcher of this.#watchers.splice(0)) watcher()
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return place
  }

  async arrivals(count: number): Promise<void> {
    while (this.arrived < count) await new Promise<void>((resolve) => this.#watchers.push(resolve))
  }

  /** Releases the one that has waited longest. */
  release(): void {
    this.#waiting.shift()?.()
  }

  reset(): void {
    while (this.#waiting.length > 0) this.release()
    this.arrived = 0
  }
}
