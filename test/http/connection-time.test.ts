import { describe, expect, test } from 'vitest'
import type { Route } from '../../src/http/route.ts'
import { RawConnection } from '../../testkit/http/raw-http.ts'
import { codeOf, flawOf, goodGet, goodPost, ping, post, startFixture } from './fixture.ts'
import { cut, gate, gated, gatedGet, gatedServers, roundTrip, statuses } from './gated-servers.ts'

const servers = gatedServers()

describe('timeouts', () => {
  const slow: Record<string, string> = {
    'a silent connection': '',
    'slow headers': 'POST /v1/echo HTTP/1.1\r\nHo',
    'a slow body': cut(goodPost),
  }

  test.each(Object.entries(slow))('timeouts end %s with one REQUEST_TIMEOUT', async (_name, bytes) => {
    const connection = await RawConnection.open(servers.hasty)
    if (bytes !== '') connection.send(bytes)
    const responses = await connection.rest()
    expect(responses.map(codeOf)).toEqual(['REQUEST_TIMEOUT'])
    expect(flawOf(responses[0]!)).toBeNull()
    expect(responses[0]?.headers.get('connection')).toBe('close')
  })

  test('timeouts end slow headers of a second request with REQUEST_TIMEOUT', async () => {
    const connection = await RawConnection.open(servers.hasty)
    expect((await connection.send(`${goodGet}GET /v1`).next())?.status).toBe(200)
    expect((await connection.rest()).map(codeOf)).toEqual(['REQUEST_TIMEOUT'])
  })

  test('timeouts only close the connection when another request is being handled, after its response', async () => {
    const connection = await RawConnection.open(servers.hasty)
    connection.send(`${gatedGet}GET /v1`)
    await gate.arrivals(1)
    // A connection that started later has timed out, so this one's time is up too.
    const other = await RawConnection.open(servers.hasty)
    expect((await other.rest()).map(codeOf)).toEqual(['REQUEST_TIMEOUT'])
    gate.release()
    const responses = await connection.rest()
    expect(statuses(responses)).toEqual([200])
    expect(responses[0]?.headers.get('connection')).toBe('close')
  })

  test('timeouts do not limit the handler', async () => {
    const connection = await RawConnection.open(servers.hasty)
    connection.send(gatedGet)
    await gate.arrivals(1)
    const other = await RawConnection.open(servers.hasty)
    expect((await other.rest()).map(codeOf)).toEqual(['REQUEST_TIMEOUT'])
    gate.release()
    expect((await connection.next())?.status).toBe(200)
    expect((await connection.send(goodGet).next())?.status).toBe(200)
    connection.destroy()
  })

  test('timeouts spare a request that arrived in time although the process was suspended past the deadline', async () => {
    const connection = await RawConnection.open(servers.hasty)
    connection.send(cut(goodPost))
    await roundTrip(servers.hasty)
    connection.send(goodPost.slice(-3))
    // The bytes have arrived, but nothing reads them before the deadline timers are due.
    for (const end = performance.now() + 600; performance.now() < end; );
    expect((await connection.next())?.status).toBe(200)
    connection.destroy()
  })

  test('timeouts give no second response to a request that got one before its body arrived', async () => {
    const connection = await RawConnection.open(servers.hasty)
    const responses = await connection.send(cut(post('{"a":1}', { path: '/v1/deny' }))).rest()
    expect(responses.map(codeOf)).toEqual(['UNAUTHORIZED'])
  })
})

describe('an idle connection', () => {
  test('an idle connection is closed without a response after the idle limit', async () => {
    const brief = await startFixture({ keepAliveMs: 1 })
    const connection = await RawConnection.open(brief)
    expect((await connection.send(goodGet).next())?.status).toBe(200)
    expect(await connection.rest()).toEqual([])
    await brief.server.close()
  })

  test('an idle connection is kept while a handler runs', async () => {
    const brief = await startFixture({ routes: [ping, gated], keepAliveMs: 1, bodyDeadlineMs: 50, stallMs: 50 })
    const working = await RawConnection.open(brief)
    working.send(gatedGet)
    await gate.arrivals(1)
    const idle = await RawConnection.open(brief)
    expect((await idle.send(goodGet).next())?.status).toBe(200)
    // Node keeps an idle connection at least a second: by then the other has been quiet beyond its limit.
    expect(await idle.rest()).toEqual([])
    gate.release()
    expect((await working.next())?.status).toBe(200)
    working.destroy()
    await brief.server.close()
  })

  test('an idle connection is cut within one time limit when the peer reads no byte of its response', async () => {
    const big: Route = {
      ...ping,
      operationId: 'big',
      path: '/v1/big',
      handle: () => ({ status: 200, body: { filler: 'x'.repeat(30_000_000) } }),
    }
    // Node closes an idle connection a second after its limit: by then 1.5 times the non-reader's limit has passed.
    const brief = await startFixture({ routes: [ping, big], bodyDeadlineMs: 1000, stallMs: 1000, keepAliveMs: 2000 })
    const nonReader = (await RawConnection.open(brief)).pause().send(goodGet.replace('/v1/ping', '/v1/big'))
    while (!brief.runs.has('big')) await new Promise(setImmediate)
    const idle = await RawConnection.open(brief)
    expect((await idle.send(goodGet).next())?.status).toBe(200)
    expect(await idle.rest()).toEqual([])
    // A connection that is still open would deliver the whole response now.
    await expect(nonReader.resume().next()).rejects.toThrow('ended inside a response')
    await brief.server.close()
  })
})
