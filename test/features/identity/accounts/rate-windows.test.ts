import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { scopes } from '../../../../src/contract/prices.ts'
import { Browser, newPhone, password } from '../../../../testkit/gateway/browser.ts'
import { type Gateway, startGateway, TestClock } from '../../../../testkit/gateway/gateway.ts'
import { engines, openDatabase } from '../../../../testkit/store/engines.ts'

const hour = { windowSeconds: 3600 }

describe.each(engines)('rate windows on %s', (engine) => {
  let clock: TestClock
  let gateway: Gateway
  let browser: Browser
  beforeEach(async () => {
    clock = new TestClock()
    gateway = await startGateway({
      engine,
      clock: clock.read,
      file: {
        limits: {
          callsPerKey: { max: 1, ...hour },
          sendCodePerPhone: { max: 1, ...hour },
          loginPerIdentifier: { max: 1, ...hour },
        },
      },
    })
    browser = new Browser(gateway)
    return () => gateway.stop()
  })

  const sendCode = (phone: string) => browser.post('/v1/auth/send-code', { phone })
  const login = (identifier: string) => browser.post('/v1/auth/login', { identifier, password })
  it('rate windows left by a clock that ran ahead end once the clock is right again', async () => {
    const phone = newPhone()
    clock.advanceSeconds(86_400)
    await browser.register(phone)
    await browser.recharge(1000)
    const { apiKey } = await browser.createKey([...scopes])
    const call = (key: string) => gateway.call(apiKey, '/v1/models/chat', key, { prompt: 'hello' })
    const attempts = [() => call(String(Math.random())), () => sendCode(phone), () => login(phone)]
    await call('ahead')
    await login(phone)
    for (const attempt of attempts) expect((await attempt()).status).toBe(429)

    clock.advanceSeconds(-86_400)
    for (const attempt of attempts) expect((await attempt()).status).toBeLessThan(300)
    for (const attempt of attempts) {
      const refused = await attempt()
      expect(refused.status).toBe(429)
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(3600)
    }
  })
})

describe.each(engines)('exhausted rate windows on %s', (engine) => {
  it('exhausted rate windows refuse without a transaction until they end', async () => {
    const clock = new TestClock()
    const once = { max: 1, ...hour }
    const limits = { sendCodePerRequester: once, loginPerRequester: once, registerPerRequester: once }
    const gateway = await startGateway({ engine, clock: clock.read, file: { limits } })
    onTestFinished(() => gateway.stop())
    const browser = new Browser(gateway)
    const attempts = ['send-code', 'login', 'register'].map((name) => () => browser.post(`/v1/auth/${name}`, {}))
    const statuses = async () => (await Promise.all(attempts.map((attempt) => attempt()))).map(({ status }) => status)
    expect(await statuses()).toEqual([400, 400, 400])
    expect(await statuses()).toEqual([429, 429, 429])

    const other = await openDatabase(gateway.database, { exclusive: false })
    await other.write(async (tx) => {
      // Locks the windows; on SQLite, the whole store.
      await tx.run('UPDATE rate_windows SET used = used')
      expect(await statuses()).toEqual([429, 429, 429])
    })
    await other.close()

    clock.advanceSeconds(3600)
    expect(await statuses()).toEqual([400, 400, 400])
  })
})
