import { Writable } from 'node:stream'
import { pino } from 'pino'
import type { Route } from '../../src/http/route.ts'
import { createHttpServer } from '../../src/http/server.ts'
import { echo, host, ping } from './fixture.ts'

// Runs as its own process, so that a crash or a leak is seen from outside.
let completed = 0
const counted = (route: Route): Route => ({
  ...route,
  handle: async (call) => {
    const response = await route.handle(call)
    completed++
    return response
  },
})
let requests = 0
const server = createHttpServer({
  origin: new URL(`http://${host}`),
  isLoopback: true,
  routes: [counted(ping), counted(echo)],
  bodyLimitBytes: 65_536,
  bodyDeadlineMs: 10_000,
  logger: pino(new Writable({ write: (_chunk, _encoding, done) => done() })),
  observe: () => {},
  newRequestId: () => `req_${++requests}`,
})
const { port } = await server.listen({ host: '127.0.0.1', port: 0 })

process.on('message', () => {
  for (let i = 0; i < 4; i++) globalThis.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  process.send?.({ completed, rss, heapUsed, inFlight: server.inFlight() })
})
process.send?.({ port })
