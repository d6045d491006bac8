import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Refusal } from '../../src/contract/errors.ts'
import type { Route } from '../../src/http/route.ts'
import { RawConnection, sendRaw } from '../support/raw-http.ts'
import {
  codeOf,
  echo,
  type Fixture,
  flawOf,
  Gate,
  goodGet,
  goodPost,
  host,
  ping,
  post,
  startFixture,
} from './fixture.ts'

const gate = new Gate()
const gatedGet = `GET /v1/gated HTTP/1.1\r\nHost: ${host}\r\n\r\n`
const gatedPost = post('{"b":2}', { path: '/v1/gated-deny' })

/** Waits for the test, then answers or refuses; neither reads a body. */
const gated: Route = {
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

let fixture: Fixture
let hasty: Fixture
beforeAll(async () => {
  const routes = [ping, echo, gated, gatedDeny, deny]
  fixture = await startFixture({ routes })
  hasty = await startFixture({ routes, bodyDeadlineMs: 200 })
})
afterAll(() => Promise.all([fixture.server.close(), hasty.server.close()]))
beforeEach(() => {
  fixture.runs.clear()
  hasty.runs.clear()
  gate.reset()
})

const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status)
const cut = (bytes: string) => bytes.slice(0, -3)
/** A full turn through the server: whatever it was going to do with earlier bytes, it has done. */
const roundTrip = async (target = fixture) => {
  const connection = await RawConnection.open(target)
  await connection.send(goodGet).next()
  connection.destroy()
}

describe('pipelining', () => {
  test('requests of one socket run one after the other and are answered in order', async () => {
    const connection = await RawConnection.open(fixture)
    connection.send(gatedGet + gatedGet + gatedGet)
    for (let turn = 1; turn <= 3; turn++) {
      await gate.arrivals(turn)
      await roundTrip()
      expect(gate.arrived).toBe(turn)
      gate.release()
      expect(JSON.parse((await connection.next())!.body)).toEqual({ place: turn })
    }
    connection.destroy()
  })

  test('requests of different sockets run side by side', async () => {
    const connections = await Promise.all([1, 2, 3].map(() => RawConnection.open(fixture)))
    for (const connection of connections) connection.send(gatedGet)
    await gate.arrivals(3)
    expect(fixture.server.inFlight()).toBe(3)
    for (const _ of connections) gate.release()
    for (const connection of connections) {
      expect((await connection.next())?.status).toBe(200)
      connection.destroy()
    }
  })

  test('a hundred at once are all answered, bodies and all', async () => {
    const connection = await RawConnection.open(fixture)
    connection.send(Array.from({ length: 100 }, (_, i) => post(`{"i":${i}}`)).join(''))
    for (let i = 0; i < 100; i++) expect((await connection.next())?.body).toBe(`{"echo":{"i":${i}}}`)
    expect((await connection.send(goodGet).next())?.status).toBe(200)
    connection.destroy()
  })

  test('a flood is bounded: what is not answered was not run', async () => {
    const connection = await RawConnection.open(fixture)
    const answers = await connection.send(goodGet.repeat(5_000)).rest()
    expect(answers.length).toBeGreaterThan(200)
    expect(answers.length).toBeLessThan(5_000)
    expect(new Set(statuses(answers))).toEqual(new Set([200]))
    expect(answers.at(-1)?.headers.get('connection')).toBe('close')
    expect(fixture.runs.get('ping')).toBe(answers.length)
  })

  test('behind a slow request the socket is no longer read, and everything is answered later', async () => {
    const connection = await RawConnection.open(fixture)
    connection.send(gatedGet)
    await gate.arrivals(1)
    const total = 400
    for (let i = 0; i < total; i++) connection.send(post(`{"i":${i},"pad":"${'x'.repeat(8_000)}"}`))
    await roundTrip()
    gate.release()
    expect((await connection.next())?.status).toBe(200)
    for (let i = 0; i < total; i++) expect(JSON.parse((await connection.next())!.body).echo.i).toBe(i)
    connection.destroy()
  })

  test('after a request that asks to close nothing more runs', async () => {
    const closing = goodGet.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
    expect(statuses(await sendRaw(fixture, closing + goodGet + goodPost))).toEqual([200])
    expect(fixture.runs.get('ping')).toBe(1)
  })
})

