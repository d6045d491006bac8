import { afterAll, beforeAll, beforeEach } from 'vitest'
import { Refusal } from '../../src/contract/errors.ts'
import type { Route } from '../../src/http/route.ts'
import { RawConnection } from '../../testkit/http/raw-http.ts'
import { echo, type Fixture, Gate, goodGet, host, ping, post, startFixture } from './fixture.ts'

export const gate = new Gate()
export const gatedGet = `GET /v1/gated HTTP/1.1\r\nHost: ${host}\r\n\r\n`
export const gatedPost = post('{"b":2}', { path: '/v1/gated-deny' })

/** Waits for the test, then responds or refuses; neither reads a body. */
export const gated: Route = {
  operationId: 'gated',
  method: 'GET',
  path: '/v1/gated',
  handle: async () => ({ status: 200, body: { place: await gate.pass() } }),
}
const gatedDeny: Route = {
  operationId: 'gatedDeny',
  method: 'POST',
  path: '/v1/gated-deny',
  handle: async () => {
    await gate.pass()
    throw new Refusal('UNAUTHORIZED')
  },
}
const deny: Route = {
  operationId: 'deny',
  method: 'POST',
  path: '/v1/deny',
  handle: () => {
    throw new Refusal('UNAUTHORIZED')
  },
}

/** Two servers for the tests of a file, one with a short body timeout; the gate is closed before each test. */
export function gatedServers(): { readonly fixture: Fixture; readonly hasty: Fixture } {
  const servers = {} as { fixture: Fixture; hasty: Fixture }
  beforeAll(async () => {
    const routes = [ping, echo, gated, gatedDeny, deny]
    servers.fixture = await startFixture({ routes })
    servers.hasty = await startFixture({ routes, bodyDeadlineMs: 200 })
  })
  afterAll(() => Promise.all([servers.fixture.server.close(), servers.hasty.server.close()]))
  beforeEach(() => {
    servers.fixture.runs.clear()
    servers.hasty.runs.clear()
    gate.reset()
  })
  return servers
}

export const statuses = (responses: readonly { status: number }[]) => responses.map(({ status }) => status)
export const cut = (bytes: string) => bytes.slice(0, -3)

/** A full round trip: the server has finished with all earlier bytes. */
export async function roundTrip(target: Fixture): Promise<void> {
  const connection = await RawConnection.open(target)
  await connection.send(goodGet).next()
  connection.destroy()
}
