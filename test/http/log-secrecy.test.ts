import { expect, test } from 'vitest'
import { Refusal } from '../../src/contract/errors.ts'
import type { Route } from '../../src/http/route.ts'
import { RawConnection } from '../../testkit/http/raw-http.ts'
import { echo, host, ping, startFixture } from './fixture.ts'

const secret = 'S3CRET-marker-9f8e7d'
const phone = '13800138000'

const routes: Route[] = [
  ping,
  echo,
  {
    operationId: 'keys.revoke',
    method: 'POST',
    path: '/v1/keys/{keyId}/revoke',
    handle: async (call) => {
      await call.readJson()
      throw new Refusal('KEY_NOT_FOUND')
    },
  },
  {
    operationId: 'broken',
    method: 'POST',
    path: '/v1/broken/{mode}',
    handle: async (call) => {
      const body = await call.readJson()
      if (call.params.mode === 'parse') JSON.parse(String(body.text))
      if (call.params.mode === 'string') throw body.text
      throw Object.assign(new Error('the store failed'), { detail: `Key (phone)=(${body.text})`, parameters: [body] })
    },
  },
]

const names = [
  'Authorization',
  'Cookie',
  'Origin',
  'Idempotency-Key',
  'X-CSRF-Token',
  'X-Request-Id',
  'User-Agent',
  'Referer',
  'Host',
  'Content-Type',
  'Content-Length',
  'Transfer-Encoding',
  'Expect',
  'Upgrade',
  `X-${secret}`,
]
const body = JSON.stringify({ text: secret, phone })
const withBody = (target: string, ...lines: string[]) =>
  `POST ${target} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n${body}`

const inputs = [
  ...names.flatMap((name) => [
    `GET /v1/ping HTTP/1.1\r\nHost: ${host}\r\n${name}: ${secret}\r\n\r\n`,
    withBody('/v1/echo', `${name}: Bearer ${secret}`),
    withBody('/v1/echo', `${name}: ${secret}`, `${name}: ${secret}`),
  ]),
  withBody(`/v1/echo?key=${secret}&phone=${phone}`),
  withBody(`/v1/${secret}`),
  withBody(`/v1/keys/${secret}/revoke`),
  withBody(`/v1/keys/${secret}%2f/revoke`),
  withBody(`/v1/broken/${secret}`),
  withBody('/v1/broken/parse'),
  withBody('/v1/broken/string'),
  withBody('/v1/echo', 'Content-Encoding: gzip'),
  withBody(`http://${secret}/v1/echo`),
  withBody(`/v1/echo#${secret}`),
  withBody(`/v1/\xff${secret}`),
  withBody('/v1/echo', `Bad ${secret}: ${secret}`),
  withBody('/v1/echo', `X: \x01${secret}`),
  withBody('/v1/echo', `Content-Length: ${secret}`),
  withBody('/v1/echo', `X: ${secret.repeat(1000)}`),
  withBody('/v1/echo').slice(0, -5),
  `${secret} / HTTP/1.1\r\n\r\n`,
  `GET /v1/ping HTTP/${secret}\r\n\r\n`,
  `GET /v1/ping ${secret}\r\n\r\n`,
  `CONNECT ${secret}:443 HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  `DELETE /v1/ping?${secret} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  `GET /v1/ping HTTP/1.1\r\nHost: ${host}\r\n\r\n${secret}`,
]

test('no header value, path, query, body or packet of any request reaches the log or a metric', async () => {
  const fixture = await startFixture({ routes })
  for (const input of inputs) {
    const connection = await RawConnection.open(fixture)
    await connection.send(input).halfClose().rest()
  }
  await fixture.server.drain(10_000)
  const log = fixture.log()
  expect(log).not.toContain(secret)
  expect(log).not.toContain(phone)
  expect(log).not.toContain(host)
  expect(JSON.stringify(fixture.observations)).not.toContain(secret)

  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const finished = lines.filter(({ msg }) => msg === 'request')
  expect(finished).toHaveLength(fixture.observations.length)
  expect(finished.length).toBeGreaterThanOrEqual(inputs.length)
  for (const { level, time, pid, hostname, msg, ...fields } of finished) {
    expect(Object.keys(fields).sort()).toEqual(
      ['code', 'durationMs', 'method', 'operationId', 'requestId', 'route', 'status'].sort(),
    )
    expect(['/v1/ping', '/v1/echo', '/v1/keys/{keyId}/revoke', '/v1/broken/{mode}', 'unmatched']).toContain(
      fields.route,
    )
  }
  expect(new Set(finished.map(({ requestId }) => requestId)).size).toBe(finished.length)
  expect(lines.filter(({ msg }) => msg === 'request failed').length).toBeGreaterThanOrEqual(3)
})