describe('garbage behind a request that is being handled', () => {
  test.each([
    '@@@@',
    'GET / HTTP/9.9\r\n\r\n',
    'POST /v1/echo HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n',
  ])('%j waits for its answer, which closes the connection', async (garbage) => {
    const connection = await RawConnection.open(fixture)
    connection.send(gatedGet)
    await gate.arrivals(1)
    connection.send(garbage)
    await roundTrip()
    gate.release()
    const answers = await connection.rest()
    expect(statuses(answers)).toEqual([200])
    expect(answers[0]?.headers.get('connection')).toBe('close')
    expect(connection.wasReset).toBe(false)
  })

  test('lets every complete request in front of it answer', async () => {
    const connection = await RawConnection.open(fixture)
    connection.send(`${gatedGet + goodPost + goodGet}@@@@${goodGet}`)
    await gate.arrivals(1)
    await roundTrip()
    gate.release()
    const answers = await connection.rest()
    expect(statuses(answers)).toEqual([200, 200, 200])
    expect(answers.map(({ headers }) => headers.get('connection'))).toEqual(['keep-alive', 'keep-alive', 'close'])
  })

  test('never splits an answer that is on its way', async () => {
    const big = await startFixture({
      routes: [{ ...ping, handle: () => ({ status: 200, body: { filler: 'x'.repeat(8_000_000) } }) }],
    })
    const connection = await RawConnection.open(big)
    const answers = await connection.send(`${goodGet}@@@@`).rest()
    expect(answers[0]?.body).toHaveLength(8_000_013)
    expect(answers.length).toBeLessThanOrEqual(2)
    await big.server.close()
  })
})

describe('a client that ends its side', () => {
  test('after a complete request still gets its answer', async () => {
    for (const bytes of [goodPost, goodGet, goodGet + goodPost]) {
      const connection = await RawConnection.open(fixture)
      const answers = await connection.send(bytes).halfClose().rest()
      expect(new Set(statuses(answers))).toEqual(new Set([200]))
      expect(answers).toHaveLength(bytes === goodGet + goodPost ? 2 : 1)
    }
  })

  test('while its request is being handled still gets its answer', async () => {
    const connection = await RawConnection.open(fixture)
    connection.send(gatedGet).halfClose()
    await gate.arrivals(1)
    await roundTrip()
    gate.release()
    expect(statuses(await connection.rest())).toEqual([200])
  })

  test('in the body gets REQUEST_BODY_INCOMPLETE once', async () => {
    for (const before of ['', goodGet]) {
      const connection = await RawConnection.open(fixture)
      const answers = await connection
        .send(before + cut(goodPost))
        .halfClose()
        .rest()
      const last = answers.pop()!
      expect(codeOf(last)).toBe('REQUEST_BODY_INCOMPLETE')
      expect(flawOf(last)).toBeNull()
      expect(last.headers.get('connection')).toBe('close')
      expect(statuses(answers)).toEqual(before === '' ? [] : [200])
    }
  })

  test('in the headers gets no answer', async () => {
    for (const bytes of ['', 'GE', 'GET /v1/ping HTTP/1.1\r\nHo', goodGet.slice(0, -2)]) {
      const connection = await RawConnection.open(fixture)
      expect(await connection.send(bytes).halfClose().rest()).toEqual([])
      expect(connection.wasReset).toBe(false)
    }
    expect(fixture.runs.size).toBe(0)
  })

  test('in the headers of a second request gets the first answer only', async () => {
    const connection = await RawConnection.open(fixture)
    expect(statuses(await connection.send(`${goodPost}GET /v1/pi`).halfClose().rest())).toEqual([200])
  })

  test('in a body that waits behind another request: both are answered in order', async () => {
    const connection = await RawConnection.open(fixture)
    connection.send(gatedGet + cut(goodPost)).halfClose()
    await gate.arrivals(1)
    await roundTrip()
    gate.release()
    const answers = await connection.rest()
    expect(statuses(answers)).toEqual([200, 400])
    expect(codeOf(answers[1]!)).toBe('REQUEST_BODY_INCOMPLETE')
  })

  test('in the body of a request without authority is told of the authority', async () => {
    const connection = await RawConnection.open(fixture)
    connection.send(cut(gatedPost)).halfClose()
    await gate.arrivals(1)
    await roundTrip()
    gate.release()
    expect((await connection.rest()).map(codeOf)).toEqual(['UNAUTHORIZED'])
  })
})

