import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { blockLoop } from '../../testkit/http/block-loop.ts'
import { RawConnection } from '../../testkit/http/raw-http.ts'
import { codeOf, type Fixture, goodGet, goodPost, startFixture } from './fixture.ts'
import { cut, statuses } from './gated-servers.ts'

const bodyDeadlineMs = 300

let fixture: Fixture
beforeEach(async () => {
  fixture = await startFixture({ bodyDeadlineMs })
})
afterEach(() => fixture.server.close())

/** Sends bytes and resolves once the server has read them. */
async function begin(bytes: string): Promise<RawConnection> {
  const connection = await RawConnection.open(fixture)
  connection.send(bytes)
  const other = await RawConnection.open(fixture)
  expect((await other.send(goodGet).next())?.status).toBe(200)
  other.destroy()
  return connection
}

describe('a pause of the event loop past the deadline of a request', () => {
  const halves = { 'its head': goodPost.slice(0, 10), 'its body': cut(goodPost) }

  test.each(Object.entries(halves))(
    'a pause of the event loop past the deadline of a request does not harm a request when the rest of %s arrived during the pause',
    async (_, first) => {
      const connection = await begin(first)
      connection.send(goodPost.slice(first.length))
      blockLoop(bodyDeadlineMs * 2)
      expect((await connection.next())?.status).toBe(200)
      expect((await connection.send(goodGet).next())?.status).toBe(200)
      connection.destroy()
    },
  )

  test.each(Object.entries(halves))(
    'a pause of the event loop past the deadline of a request times the request out when the rest of %s is still missing',
    async (_, first) => {
      const connection = await begin(first)
      blockLoop(bodyDeadlineMs * 2)
      expect((await connection.rest()).map(codeOf)).toEqual(['REQUEST_TIMEOUT'])
    },
  )

  test('a pause of the event loop past the deadline of a request times the request out when only its head arrived during the pause', async () => {
    const connection = await begin(goodPost.slice(0, 10))
    connection.send(cut(goodPost).slice(10))
    blockLoop(bodyDeadlineMs * 2)
    expect((await connection.rest()).map(codeOf)).toEqual(['REQUEST_TIMEOUT'])
  })
})

test('a request that arrived on an idle connection while the event loop was paused is served', async () => {
  const brief = await startFixture({ bodyDeadlineMs: 200, stallMs: 100, keepAliveMs: 100 })
  const connection = await RawConnection.open(brief)
  expect((await connection.send(goodGet).next())?.status).toBe(200)
  connection.send(goodGet)
  // Node keeps an idle connection a second longer than configured.
  blockLoop(1500)
  expect((await connection.next())?.status).toBe(200)
  expect(statuses(await connection.rest())).toEqual([])
  await brief.server.close()
})
