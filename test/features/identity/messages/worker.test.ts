import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { EmailMessage } from '../../../../src/providers/senders.ts'
import { engines, freshStore } from '../../../../testkit/store/engines.ts'
import { createOutboxRig, failing, type OutboxRig } from './outbox-rig.ts'

describe.each(engines)('the message outbox on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let rig: OutboxRig
  beforeAll(async () => {
    fresh = await freshStore(engine)
  })
  beforeEach(async () => {
    await fresh.store.write((tx) => tx.run('DELETE FROM messages'))
    rig = createOutboxRig(fresh.store)
  })
  afterAll(() => fresh.remove())

  test('a message is sent at once and then deleted', async () => {
    await rig.addCode()
    await rig.addNotice()
    await rig.sendDue()
    const sentAt = '2026-09-03T08:00:00.000Z'
    expect(rig.sms).toEqual([
      { kind: 'recovery', phone: '13800138000', code: '123456', challengeId: 'gvc_123456', sentAt },
    ])
    expect(rig.emails).toMatchObject([{ to: 'payer@example.com', kind: 'notice', sentAt }])
    expect(rig.emails[0]!.text).toMatch(/^您账号的密码已修改（2026-09-03 16:00，北京时间）/)
    expect(rig.events.sort()).toEqual(['sent email notice 1', 'sent sms recovery 1'])
    expect(await rig.rows()).toEqual([])
  })

  test('the row reveals neither the recipient nor the code', async () => {
    await rig.addCode('987654')
    const rows = await fresh.store.read((tx) => tx.all('SELECT * FROM messages'))
    expect(JSON.stringify(rows)).not.toMatch(/13800138000|987654/)
  })

  test('a message whose transaction is rolled back is never sent', async () => {
    const content = { kind: 'recovery', to: '13800138000', code: '1', challengeId: 'gvc_1' } as const
    const row = rig.outbox.prepare('sms', content, { accountId: null, expiresAt: rig.clock.now + 1000 })
    const failed = rig.identity.write(async (tx) => {
      await tx.addMessage(row)
      throw new Error('rolled back')
    })
    await expect(failed).rejects.toThrow('rolled back')
    await rig.sendDue()
    expect(rig.sms).toEqual([])
  })

  test('attempts of the message outbox wait 1 s, then twice as long each time, up to 60 s', async () => {
    await rig.addNotice()
    const waits: number[] = []
    for (let attempt = 1; attempt <= 9; attempt++) {
      await rig.sendDue({ email: failing })
      const [row] = await rig.rows()
      expect(row).toMatchObject({ attempts: attempt, claimedBy: null })
      waits.push(row!.waitMs / 1000)
      rig.clock.advanceSeconds(row!.waitMs / 1000 - 0.001)
      await rig.sendDue({ email: failing })
      expect((await rig.rows())[0]!.attempts).toBe(attempt)
      rig.clock.advanceSeconds(0.001)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
    await rig.sendDue()
    expect(rig.emails).toHaveLength(1)
  })

  test('a code is dropped when it expires, a notice after 24 hours', async () => {
    await rig.addCode()
    await rig.addNotice()
    await rig.sendDue({ sms: failing, email: failing })
    rig.clock.advanceSeconds(299)
    await rig.sendDue({ sms: failing, email: failing })
    rig.clock.advanceSeconds(1)
    rig.events.length = 0
    await rig.sendDue({ email: failing })
    expect(rig.events).toEqual(['dropped sms recovery 2'])
    rig.clock.advanceSeconds(86_400 - 301)
    await rig.sendDue({ email: failing })
    expect(await rig.rows()).toHaveLength(1)
    rig.clock.advanceSeconds(1)
    await rig.sendDue()
    expect(rig.events.at(-1)).toBe('dropped email notice 3')
    expect([rig.sms, rig.emails, await rig.rows()]).toEqual([[], [], []])
  })

  test('a decoy is deleted without being sent or counted', async () => {
    await rig.addCode('000000', 'none')
    await rig.sendDue()
    expect([rig.sms, rig.emails, rig.events, await rig.rows()]).toEqual([[], [], [], []])
  })

  test('messages of a disabled channel wait until it is enabled', async () => {
    await rig.addNotice()
    await rig.sendDue({ email: null })
    expect(await rig.rows()).toMatchObject([{ attempts: 0, claimedBy: null }])
    await rig.sendDue()
    expect(rig.emails).toHaveLength(1)
  })

  test('a backlog is sent whole, at most eight at a time', async () => {
    for (let code = 100_000; code < 100_030; code++) await rig.addCode(String(code))
    let inFlight = 0
    let most = 0
    const send = async (message: { phone: string }) => {
      most = Math.max(most, ++inFlight)
      await new Promise(setImmediate)
      inFlight--
      rig.sms.push(message as never)
    }
    await rig.sendDue({ sms: { send } })
    expect(most).toBe(8)
    expect(new Set(rig.sms.map((message) => 'code' in message && message.code)).size).toBe(30)
    expect(await rig.rows()).toEqual([])
  })

  test('an email server that never answers delays no SMS, and no code by email', async () => {
    await rig.addNotice(30)
    const email = hangingNotices()
    const worker = rig.workerWith({ email })
    worker.wake()
    await email.taken
    await rig.addCode('111111')
    await rig.addCode('222222', 'email')
    worker.wake()
    // The hanging emails are under way until the end.
    await expect.poll(() => [rig.sms.length, email.codes.length]).toEqual([1, 1])
    email.end()
    await worker.idle()
    expect(await rig.rows()).toEqual([])
  })

  test('a code goes before a backlog of notices', async () => {
    await rig.addNotice(200)
    rig.clock.advanceSeconds(1)
    await rig.addCode('222222', 'email')
    await rig.sendDue()
    expect(rig.emails.findIndex(({ kind }) => kind === 'recovery')).toBeLessThan(8)
    expect(rig.emails).toHaveLength(201)
  })

  test('two workers on one store never send a message twice', async () => {
    for (let code = 100_000; code < 100_040; code++) await rig.addCode(String(code))
    await Promise.all(['ins_1', 'ins_2'].map((instanceId) => rig.sendDue({ instanceId })))
    expect(rig.sms.map((message) => 'code' in message && message.code).sort()).toEqual(
      Array.from({ length: 40 }, (_, index) => String(100_000 + index)),
    )
  })

  test('while one instance sends a message, no other claims it', async () => {
    await rig.addCode()
    const first = hangingSend()
    const worker = rig.workerWith({ sms: first })
    worker.wake()
    await first.started
    rig.clock.advanceSeconds(19)
    await rig.sendDue({ instanceId: 'ins_2' })
    expect(rig.sms).toEqual([])
    first.end()
    await worker.idle()
    expect(await rig.rows()).toEqual([])
  })

  test('the stop waits for the send under way and claims nothing more', async () => {
    await rig.addCode()
    const send = hangingSend()
    const worker = rig.workerWith({ sms: send })
    worker.wake()
    await send.started
    const stopped = worker.stop()
    await rig.addNotice()
    worker.wake()
    send.end()
    await stopped
    expect(rig.emails).toEqual([])
    expect(await rig.rows()).toMatchObject([{ attempts: 0 }])
  })

  test('a stop right after the wake claims nothing', async () => {
    await rig.addCode()
    const worker = rig.workerWith()
    worker.wake()
    await worker.stop()
    expect(rig.sms).toEqual([])
    expect(await rig.rows()).toMatchObject([{ attempts: 0, claimedBy: null }])
  })

  test('waiting messages are counted by channel and kind', async () => {
    await rig.addCode('111111')
    await rig.addCode('222222')
    await rig.addNotice()
    const counted = await rig.store.countQueued()
    expect(counted.sort((a, b) => (a.channel < b.channel ? -1 : 1))).toEqual([
      { channel: 'email', kind: 'notice', queued: 1 },
      { channel: 'sms', kind: 'recovery', queued: 2 },
    ])
  })
})

/** A sender whose first message is under way until the test ends it. */
function hangingSend() {
  const { promise: started, resolve: begin } = Promise.withResolvers<void>()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const send = () => {
    begin()
    return ended
  }
  return { send, started, end }
}

/** An email sender that accepts codes, and never settles a notice until the test ends it. */
function hangingNotices() {
  const { promise: taken, resolve: take } = Promise.withResolvers<void>()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const codes: EmailMessage[] = []
  const send = async (message: EmailMessage) => {
    if (message.kind !== 'notice') return void codes.push(message)
    take()
    await ended
  }
  return { send, taken, end, codes }
}
