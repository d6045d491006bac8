import { describe, expect, test } from 'vitest'
import { RawConnection, sendRaw } from '../../testkit/http/raw-http.ts'
import { codeOf, goodGet, goodPost, host, post } from './fixture.ts'
import { cut, gate, gatedGet, gatedServers, roundTrip, statuses } from './gated-servers.ts'

const servers = gatedServers()

describe('a response before the body', () => {
  const denied = post(goodGet, { path: '/v1/deny' })

  test('a response before the body skips the body and never takes it for a request', async () => {
    const connection = await RawConnection.open(servers.fixture)
    connection.send(denied + denied + goodPost)
    expect(codeOf((await connection.next())!)).toBe('UNAUTHORIZED')
    expect(codeOf((await connection.next())!)).toBe('UNAUTHORIZED')
    expect((await connection.next())?.status).toBe(200)
    expect(servers.fixture.runs.get('ping')).toBeUndefined()
    connection.destroy()
  })

  test('a response before the body waits for a body that arrives later and serves the next request after it', async () => {
    const connection = await RawConnection.open(servers.fixture)
    connection.send(denied.slice(0, -20))
    expect(codeOf((await connection.next())!)).toBe('UNAUTHORIZED')
    connection.send(denied.slice(-20) + goodPost)
    expect((await connection.next())?.status).toBe(200)
    expect(servers.fixture.runs.get('ping')).toBeUndefined()
    connection.destroy()
  })

  test('a response before the body is the only one when the body never arrives', async () => {
    const connection = await RawConnection.open(servers.fixture)
    expect((await connection.send(cut(denied)).halfClose().rest()).map(codeOf)).toEqual(['UNAUTHORIZED'])
  })

  test('a response before the body reaches a client that keeps sending a body that is too large', async () => {
    const connection = await RawConnection.open(servers.fixture)
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

  test('Expect: 100-continue is granted when the body is wanted, and the connection stays open', async () => {
    const connection = await RawConnection.open(servers.fixture)
    expect((await connection.send(expecting('/v1/echo')).next())?.status).toBe(100)
    expect((await connection.send('{"a":1}').next())?.body).toBe('{"echo":{"a":1}}')
    connection.send(`${expecting('/v1/echo')}{"a":2}`)
    expect((await connection.next())?.status).toBe(100)
    expect((await connection.next())?.body).toBe('{"echo":{"a":2}}')
    expect((await connection.send(goodGet).next())?.status).toBe(200)
    connection.destroy()
  })

  test('Expect: 100-continue waits for its turn behind another request', async () => {
    const connection = await RawConnection.open(servers.fixture)
    connection.send(gatedGet + expecting('/v1/echo'))
    await gate.arrivals(1)
    await roundTrip(servers.fixture)
    gate.release()
    expect((await connection.next())?.body).toContain('place')
    expect((await connection.next())?.status).toBe(100)
    expect((await connection.send('{"a":1}').next())?.status).toBe(200)
    connection.destroy()
  })

  test('Expect: 100-continue is not granted when the request is refused first: the connection closes', async () => {
    for (const [bytes, code] of [
      [expecting('/v1/deny'), 'UNAUTHORIZED'],
      [expecting('/v1/echo', 99_999), 'PAYLOAD_TOO_LARGE'],
      [expecting('/v1/nowhere'), 'NOT_FOUND'],
    ] as const) {
      const responses = await sendRaw(servers.fixture, bytes)
      expect(responses.map(codeOf)).toEqual([code])
      expect(responses[0]?.headers.get('connection')).toBe('close')
    }
  })

  test('a response that closes keeps later requests in the same packet from running', async () => {
    expect(
      (await sendRaw(servers.fixture, `${expecting('/v1/deny')}{"a":1}${goodPost}${goodGet}`)).map(codeOf),
    ).toEqual(['UNAUTHORIZED'])
    expect([...servers.fixture.runs.keys()]).toEqual(['deny'])
  })

  test('Expect: 100-continue on GET is ignored, and the connection closes', async () => {
    const responses = await sendRaw(servers.fixture, goodGet.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'))
    expect(statuses(responses)).toEqual([200])
  })
})

describe('Upgrade', () => {
  const upgrade = '\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'

  test('Upgrade is ignored, and the connection closes after the response', async () => {
    for (const bytes of [goodGet, goodPost]) {
      const responses = await sendRaw(servers.fixture, bytes.replace('\r\n\r\n', upgrade))
      expect(statuses(responses)).toEqual([200])
      expect(responses[0]?.headers.get('connection')).toBe('close')
    }
  })

  test('Upgrade never lets the rest of a later request count as a request', async () => {
    const connection = await RawConnection.open(servers.fixture)
    connection.send(goodGet.replace('\r\n\r\n', upgrade) + post(goodGet).slice(0, -goodGet.length))
    connection.send(goodGet)
    expect(statuses(await connection.rest())).toEqual([200])
    expect(servers.fixture.runs.get('ping')).toBe(1)
  })

  test('Upgrade with a body that arrives later is served', async () => {
    const connection = await RawConnection.open(servers.fixture)
    const [head, body] = goodPost.split('\r\n\r\n')
    connection.send(head + upgrade)
    await roundTrip(servers.fixture)
    expect(statuses(await connection.send(body!).rest())).toEqual([200])
  })
})
