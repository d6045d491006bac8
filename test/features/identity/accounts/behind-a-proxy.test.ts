import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser, newPhone, password } from '../../../../testkit/gateway/browser.ts'
import { type Gateway, origin, startGateway, TestClock } from '../../../../testkit/gateway/gateway.ts'
import { RawConnection } from '../../../../testkit/http/raw-http.ts'
import { httpEngines } from '../../../../testkit/store/engines.ts'

const twice = { max: 2, windowSeconds: 60 }
const limits = { sendCodePerRequester: twice, registerPerRequester: twice, loginPerRequester: twice }
const paths = ['/v1/auth/send-code', '/v1/auth/register', '/v1/auth/login']

/** Statuses of requests with faulty bodies: 400 once they have passed the limit of their requester. */
async function statuses(gateway: Gateway, path: string, forwarded: readonly (string | null)[]): Promise<number[]> {
  const found: number[] = []
  for (const list of forwarded) {
    const headers = list === null ? {} : { 'x-forwarded-for': list }
    found.push((await new Browser(gateway).post(path, {}, headers)).status)
  }
  return found
}

describe.each(httpEngines)('the limits per requester on %s', (engine) => {
  const clock = new TestClock()
  let direct: Gateway
  let proxied: Gateway
  beforeAll(async () => {
    direct = await startGateway({ engine, clock: clock.read, file: { limits } })
    proxied = await startGateway({
      engine,
      clock: clock.read,
      file: { limits },
      environment: { GATEWAY_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' },
    })
  })
  afterAll(async () => {
    await proxied.stop()
    await direct.stop()
  })
  const nextWindow = () => clock.advanceSeconds(60)

  it.each(paths)('%s: X-Forwarded-For from a peer that is not trusted changes nothing', async (path) => {
    nextWindow()
    expect(await statuses(direct, path, ['203.0.113.1', '203.0.113.2', '203.0.113.3', null])).toEqual([
      400, 400, 429, 429,
    ])
  })

  it.each(paths)('%s: whom a trusted proxy names is counted', async (path) => {
    nextWindow()
    const one = '203.0.113.1'
    expect(await statuses(proxied, path, [one, `1.1.1.1, ${one}`, `${one}, 10.0.0.2`])).toEqual([400, 400, 429])
    expect(await statuses(proxied, path, ['203.0.113.2', '203.0.113.2', '203.0.113.2'])).toEqual([400, 400, 429])
  })

  it('malformed lists and none at all count as the proxy', async () => {
    nextWindow()
    expect(await statuses(proxied, paths[2]!, ['nonsense', null, '203.0.113.1, nonsense'])).toEqual([400, 400, 429])
    expect(await statuses(proxied, paths[2]!, ['203.0.113.1'])).toEqual([400])
  })

  it('IPv6 requesters count by their /64', async () => {
    nextWindow()
    const list = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:DB8:1:2::3', '2001:db8:1:3::1']
    expect(await statuses(proxied, paths[2]!, list)).toEqual([400, 400, 429, 400])
  })

  it('several X-Forwarded-For headers are one list', async () => {
    nextWindow()
    const send = async () => {
      const connection = await RawConnection.open({ port: proxied.app.public.port })
      const lines = ['X-Forwarded-For: 1.1.1.1', `x-forwarded-for: 203.0.113.1`, 'X-Forwarded-For: 10.0.0.3']
      connection.send(
        `POST ${paths[2]} HTTP/1.1\r\nHost: localhost:8787\r\nOrigin: ${origin}\r\n${lines.join('\r\n')}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
      )
      const response = await connection.next()
      connection.destroy()
      return response?.status
    }
    expect([await send(), await send(), await send()]).toEqual([400, 400, 429])
    expect(await statuses(proxied, paths[2]!, ['203.0.113.1', '1.1.1.1'])).toEqual([429, 400])
  })
})

describe.each(httpEngines)('the limits of login on %s', (engine) => {
  const clock = new TestClock()
  const phone = newPhone()
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway({
      engine,
      clock: clock.read,
      environment: { GATEWAY_TRUSTED_PROXIES: '127.0.0.0/8' },
    })
    await new Browser(gateway).register(phone)
  })
  afterAll(() => gateway.stop())

  const attempt = async (from: string, word: string, identifier = phone) => {
    const body = { identifier, password: word }
    return new Browser(gateway).post('/v1/auth/login', body, { 'x-forwarded-for': from })
  }
  const wrong = 'a wrong but long password'

  it('a stranger with wrong passwords does not lock the owner out', async () => {
    for (let i = 0; i < 10; i += 1) expect((await attempt('203.0.113.1', wrong)).status).toBe(401)
    for (let i = 0; i < 120; i += 1) {
      const refused = await attempt('203.0.113.1', password)
      expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } })
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    }
    expect((await attempt('203.0.113.2', password)).status).toBe(200)
  })

  it('429 after 100 attempts from anywhere, until the window ends', async () => {
    clock.advanceSeconds(600)
    const target = newPhone()
    for (let i = 0; i < 100; i += 1) expect((await attempt(`203.0.113.${i}`, wrong, target)).status).toBe(401)
    const refused = await attempt('203.0.113.100', wrong, target)
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } })
    clock.advanceSeconds(Number(refused.headers['retry-after']))
    expect((await attempt('203.0.113.100', wrong, target)).status).toBe(401)
  })
})