describe('time that runs out', () => {
  const slow: Record<string, string> = {
    'a silent connection': '',
    'slow headers': 'POST /v1/echo HTTP/1.1\r\nHo',
    'a slow body': cut(goodPost),
  }

  test.each(Object.entries(slow))('%s gets REQUEST_TIMEOUT once and is closed', async (_name, bytes) => {
    const connection = await RawConnection.open(hasty)
    if (bytes !== '') connection.send(bytes)
    const answers = await connection.rest()
    expect(answers.map(codeOf)).toEqual(['REQUEST_TIMEOUT'])
    expect(flawOf(answers[0]!)).toBeNull()
    expect(answers[0]?.headers.get('connection')).toBe('close')
  })

  test('slow headers of a second request get REQUEST_TIMEOUT', async () => {
    const connection = await RawConnection.open(hasty)
    expect((await connection.send(`${goodGet}GET /v1`).next())?.status).toBe(200)
    expect((await connection.rest()).map(codeOf)).toEqual(['REQUEST_TIMEOUT'])
  })

  test('behind a request that is being handled it only closes, after the answer', async () => {
    const connection = await RawConnection.open(hasty)
    connection.send(`${gatedGet}GET /v1`)
    await gate.arrivals(1)
    // Another connection whose time began later has run out: then so has that of this one.
    const other = await RawConnection.open(hasty)
    expect((await other.rest()).map(codeOf)).toEqual(['REQUEST_TIMEOUT'])
    gate.release()
    const answers = await connection.rest()
    expect(statuses(answers)).toEqual([200])
    expect(answers[0]?.headers.get('connection')).toBe('close')
  })

  test('a handler may take longer than the request may', async () => {
    const connection = await RawConnection.open(hasty)
    connection.send(gatedGet)
    await gate.arrivals(1)
    const other = await RawConnection.open(hasty)
    expect((await other.rest()).map(codeOf)).toEqual(['REQUEST_TIMEOUT'])
    gate.release()
    expect((await connection.next())?.status).toBe(200)
    expect((await connection.send(goodGet).next())?.status).toBe(200)
    connection.destroy()
  })

  test('a request that was answered before its body came gets no second answer', async () => {
    const connection = await RawConnection.open(hasty)
    const answers = await connection.send(cut(post('{"a":1}', { path: '/v1/deny' }))).rest()
    expect(answers.map(codeOf)).toEqual(['UNAUTHORIZED'])
  })
})

describe('a connection that does nothing', () => {
  test('is closed without a word when it was idle for too long', async () => {
    const brief = await startFixture({ keepAliveMs: 1 })
    const connection = await RawConnection.open(brief)
    expect((await connection.send(goodGet).next())?.status).toBe(200)
    expect(await connection.rest()).toEqual([])
    await brief.server.close()
  })

  test('is kept while a handler is at work', async () => {
    const brief = await startFixture({ routes: [ping, gated], keepAliveMs: 1, bodyDeadlineMs: 50, stallMs: 50 })
    const working = await RawConnection.open(brief)
    working.send(gatedGet)
    await gate.arrivals(1)
    const idle = await RawConnection.open(brief)
    expect((await idle.send(goodGet).next())?.status).toBe(200)
    // Node keeps an idle connection for a second at least: by then the other has been still for longer than it may.
    expect(await idle.rest()).toEqual([])
    gate.release()
    expect((await working.next())?.status).toBe(200)
    working.destroy()
    await brief.server.close()
  })

  test('is destroyed when the peer takes no byte of its answer', async () => {
    const body = { filler: 'x'.repeat(30_000_000) }
    const big: Route = { ...ping, handle: () => ({ status: 200, body }) }
    const brief = await startFixture({ routes: [big], bodyDeadlineMs: 100, stallMs: 50 })
    const deaf = (await RawConnection.open(brief)).pause().send(goodGet)
    while (!brief.runs.has('ping')) await new Promise(setImmediate)
    // Waits for the answer to leave, which it never does, or for the connection to end.
    await brief.server.drain(600_000)
    deaf.destroy()
  })
})

describe('an answer before the body', () => {
  const denied = post(goodGet, { path: '/v1/deny' })

  test('leaves the body unread but never takes it for a request', async () => {
    const connection = await RawConnection.open(fixture)
    connection.send(denied + denied + goodPost)
    expect(codeOf((await connection.next())!)).toBe('UNAUTHORIZED')
    expect(codeOf((await connection.next())!)).toBe('UNAUTHORIZED')
    expect((await connection.next())?.status).toBe(200)
    expect(fixture.runs.get('ping')).toBeUndefined()
    connection.destroy()
  })

  test('waits for a body that comes later and goes on behind it', async () => {
    const connection = await RawConnection.open(fixture)
    connection.send(denied.slice(0, -20))
    expect(codeOf((await connection.next())!)).toBe('UNAUTHORIZED')
    connection.send(denied.slice(-20) + goodPost)
    expect((await connection.next())?.status).toBe(200)
    expect(fixture.runs.get('ping')).toBeUndefined()
    connection.destroy()
  })

  test('is the only one when the body never comes', async () => {
    const connection = await RawConnection.open(fixture)
    expect((await connection.send(cut(denied)).halfClose().rest()).map(codeOf)).toEqual(['UNAUTHORIZED'])
  })

  test('reaches a client that goes on sending a body that is too large', async () => {
    const connection = await RawConnection.open(fixture)
    connection.send(`POST /v1/echo HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 9000000\r\n\r\n`)
    for (let i = 0; i < 90; i++) connection.send('x'.repeat(100_000))
    connection.halfClose()
    expect(codeOf((await connection.next())!)).toBe('PAYLOAD_TOO_LARGE')
    await connection.taken()
    expect(await connection.rest()).toEqual([])
  })
})

