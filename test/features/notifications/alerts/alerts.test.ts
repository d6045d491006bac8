import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { alertsPerDay } from '../../../../src/contract/choices.ts'
import { defaultAlertTypes } from '../../../../src/features/notifications/alerts/contract.ts'
import { AccountOwner, eventually } from '../../../../testkit/gateway/account-owner.ts'
import { expectDone, expectRefused, look } from '../../../../testkit/gateway/console-contract.ts'
import { type Gateway, startGateway, TestClock } from '../../../../testkit/gateway/gateway.ts'
import { httpEngines } from '../../../../testkit/store/engines.ts'

describe.each(httpEngines)('alerts on %s', (engine) => {
  const clock = new TestClock()
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway({ engine, clock: clock.read })
  })
  afterAll(() => gateway.stop())

  const read = (owner: AccountOwner) => look(owner.browser, 'console.alerts.read')
  async function save(owner: AccountOwner, settings: object) {
    const response = await owner.post('alerts', { lowBalanceCredits: 100, email: [], sms: [], ...settings })
    expectDone('console.alerts.save', response)
    return response.body
  }
  const smsTo = (owner: AccountOwner, notice: string) =>
    gateway.notices.filter((sent) => sent.phone === owner.phone && sent.notice === notice)
  const mailTo = (owner: AccountOwner, subject: string) =>
    gateway.emails.filter(({ to, subject: sent }) => to === owner.email && sent.endsWith(` · ${subject}`))
  const chat = (owner: AccountOwner, apiKey: string) =>
    gateway.call(apiKey, '/v1/models/chat', `chat ${owner.phone} ${Math.random()}`, { prompt: 'hello' })

  test('the defaults follow the recovery email; what is saved stays', async () => {
    const owner = await AccountOwner.join(gateway)
    expect(await read(owner)).toEqual({ lowBalanceCredits: 100, email: [], sms: defaultAlertTypes })
    await owner.verifyEmail()
    expect(await read(owner)).toEqual({ lowBalanceCredits: 100, email: defaultAlertTypes, sms: ['payment.in_review'] })
    const settings = { lowBalanceCredits: 250, email: ['media.job_finished'], sms: ['credits.low', 'key.revoked'] }
    expect(await save(owner, settings)).toEqual(settings)
    expect(await read(owner)).toEqual(settings)
    const silent = { lowBalanceCredits: null, email: [], sms: [] }
    await save(owner, silent)
    expect(await read(owner)).toEqual(silent)
  })

  test('a fault is refused with the code of its field, and nothing is saved', async () => {
    const owner = await AccountOwner.join(gateway)
    const before = await read(owner)
    const good = { lowBalanceCredits: 10, email: [], sms: [] }
    const faults = [
      [{ ...good, lowBalanceCredits: 0 }, 'INVALID_THRESHOLD'],
      [{ ...good, lowBalanceCredits: 1.5 }, 'INVALID_THRESHOLD'],
      [{ ...good, lowBalanceCredits: '10' }, 'INVALID_THRESHOLD'],
      [{ email: [], sms: [] }, 'INVALID_THRESHOLD'],
      [{ ...good, email: ['credits.lost'] }, 'INVALID_ALERT_TYPES'],
      [{ ...good, sms: ['credits.low', 'credits.low'] }, 'INVALID_ALERT_TYPES'],
      [{ ...good, sms: 'credits.low' }, 'INVALID_ALERT_TYPES'],
      [{ lowBalanceCredits: 10, email: [] }, 'INVALID_ALERT_TYPES'],
      [{ ...good, phone: owner.phone }, 'UNKNOWN_FIELDS'],
    ] as const
    for (const [body, code] of faults) expectRefused('console.alerts.save', await owner.post('alerts', body), code)
    const { csrfToken } = owner.browser
    owner.browser.csrfToken = 'another'
    expectRefused('console.alerts.save', await owner.post('alerts', good), 'CSRF_INVALID')
    owner.browser.csrfToken = csrfToken
    expect(await read(owner)).toEqual(before)
  })

  test('a balance that falls below the threshold and then runs out is alerted by SMS, once each', async () => {
    const owner = await AccountOwner.join(gateway)
    await save(owner, { lowBalanceCredits: 9, sms: ['credits.low', 'credits.empty'] })
    await owner.browser.recharge(100)
    const { apiKey } = await owner.browser.createKey(['models:invoke'])
    for (let call = 0; call < 6; call += 1) await chat(owner, apiKey)
    await eventually(() => expect(smsTo(owner, 'credits.empty')).toHaveLength(1))
    await eventually(() => expect(smsTo(owner, 'credits.low')).toHaveLength(1))
    expect(smsTo(owner, 'credits.low')[0]!.text).toContain('7 credits are left, below your threshold of 9')
    expect(smsTo(owner, 'order.credited')).toEqual([])
  })

  test('a storm of events sends a few messages a day, and the last one says that more are in the console', async () => {
    const owner = await AccountOwner.join(gateway)
    await owner.verifyEmail()
    await save(owner, { email: ['order.credited'], sms: ['order.credited'] })
    const storm = async () => {
      for (let order = 0; order < alertsPerDay.email + 2; order += 1) await owner.browser.recharge(100)
    }
    await storm()
    await eventually(() => expect(mailTo(owner, 'Credits added')).toHaveLength(alertsPerDay.email))
    await eventually(() => expect(smsTo(owner, 'order.credited')).toHaveLength(alertsPerDay.sms))
    const last = smsTo(owner, 'order.credited').filter(({ text }) => text.includes('see the rest in the console'))
    expect(last).toHaveLength(1)
    clock.advanceSeconds(86_400)
    await owner.browser.post('/v1/auth/login', { identifier: owner.phone, password: owner.password })
    await owner.browser.recharge(100)
    await eventually(() => expect(smsTo(owner, 'order.credited')).toHaveLength(alertsPerDay.sms + 1))
    await eventually(() => expect(mailTo(owner, 'Credits added')).toHaveLength(alertsPerDay.email + 1))
  })

  test('only identity sends the notice of a changed password, whatever was chosen', async () => {
    const owner = await AccountOwner.join(gateway)
    await owner.verifyEmail()
    const types = ['account.password_changed', 'order.credited']
    await save(owner, { email: types, sms: types })
    const passwords = { currentPassword: owner.password, newPassword: 'another horse, another battery' }
    expect((await owner.post('password', passwords)).status).toBe(200)
    await owner.browser.recharge(100)
    // Events of a project are dispatched in order.
    await eventually(() => expect(smsTo(owner, 'order.credited')).toHaveLength(1))
    await eventually(() => expect(smsTo(owner, 'password_changed')).toHaveLength(1))
    await eventually(() => expect(mailTo(owner, 'Password changed')).toHaveLength(1))
    expect(smsTo(owner, 'account.password_changed')).toEqual([])
  })

  test('alert types chosen for email go by SMS while the address is not verified', async () => {
    const owner = await AccountOwner.join(gateway)
    await save(owner, { email: ['order.credited'] })
    await owner.browser.recharge(100)
    await eventually(() => expect(smsTo(owner, 'order.credited')).toHaveLength(1))
    expect(mailTo(owner, 'Credits added')).toEqual([])
  })
})
