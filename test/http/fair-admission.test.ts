import { BlockList } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { Call, Route } from '../../src/http/route.ts'
import { blockLoop } from '../../testkit/http/block-loop.ts'
import { RawConnection } from '../../testkit/http/raw-http.ts'
import { type Fixture, host, post, startFixture } from './fixture.ts'

const perTurn = 24
const validKey = `gk_live_${'v'.repeat(43)}`
const otherKey = `gk_live_${'o'.repeat(43)}`

let fixture: Fixture
let begun: string[] = []
let connections: RawConnection[] = []
let validKeys = new Set([validKey])
let onFirst = () => {}

afterEach(async () => {
  for (const connection of connections) connection.destroy()
  connections = []
  validKeys = new Set([validKey])
  onFirst = () => {}
  await fixture.server.close()
})

const keyOf = (call: Call) => {
  const header = call.header('authorization')
  return typeof header === 'object' ? header.value.slice('Bearer '.length) : ''
}

const me: Route = {
  operationId: 'me',
  method: 'GET',
  path: '/v1/me',
  handle: (call) => {
    // What was sent until now has arrived when the loop next reads its sockets.
    if (begun.length === 0) {
      onFirst()
      blockLoop(50)
    }
    begun.push(call.requester.address)
    return { status: 200, body: {} }
  },
}
const paid: Route = {
  operationId: 'paid',
  method: 'POST',
  path: '/v1/paid',
  overloadCode: 'PROVIDER_CAPACITY_EXHAUSTED',
  handle: (call) => {
    begun.push(`paid ${call.requester.address}`)
    if (!validKeys.has(keyOf(call))) return { status: 401, body: {} }
    call.recognize({ projectId: 'prj_1', keyId: 'key_1' })
    return { status: 200, body: {} }
  },
}

const getMe = (forwardedFor?: string) =>
  `GET /v1/me HTTP/1.1\r\nHost: ${host}\r\n${forwardedFor ? `X-Forwarded-For: ${forwardedFor}\r\n` : ''}\r\n`
const call = (key = validKey) => post('{}', { path: '/v1/paid', headers: [`Authorization: Bearer ${key}`] })

async function open(count: number, from: string): Promise<RawConnection[]> {
  const opened = await Promise.all(Array.from({ length: count }, () => RawConnection.open({ ...fixture, from })))
  connections.push(...opened)
  // The event loop accepts one connection per turn: only kept connections deliver requests together.
  for (const connection of opened) await connection.send(post('{}', { path: '/v1/none' })).next()
  return opened
}

/** Everything that is sent reaches the kernel at once; the loop begins at most one turn's requests before it has read the rest. */
async function sendAll(requests: readonly (readonly [RawConnection, string])[]): Promise<void> {
  begun = []
  for (const [connection, bytes] of requests) connection.send(bytes)
  await Promise.all(requests.map(([connection]) => connection.next()))
}

const each = (group: readonly RawConnection[], bytes: string) => group.map((one) => [one, bytes] as const)
const places = (who: string) => begun.flatMap((name, place) => (name === who ? [place] : []))

describe('next to the many connections of a stranger', () => {
  test('calls with a key that was valid lately begin first, although they were sent last', async () => {
    fixture = await startFixture({ routes: [me, paid], bodyDeadlineMs: 60_000 }, '127.0.0.1')
    const stranger = await open(200, '127.0.0.2')
    const payer = await open(16, '127.0.0.2')
    await sendAll(each(payer.slice(0, 1), call()))
    await sendAll([...each(stranger, getMe()), ...each(payer, call())])
    expect(begun).toHaveLength(216)
    expect(places('paid 127.0.0.2').at(-1)).toBeLessThan(perTurn + 16)
  })

  test('a wrong key begins no earlier than without one, and a key that became invalid loses its place', async () => {
    fixture = await startFixture({ routes: [me, paid], bodyDeadlineMs: 60_000 }, '127.0.0.1')
    const stranger = await open(200, '127.0.0.2')
    const [first, second] = await open(2, '127.0.0.2')
    await sendAll([
      [first!, call(otherKey)],
      [second!, call()],
    ])
    validKeys.clear()
    // Refused, so that it is forgotten.
    await sendAll([[second!, call()]])
    await sendAll([...each(stranger, getMe()), [first!, call(otherKey)], [second!, call()]])
    expect(places('paid 127.0.0.2')[0]).toBeGreaterThan(200 - perTurn)
  })

  test('requests of another address take turns with those of the stranger', async () => {
    fixture = await startFixture({ routes: [me, paid], bodyDeadlineMs: 60_000 }, '127.0.0.1')
    const stranger = await open(200, '127.0.0.2')
    const other = await open(4, '127.0.0.3')
    await sendAll([...each(stranger, getMe()), ...each(other, getMe())])
    expect(places('127.0.0.3').at(-1)).toBeLessThan(perTurn + 2 * 4)
  })

  test('requests of another client behind the same trusted proxy do so too', async () => {
    const trustedProxies = new BlockList()
    trustedProxies.addAddress('127.0.0.2')
    fixture = await startFixture({ routes: [me, paid], bodyDeadlineMs: 60_000, trustedProxies }, '127.0.0.1')
    const proxy = await open(204, '127.0.0.2')
    await sendAll([...each(proxy.slice(4), getMe('192.0.2.1')), ...each(proxy.slice(0, 4), getMe('192.0.2.2'))])
    expect(places('192.0.2.2').at(-1)).toBeLessThan(perTurn + 2 * 4)
  })

  test('calls are not refused while the stranger is', async () => {
    fixture = await startFixture({ routes: [me, paid], bodyDeadlineMs: 60_000, shedAfterMs: 1 }, '127.0.0.1')
    const stranger = await open(900, '127.0.0.2')
    const payer = await open(16, '127.0.0.3')
    await sendAll(each(payer.slice(0, 1), call()))
    fixture.observations.length = 0
    await sendAll([...each(stranger, getMe()), ...each(payer, call())])
    const refused = fixture.observations.filter(({ isShed }) => isShed)
    expect(refused.length).toBeGreaterThan(0)
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['RATE_LIMITED']))
    expect(begun).toHaveLength(916 - refused.length)
  })
})

test('a client that disconnects while it waits leaves the queue, and its request never begins', async () => {
  fixture = await startFixture({ routes: [me, paid] }, '127.0.0.1')
  const staying = await open(50, '127.0.0.2')
  const leaving = await open(150, '127.0.0.2')
  onFirst = () => {
    for (const one of leaving) one.reset()
  }
  begun = []
  for (const one of [...staying, ...leaving]) one.send(getMe())
  await Promise.all(staying.map((one) => one.next()))
  await expect.poll(() => fixture.server.inFlight()).toBe(0)
  expect(begun.length).toBeLessThan(50 + 2 * perTurn)
})
