import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { MessageStore } from '../../../../src/features/identity/messages/store.ts'
import { engines, freshStore } from '../../../../testkit/store/engines.ts'
import { createOutboxRig, type OutboxRig } from './outbox-rig.ts'

/** How long a claim of a dead instance blocks the others. */
const claimSeconds = 30

/** The process dies at a step: the store does, or does not, see the step, and nothing after it happens. */
const deaths: { at: string; break: (rig: OutboxRig) => Partial<MessageStore> | null }[] = [
  { at: 'between the commit and the claim', break: () => ({ hasDue: dead }) },
  {
    at: 'right after the claim',
    break: ({ store }) => ({ claim: (claim) => store.claim(claim).then(dead) }),
  },
  { at: 'during the send', break: () => null },
  { at: 'between the send and the delete', break: () => ({ remove: dead }) },
  {
    at: 'right after the delete',
    break: ({ store }) => ({ remove: (...args) => store.remove(...args).then(dead) }),
  },
]

function dead(): never {
  throw new Error('the process died')
}

describe.each(engines)('after a kill on %s', (engine) => {
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

  test.each(deaths)('$at, the next instance delivers the code and the notice', async ({ break: breakAt, at }) => {
    await rig.addCode('246810')
    await rig.addNotice()
    const steps = breakAt(rig)
    if (steps) {
      await rig.sendDue({ store: { ...rig.store, ...steps } })
    } else {
      // The outcome of these sends stays unknown.
      const silent = { send: () => new Promise<never>(() => {}) }
      rig.workerWith({ sms: silent, email: silent }).wake()
      await expect.poll(async () => (await rig.rows()).filter((row) => row.claimedBy !== null)).toHaveLength(2)
    }
    await rig.sendDue({ instanceId: 'ins_2' })
    rig.clock.advanceSeconds(claimSeconds)
    await rig.sendDue({ instanceId: 'ins_2' })
    expect(await rig.rows(), at).toEqual([])
    expect(new Set(rig.sms.map((message) => 'code' in message && message.code))).toEqual(new Set(['246810']))
    expect(rig.emails.length).toBeGreaterThanOrEqual(1)
    // A repeated message is recognizable.
    expect(new Set(rig.emails.map(({ messageId }) => messageId)).size).toBe(1)
    expect(rig.emails.length).toBeLessThanOrEqual(2)
  })

  test('a claim of a dead instance ends after half a minute, not before', async () => {
    await rig.addCode()
    await rig.sendDue({ store: { ...rig.store, claim: (claim) => rig.store.claim(claim).then(dead) } })
    rig.clock.advanceSeconds(claimSeconds - 0.001)
    await rig.sendDue({ instanceId: 'ins_2' })
    expect(rig.sms).toEqual([])
    rig.clock.advanceSeconds(0.001)
    await rig.sendDue({ instanceId: 'ins_2' })
    expect(rig.sms).toHaveLength(1)
  })

  test('a message that was sent but not deleted is not sent again by the same instance', async () => {
    await rig.addCode()
    let failures = 1
    const remove: MessageStore['remove'] = async (...args) => {
      if (failures-- > 0) throw new Error('away')
      await rig.store.remove(...args)
    }
    const worker = rig.workerWith({ store: { ...rig.store, remove } })
    worker.wake()
    await worker.idle()
    expect(rig.events).toEqual(['sent sms recovery 1', 'store away'])
    rig.clock.advanceSeconds(claimSeconds)
    worker.wake()
    await worker.idle()
    expect(rig.sms).toHaveLength(1)
    expect(await rig.rows()).toEqual([])
  })

  test('a worker that was paused past its claim leaves the message to others', async () => {
    await rig.addCode()
    const claim: MessageStore['claim'] = async (wanted) => {
      const claimed = await rig.store.claim(wanted)
      rig.clock.advanceSeconds(claimSeconds - 9)
      return claimed
    }
    await rig.sendDue({ store: { ...rig.store, claim } })
    expect(rig.sms).toEqual([])
    rig.clock.advanceSeconds(9)
    await rig.sendDue({ instanceId: 'ins_2' })
    expect(rig.sms).toHaveLength(1)
  })

  test('an outage of the store is reported once and needs no restart', async () => {
    await rig.addCode()
    let isAway = true
    const hasDue: MessageStore['hasDue'] = async (now) => (isAway ? dead() : rig.store.hasDue(now))
    const worker = rig.workerWith({ store: { ...rig.store, hasDue } })
    for (let look = 0; look < 3; look++) {
      worker.wake()
      await worker.idle()
    }
    expect(rig.events).toEqual(['store the process died'])
    isAway = false
    worker.wake()
    await worker.idle()
    expect(rig.sms).toHaveLength(1)
  })
})
