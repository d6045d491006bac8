import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Route } from '../../src/http/route.ts'
import { RawConnection } from '../../testkit/http/raw-http.ts'
import { echo, type Fixture, Gate, goodGet, goodPost, host, ping, startFixture } from './fixture.ts'

const gate = new Gate()
const gated: Route = {
  operationId: 'gated',
  method: 'GET',
  path: '/v1/gated',
  handle: async () => ({ status: 200, body: { place: await gate.pass() } }),
}
const gatedGet = `GET /v1/gated HTTP/1.1\r\nHost: ${host}\r\n\r\n`
/** Longer than any test: a drain that needs it has failed. */
const aWhileMs = 60_000

let fixture: Fixture
beforeEach(async () => {
  gate.reset()
  fixture = await startFixture({ routes: [ping, echo, gated] })
})
afterEach(() => fixture.server.close())

describe('draining', () => {
  test('draining with nothing under way ends at once and accepts no new connection', async () => {
    await fixture.server.drain(aWhileMs)
    await expect(RawConnection.open(fixture)).rejects.toThrow('ECONNREFUSED')
  })

  test('draining closes idle connections, even one that never sent a byte', async () => {
    const idle = await RawConnection.open(fixture)
    expect((await idle.send(goodGet).next())?.status).toBe(200)
    const silent = await RawConnection.open(fixture)
    const begun = await RawConnection.open(fixture)
    begun.send('GET /v1/pi')
    // A response on a later connection proves that the server has accepted the earlier ones.
    const last = await RawConnection.open(fixture)
    expect((await last.send(goodGet).next())?.status).toBe(200)
    await fixture.server.drain(aWhileMs)
    for (const connection of [idle, silent, begun, last]) expect(await connection.rest()).toEqual([])
  })

  test('draining lets requests under way finish with Connection: close', async () => {
    const connection = await RawConnection.open(fixture)
    connection.send(gatedGet)
    await gate.arrivals(1)
    const drained = fixture.server.drain(aWhileMs)
    expect(fixture.server.inFlight()).toBe(1)
    await expect(RawConnection.open(fixture)).rejects.toThrow('ECONNREFUSED')
    gate.release()
    const responses = await connection.rest()
    expect(responses.map(({ status, headers }) => [status, headers.get('connection')])).toEqual([[200, 'close']])
    await drained
    expect(fixture.server.inFlight()).toBe(0)
  })

  test('draining that was only announced still accepts connections, and asks each to close', async () => {
    const earlier = await RawConnection.open(fixture)
    expect((await earlier.send(goodGet).next())?.headers.get('connection')).not.toBe('close')
    fixture.server.announceDrain()
    const later = await RawConnection.open(fixture)
    for (const connection of [earlier, later]) {
      connection.send(goodGet)
      const responses = await connection.rest()
      expect(responses.map(({ status, headers }) => [status, headers.get('connection')])).toEqual([[200, 'close']])
    }
    await fixture.server.drain(aWhileMs)
    await expect(RawConnection.open(fixture)).rejects.toThrow('ECONNREFUSED')
  })

  test('draining waits for a body that is still arriving', async () => {
    const connection = await RawConnection.open(fixture)
    connection.send(goodPost.slice(0, -3))
    while (fixture.server.inFlight() === 0) await new Promise(setImmediate)
    const drained = fixture.server.drain(aWhileMs)
    const responses = await connection.send(goodPost.slice(-3)).rest()
    expect(responses.map(({ status, headers }) => [status, headers.get('connection')])).toEqual([[200, 'close']])
    await drained
  })

  test('draining starts no request that waits behind another', async () => {
    const connection = await RawConnection.open(fixture)
    connection.send(gatedGet + goodGet + goodPost)
    await gate.arrivals(1)
    const drained = fixture.server.drain(aWhileMs)
    gate.release()
    expect((await connection.rest()).map(({ status }) => status)).toEqual([200])
    await drained
    expect([...fixture.runs]).toEqual([['gated', 1]])
  })

  test('draining closes a connection after a response that is already being sent', async () => {
    const body = { filler: 'x'.repeat(30_000_000) }
    const big = await startFixture({ routes: [{ ...ping, handle: () => ({ status: 200, body }) }, echo] })
    const connection = (await RawConnection.open(big)).pause().send(goodGet + goodPost)
    while (big.observations.length === 0) await new Promise(setImmediate)
    const drained = big.server.drain(aWhileMs)
    const responses = await connection.resume().rest()
    expect(responses.map(({ status, headers }) => [status, headers.get('connection')])).toEqual([[200, 'keep-alive']])
    await drained
    expect(big.runs.has('echo')).toBe(false)
  })

  test('draining waits for a handler whose client has disconnected', async () => {
    const connection = await RawConnection.open(fixture)
    connection.send(gatedGet)
    await gate.arrivals(1)
    connection.reset()
    let isDrained = false
    const drained = fixture.server.drain(aWhileMs).then(() => {
      isDrained = true
    })
    for (let i = 0; i < 20; i++) await new Promise(setImmediate)
    expect(isDrained).toBe(false)
    gate.release()
    await drained
  })

  test('draining destroys the remaining connections when its time is up', async () => {
    const connection = await RawConnection.open(fixture)
    connection.send(gatedGet)
    await gate.arrivals(1)
    await fixture.server.drain(50)
    expect(fixture.server.inFlight()).toBe(1)
    expect(await connection.rest()).toEqual([])
    gate.release()
  })
})
