import { describe, expect, test } from 'vitest'
import { RawConnection, sendRaw } from '../../testkit/http/raw-http.ts'
import { codeOf, flawOf, goodGet, goodPost, ping, post, startFixture } from './fixture.ts'
import { cut, gate, gatedGet, gatedPost, gatedServers, roundTrip, statuses } from './gated-servers.ts'

const servers = gatedServers()

/** Request ids of the fixture are numbered. */
async function nextRequestId(): Promise<number> {
  const connection = await RawConnection.open(servers.fixture)
  const response = await connection.send(goodGet).next()
  connection.destroy()
  return Number(response!.headers.get('x-request-id')!.slice('req_'.length))
}

describe('pipelining', () => {
  test('requests of one socket run one after the other and get their responses in order', async () => {
    const connection = await RawConnection.open(servers.fixture)
    connection.send(gatedGet + gatedGet + gatedGet)
    for (let turn = 1; turn <= 3; turn++) {
      await gate.arrivals(turn)
      await roundTrip(servers.fixture)
      expect(gate.arrived).toBe(turn)
      gate.release()
      expect(JSON.parse((await connection.next())!.body)).toEqual({ place: turn })
    }
    connection.destroy()
  })

  test('requests of different sockets run in parallel', async () => {
    const connections = await Promise.all([1, 2, 3].map(() => RawConnection.open(servers.fixture)))
    for (const connection of connections) connection.send(gatedGet)
    await gate.arrivals(3)
    expect(servers.fixture.server.inFlight()).toBe(3)
    for (const _ of connections) gate.release()
    for (const connection of connections) {
      expect((await connection.next())?.status).toBe(200)
      connection.destroy()
    }
  })

  test('a hundred requests at once, with bodies, are all served', async () => {
    const connection = await RawConnection.open(servers.fixture)
    connection.send(Array.from({ length: 100 }, (_, i) => post(`{"i":${i}}`)).join(''))
    for (let i = 0; i < 100; i++) expect((await connection.next())?.body).toBe(`{"echo":{"i":${i}}}`)
    expect((await connection.send(goodGet).next())?.status).toBe(200)
    connection.destroy()
  })

  test('a flood on one socket is served completely and in order, while other sockets are served too', async () => {
    const flood = await RawConnection.open(servers.fixture)
    const total = 5_000
    flood.send(Array.from({ length: total }, (_, i) => post(`{"i":${i}}`)).join(''))
    expect((await flood.next())?.body).toBe('{"echo":{"i":0}}')
    await roundTrip(servers.fixture)
    expect(servers.fixture.runs.get('echo')).toBeLessThan(total)
    for (let i = 1; i < total; i++) expect((await flood.next())?.body).toBe(`{"echo":{"i":${i}}}`)
    flood.destroy()
  })

  test('only a few requests of a socket are read ahead while one is handled', async () => {
    const connection = await RawConnection.open(servers.fixture)
    const idBefore = await nextRequestId()
    connection.send(gatedGet + goodGet.repeat(1_000))
    await gate.arrivals(1)
    const takenIn = (await nextRequestId()) - idBefore
    expect(takenIn).toBeLessThan(20)
    gate.release()
    for (let i = 0; i <= 1_000; i++) expect((await connection.next())?.status).toBe(200)
    connection.destroy()
  })

  test('behind a slow request the socket is no longer read, and everything is served later', async () => {
    const connection = await RawConnection.open(servers.fixture)
    connection.send(gatedGet)
    await gate.arrivals(1)
    const total = 400
    for (let i = 0; i < total; i++) connection.send(post(`{"i":${i},"pad":"${'x'.repeat(8_000)}"}`))
    await roundTrip(servers.fixture)
    gate.release()
    expect((await connection.next())?.status).toBe(200)
    for (let i = 0; i < total; i++) expect(JSON.parse((await connection.next())!.body).echo.i).toBe(i)
    connection.destroy()
  })

  test('nothing runs after a request that asks to close', async () => {
    const closing = goodGet.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
    expect(statuses(await sendRaw(servers.fixture, closing + goodGet + goodPost))).toEqual([200])
    expect(servers.fixture.runs.get('ping')).toBe(1)
  })
})

describe('garbage behind a request that is being handled', () => {
  test.each([
    '@@@@',
    'GET / HTTP/9.9\r\n\r\n',
    'POST /v1/echo HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n',
  ])('%j waits for that response, which closes the connection', async (garbage) => {
    const connection = await RawConnection.open(servers.fixture)
    connection.send(gatedGet)
    await gate.arrivals(1)
    connection.send(garbage)
    await roundTrip(servers.fixture)
    gate.release()
    const responses = await connection.rest()
    expect(statuses(responses)).toEqual([200])
    expect(responses[0]?.headers.get('connection')).toBe('close')
    expect(connection.wasReset).toBe(false)
  })

  test('garbage behind a request that is being handled lets every complete request before it finish', async () => {
    const connection = await RawConnection.open(servers.fixture)
    connection.send(`${gatedGet + goodPost + goodGet}@@@@${goodGet}`)
    await gate.arrivals(1)
    await roundTrip(servers.fixture)
    gate.release()
    const responses = await connection.rest()
    expect(statuses(responses)).toEqual([200, 200, 200])
    expect(responses.map(({ headers }) => headers.get('connection'))).toEqual(['keep-alive', 'keep-alive', 'close'])
  })

  test('garbage behind a request that is being handled never interrupts a response that is being sent', async () => {
    const big = await startFixture({
      routes: [{ ...ping, handle: () => ({ status: 200, body: { filler: 'x'.repeat(8_000_000) } }) }],
    })
    const connection = await RawConnection.open(big)
    const responses = await connection.send(`${goodGet}@@@@`).rest()
    expect(responses[0]?.body).toHaveLength(8_000_013)
    expect(responses.length).toBeLessThanOrEqual(2)
    await big.server.close()
  })
})