describe('Expect: 100-continue', () => {
  const expecting = (path: string, length = 7) =>
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nExpect: 100-Continue\r\n\r\n`

  test('is answered when the body is wanted, and the connection lives on', async () => {
    const connection = await RawConnection.open(fixture)
    expect((await connection.send(expecting('/v1/echo')).next())?.status).toBe(100)
    expect((await connection.send('{"a":1}').next())?.body).toBe('{"echo":{"a":1}}')
    connection.send(`${expecting('/v1/echo')}{"a":2}`)
    expect((await connection.next())?.status).toBe(100)
    expect((await connection.next())?.body).toBe('{"echo":{"a":2}}')
    expect((await connection.send(goodGet).next())?.status).toBe(200)
    connection.destroy()
  })

  test('waits for its turn behind another request', async () => {
    const connection = await RawConnection.open(fixture)
    connection.send(gatedGet + expecting('/v1/echo'))
    await gate.arrivals(1)
    await roundTrip()
    gate.release()
    expect((await connection.next())?.body).toContain('place')
    expect((await connection.next())?.status).toBe(100)
    expect((await connection.send('{"a":1}').next())?.status).toBe(200)
    connection.destroy()
  })

  test('is not answered when the request is refused first: the connection closes', async () => {
    for (const [bytes, code] of [
      [expecting('/v1/deny'), 'UNAUTHORIZED'],
      [expecting('/v1/echo', 99_999), 'PAYLOAD_TOO_LARGE'],
      [expecting('/v1/nowhere'), 'NOT_FOUND'],
    ] as const) {
      const answers = await sendRaw(fixture, bytes)
      expect(answers.map(codeOf)).toEqual([code])
      expect(answers[0]?.headers.get('connection')).toBe('close')
    }
  })

  test('an answer that closes keeps what stands behind it in the same packet from running', async () => {
    expect((await sendRaw(fixture, `${expecting('/v1/deny')}{"a":1}${goodPost}${goodGet}`)).map(codeOf)).toEqual([
      'UNAUTHORIZED',
    ])
    expect([...fixture.runs.keys()]).toEqual(['deny'])
  })

  test('on GET is ignored, and the connection closes', async () => {
    const answers = await sendRaw(fixture, goodGet.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'))
    expect(statuses(answers)).toEqual([200])
  })
})

describe('Upgrade', () => {
  const upgrade = '\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'

  test('is ignored, and the connection closes after the answer', async () => {
    for (const bytes of [goodGet, goodPost]) {
      const answers = await sendRaw(fixture, bytes.replace('\r\n\r\n', upgrade))
      expect(statuses(answers)).toEqual([200])
      expect(answers[0]?.headers.get('connection')).toBe('close')
    }
  })

  test('never lets the rest of a later request pass for a request', async () => {
    const connection = await RawConnection.open(fixture)
    connection.send(goodGet.replace('\r\n\r\n', upgrade) + post(goodGet).slice(0, -goodGet.length))
    connection.send(goodGet)
    expect(statuses(await connection.rest())).toEqual([200])
    expect(fixture.runs.get('ping')).toBe(1)
  })

  test('with a body that comes later is served', async () => {
    const connection = await RawConnection.open(fixture)
    const [head, body] = goodPost.split('\r\n\r\n')
    connection.send(head + upgrade)
    await roundTrip()
    expect(statuses(await connection.send(body!).rest())).toEqual([200])
  })
})

describe('a client that disappears', () => {
  test('does not stop the handler', async () => {
    const connection = await RawConnection.open(fixture)
    connection.send(gatedGet + goodPost)
    await gate.arrivals(1)
    connection.reset()
    await roundTrip()
    expect(fixture.server.inFlight()).toBe(1)
    const lines = fixture.log().split('\n').length
    gate.release()
    await roundTrip()
    expect(fixture.server.inFlight()).toBe(0)
    const added = fixture
      .log()
      .split('\n')
      .slice(lines - 1)
    expect(added.some((line) => line.includes('"operationId":"gated"') && line.includes('"status":200'))).toBe(true)
    // What waited behind it was never begun.
    expect(fixture.runs.get('echo')).toBeUndefined()
  })

  test('in its body ends the request without harm', async () => {
    const connection = await RawConnection.open(fixture)
    connection.send(cut(goodPost))
    await roundTrip()
    connection.reset()
    while (fixture.server.inFlight() > 0) await roundTrip()
    expect(fixture.observations.at(-2)?.code).toBe('REQUEST_BODY_INCOMPLETE')
  })
})
