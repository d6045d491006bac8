import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '../../src/http/route.ts'
import { RawConnection } from '../../testkit/http/raw-http.ts'
import { codeOf, echo, type Fixture, flawOf, goodGet, host, ping, post, startFixture } from './fixture.ts'

/** Reads its body only after the whole packet was parsed, like a route with authentication. */
const late: Route = {
  operationId: 'late',
  method: 'POST',
  path: '/v1/late',
  handle: async (call) => {
    await new Promise(setImmediate)
    const [once, again] = [call.readJson(), call.readJson()]
    const body = await once
    return { status: 200, body: { keys: Object.keys(body), isSamePromise: once === again, body } }
  },
}

let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture({ routes: [ping, echo, late] })
})
afterAll(() => fixture.server.close())

const bare = (body: string, ...lines: string[]) =>
  `POST /v1/echo HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${body.length}\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n${body}`
const json = 'Content-Type: application/json'

const refused: Record<string, string> = {
  'no Content-Type': bare('{}'),
  'another Content-Type': bare('{}', 'Content-Type: text/plain'),
  'a Content-Type that only begins right': bare('{}', 'Content-Type: application/jsonx'),
  'a Content-Type that is no media type': bare('{}', 'Content-Type: ;;;'),
  'an empty Content-Type': bare('{}', 'Content-Type:'),
  'another charset': bare('{}', `${json}; charset=gbk`),
  'another parameter': bare('{}', `${json}; version=1`),
  'two charsets': bare('{}', `${json}; charset=utf-8; charset=utf-8`),
  'Content-Type twice': bare('{}', json, json),
  'Content-Type as a list': bare('{}', `${json}, application/json`),
  'a compressed body': bare('{}', json, 'Content-Encoding: gzip'),
  'Content-Encoding identity': bare('{}', json, 'Content-Encoding: identity'),
  'an empty body': bare('', json),
  'white space': bare('  ', json),
  'broken JSON': bare('{"a":', json),
  'two values': bare('{}{}', json),
  'an array': bare('[{}]', json),
  null: bare('null', json),
  'a string': bare('"{}"', json),
  'a number': bare('1', json),
  'a byte order mark': bare('\xef\xbb\xbf{}', json),
  'a byte that is no UTF-8': bare('{"a":"\xff"}', json),
  'an overlong encoding': bare('{"a":"\xc0\xaf"}', json),
  'an encoded surrogate': bare('{"a":"\xed\xa0\x80"}', json),
  'UTF-16': bare('{\0}\0', json),
  'a comment': bare('{/**/}', json),
  'a trailing comma': bare('{"a":1,}', json),
  NaN: bare('{"a":NaN}', json),
}

describe.each(Object.entries(refused))('a body with %s', (_name, bytes) => {
  test('a bad body is INVALID_JSON, and the connection serves the next request', async () => {
    const connection = await RawConnection.open(fixture)
    for (const sent of [bytes, bytes.replace('/v1/echo', '/v1/late'), bytes + bytes]) {
      connection.send(sent)
      for (let i = 0; i < (sent === bytes + bytes ? 2 : 1); i++) {
        const response = await connection.next()
        expect(flawOf(response!)).toBeNull()
        expect(codeOf(response!)).toBe('INVALID_JSON')
      }
    }
    expect((await connection.send(goodGet).next())?.status).toBe(200)
    connection.destroy()
  })
})

test.each([
  json,
  'Content-Type: Application/JSON',
  `${json};charset=utf-8`,
  `${json} ; charset=UTF-8`,
  `${json}; charset="utf-8"`,
])('%s is accepted', async (line) => {
  const connection = await RawConnection.open(fixture)
  expect((await connection.send(bare('{"a":"\xe4\xbd\xa0"}', line)).next())?.body).toBe('{"echo":{"a":"你"}}')
  connection.destroy()
})

test('a __proto__ or constructor key is an ordinary field and changes no prototype', async () => {
  const body = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":1}'
  const connection = await RawConnection.open(fixture)
  const response = await connection.send(post(body, { path: '/v1/late' })).next()
  const { keys, isSamePromise } = JSON.parse(response!.body)
  expect(keys).toEqual(['__proto__', 'constructor', 'a'])
  expect(isSamePromise).toBe(true)
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  connection.destroy()
})

describe.each(['/v1/echo', '/v1/late'])('on %s', (path) => {
  test('a body of exactly the limit is accepted, however it is split into packets', async () => {
    const body = JSON.stringify({ a: 'x'.repeat(65_536 - 8) })
    expect(body).toHaveLength(65_536)
    const bytes = post(body, { path })
    for (const size of [bytes.length, 1_000, 30_000]) {
      const connection = await RawConnection.open(fixture)
      for (let at = 0; at < bytes.length; at += size) connection.send(bytes.slice(at, at + size))
      expect((await connection.next())?.status).toBe(200)
      expect((await connection.send(goodGet).next())?.status).toBe(200)
      connection.destroy()
    }
  })

  test('a body that arrives byte by byte is read whole', async () => {
    const connection = await RawConnection.open(fixture)
    for (const byte of post('{"a":"slowly"}', { path })) connection.send(byte)
    expect((await connection.next())?.body).toContain('"a":"slowly"')
    connection.destroy()
  })
})

test('the limit is configurable', async () => {
  const small = await startFixture({ bodyLimitBytes: 10 })
  const connection = await RawConnection.open(small)
  expect((await connection.send(post('{"a":1234}')).next())?.status).toBe(200)
  expect(codeOf((await connection.send(post('{"a":12345}')).next())!)).toBe('PAYLOAD_TOO_LARGE')
  expect(await connection.rest()).toEqual([])
  await small.server.close()
})