describe('a client that half-closes', () => {
  test('a client that half-closes after a complete request still gets its response', async () => {
    for (const bytes of [goodPost, goodGet, goodGet + goodPost]) {
      const connection = await RawConnection.open(servers.fixture)
      const responses = await connection.send(bytes).halfClose().rest()
      expect(new Set(statuses(responses))).toEqual(new Set([200]))
      expect(responses).toHaveLength(bytes === goodGet + goodPost ? 2 : 1)
    }
  })

  test.each([
    ['', []],
    [goodPost.slice(0, -1), [400]],
    ['GET /v1/pi', []],
  ])(
    'a client that half-closes after 400 pipelined requests and %j gets the response of each complete one',
    async (rest, more) => {
      const connection = await RawConnection.open(servers.fixture)
      connection.send(goodPost.repeat(400) + rest).halfClose()
      expect(statuses(await connection.rest())).toEqual([...Array(400).fill(200), ...more])
      expect(connection.wasReset).toBe(false)
    },
  )

  test('a client that half-closes behind a refused request gets nothing for what follows it', async () => {
    const connection = await RawConnection.open(servers.fixture)
    const refused = goodPost.replace('HTTP/1.1', 'HTTP/1.0')
    connection.send(goodPost.repeat(100) + refused + goodPost.repeat(300)).halfClose()
    expect(statuses(await connection.rest())).toEqual([...Array(100).fill(200), 505])
    expect(servers.fixture.runs.get('echo')).toBe(100)
  })

  test('a client that half-closes while its request is being handled still gets its response', async () => {
    const connection = await RawConnection.open(servers.fixture)
    connection.send(gatedGet).halfClose()
    await gate.arrivals(1)
    await roundTrip(servers.fixture)
    gate.release()
    expect(statuses(await connection.rest())).toEqual([200])
  })

  test('a client that half-closes in the body gets REQUEST_BODY_INCOMPLETE once', async () => {
    for (const before of ['', goodGet]) {
      const connection = await RawConnection.open(servers.fixture)
      const responses = await connection
        .send(before + cut(goodPost))
        .halfClose()
        .rest()
      const last = responses.pop()!
      expect(codeOf(last)).toBe('REQUEST_BODY_INCOMPLETE')
      expect(flawOf(last)).toBeNull()
      expect(last.headers.get('connection')).toBe('close')
      expect(statuses(responses)).toEqual(before === '' ? [] : [200])
    }
  })

  test('a client that half-closes in the headers gets no response', async () => {
    for (const bytes of ['', 'GE', 'GET /v1/ping HTTP/1.1\r\nHo', goodGet.slice(0, -2)]) {
      const connection = await RawConnection.open(servers.fixture)
      expect(await connection.send(bytes).halfClose().rest()).toEqual([])
      expect(connection.wasReset).toBe(false)
    }
    expect(servers.fixture.runs.size).toBe(0)
  })

  test('a client that half-closes in the headers of a second request gets only the first response', async () => {
    const connection = await RawConnection.open(servers.fixture)
    expect(statuses(await connection.send(`${goodPost}GET /v1/pi`).halfClose().rest())).toEqual([200])
  })

  test('a client that half-closes in a body that waits behind another request: both get their responses in order', async () => {
    const connection = await RawConnection.open(servers.fixture)
    connection.send(gatedGet + cut(goodPost)).halfClose()
    await gate.arrivals(1)
    await roundTrip(servers.fixture)
    gate.release()
    const responses = await connection.rest()
    expect(statuses(responses)).toEqual([200, 400])
    expect(codeOf(responses[1]!)).toBe('REQUEST_BODY_INCOMPLETE')
  })

  test('a client that half-closes in the body of an unauthorised request gets the authorisation error', async () => {
    const connection = await RawConnection.open(servers.fixture)
    connection.send(cut(gatedPost)).halfClose()
    await gate.arrivals(1)
    await roundTrip(servers.fixture)
    gate.release()
    expect((await connection.rest()).map(codeOf)).toEqual(['UNAUTHORIZED'])
  })
})

describe('a client that disappears', () => {
  test('a client that disappears does not stop the handler', async () => {
    const connection = await RawConnection.open(servers.fixture)
    connection.send(gatedGet + goodPost)
    await gate.arrivals(1)
    connection.reset()
    await roundTrip(servers.fixture)
    expect(servers.fixture.server.inFlight()).toBe(1)
    const lines = servers.fixture.log().split('\n').length
    gate.release()
    await roundTrip(servers.fixture)
    expect(servers.fixture.server.inFlight()).toBe(0)
    const added = servers.fixture
      .log()
      .split('\n')
      .slice(lines - 1)
    expect(added.some((line) => line.includes('"operationId":"gated"') && line.includes('"status":200'))).toBe(true)
    // The requests behind it never started.
    expect(servers.fixture.runs.get('echo')).toBeUndefined()
  })

  test('a client that disappears in its body ends only its own request', async () => {
    const connection = await RawConnection.open(servers.fixture)
    connection.send(cut(goodPost))
    await roundTrip(servers.fixture)
    connection.reset()
    while (servers.fixture.server.inFlight() > 0) await roundTrip(servers.fixture)
    expect(servers.fixture.observations.at(-2)?.code).toBe('REQUEST_BODY_INCOMPLETE')
  })
})
