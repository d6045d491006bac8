import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { shownDeliveries } from '../../../../src/features/notifications/webhooks/contract.ts'
import type { DeliveryQueue } from '../../../../src/features/notifications/webhooks/delivery-queue.ts'
import { maxWaiting } from '../../../../src/features/notifications/webhooks/store.ts'
import { engines, freshStore } from '../../../../testkit/store/engines.ts'
import { accepted, addProject, createDeliveryRig, type DeliveryRig, projectId, refused } from './delivery-rig.ts'

const claimSeconds = 30
const threeDaysSeconds = 3 * 86_400

describe.each(engines)('deliveries to webhooks on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let rig: DeliveryRig
  beforeAll(async () => {
    fresh = await freshStore(engine)
    await addProject(fresh.store)
  })
  beforeEach(async () => {
    rig = createDeliveryRig(fresh.store)
    await rig.clear()
  })
  afterAll(() => fresh.remove())

  const summary = async (webhookId: string) =>
    (await rig.rows(webhookId)).map(({ eventId, status, attempts }) => `${eventId} ${status} ${attempts}`).reverse()

  test('deliveries to webhooks go to the webhooks that want the type, in the order of the events, one at a time', async () => {
    const orders = await rig.create(['order.credited', 'credits.low'], 'orders')
    const keys = await rig.create(['key.created'], 'keys')
    const ids = [...(await rig.raise(3)), ...(await rig.raise(2, 'credits.low'))]
    const [keyEvent] = await rig.raise(1, 'key.created')
    await rig.raise(1, 'key.revoked')
    let underWay = 0
    rig.respondWith(async ({ url }) => {
      if (url.endsWith('orders')) expect(++underWay).toBe(1)
      await new Promise(setImmediate)
      if (url.endsWith('orders')) underWay -= 1
      return accepted
    })
    await rig.sendDue()
    const to = (path: string) => rig.sent.filter(({ url }) => url.endsWith(path)).map((r) => r.headers['webhook-id'])
    expect(to('orders')).toEqual(ids)
    expect(to('keys')).toEqual([keyEvent])
    expect(JSON.parse(rig.sent[0]!.body)).toEqual({
      id: ids[0],
      type: 'order.credited',
      at: '2026-09-03T08:00:00.000Z',
      projectId,
      data: { orderId: 'ord_1', credits: 5, available: 5 },
    })
    expect(await summary(orders.webhookId)).toEqual(ids.map((id) => `${id} delivered 1`))
    expect(await summary(keys.webhookId)).toEqual([`${keyEvent} delivered 1`])
    expect(await rig.store.hasDue(rig.clock.now)).toBe(false)
  })

  test('a failing delivery holds back the later ones for ten minutes, then lets them pass', async () => {
    const { webhookId } = await rig.create()
    const [poison, ...others] = await rig.raise(3)
    rig.respondWith(({ headers }) => (headers['webhook-id'] === poison ? refused : accepted))
    const attempts: number[] = []
    for (let second = 0; second <= 600; second += 5) {
      await rig.sendDue()
      if (rig.sent.length > attempts.length) attempts.push(second)
      if (second < 600) expect(new Set(rig.sentIds())).toEqual(new Set([poison]))
      rig.clock.advanceSeconds(5)
    }
    expect(attempts).toEqual([0, 5, 30, 120, 300, 600])
    expect(rig.sentIds().slice(-2)).toEqual(others)
    expect(await summary(webhookId)).toEqual([
      `${poison} waiting 6`,
      `${others[0]} delivered 1`,
      `${others[1]} delivered 1`,
    ])
    rig.respondWith(() => accepted)
    rig.clock.advanceSeconds(1200)
    await rig.sendDue()
    expect((await summary(webhookId))[0]).toBe(`${poison} delivered 7`)
  })

  test('after three days of failures the webhook is disabled, its owner is notified once, and what waits is sent when it is enabled', async () => {
    const { webhookId } = await rig.create()
    const [first, second] = await rig.raise(2)
    rig.respondWith(() => refused)
    await rig.sendDue()
    rig.clock.advanceSeconds(threeDaysSeconds - 1)
    await rig.sendDue()
    expect(await rig.webhooks.list(projectId)).toMatchObject([{ state: 'enabled' }])
    rig.clock.advanceSeconds(1)
    await rig.sendDue()
    expect(await rig.webhooks.list(projectId)).toMatchObject([
      { state: 'disabled', disabledReason: 'failing', disabledAt: new Date(rig.clock.now).toISOString() },
    ])
    expect(rig.disabled).toEqual(['failing'])
    expect(await rig.notices()).toHaveLength(1)
    expect(await summary(webhookId)).toEqual([`${first} failed 3`, `${second} waiting 1`])
    await rig.raise()
    rig.clock.advanceSeconds(86_400)
    const before = rig.sent.length
    await rig.sendDue()
    expect(rig.sent).toHaveLength(before)
    await expect(rig.webhooks.test(projectId, webhookId)).rejects.toMatchObject({ code: 'WEBHOOK_DISABLED' })

    await rig.webhooks.update(projectId, webhookId, { state: 'enabled' })
    await rig.sendDue()
    // It has its three days again.
    expect(await rig.webhooks.list(projectId)).toMatchObject([{ state: 'enabled', disabledReason: null }])
    rig.respondWith(() => accepted)
    await rig.webhooks.update(projectId, webhookId, { url: 'https://other.example.com/' })
    await rig.sendDue()
    expect(rig.sent.at(-1)!.url).toBe('https://other.example.com/')
    expect(await summary(webhookId)).toEqual([`${first} failed 3`, `${second} delivered 1`])
    expect(await rig.notices()).toHaveLength(1)
  })

  test('a test is tried once and never disables the webhook', async () => {
    const { webhookId } = await rig.create()
    rig.respondWith(() => refused)
    const delivery = await rig.webhooks.test(projectId, webhookId)
    await rig.sendDue()
    expect(JSON.parse(rig.sent[0]!.body)).toMatchObject({ id: delivery.eventId, type: 'webhook.test', projectId })
    expect(await rig.webhooks.deliveries(projectId, webhookId)).toMatchObject([
      { status: 'failed', fault: 'status', answerStatus: 500, answerMs: 7, nextAttemptAt: null },
    ])
    expect(await rig.webhooks.list(projectId)).toMatchObject([{ state: 'enabled' }])
  })

  test('a test passes a delivery that waits for its next attempt', async () => {
    const { webhookId } = await rig.create()
    const [failing] = await rig.raise()
    rig.respondWith(({ headers }) => (headers['webhook-id'] === failing ? refused : accepted))
    await rig.sendDue()
    const { eventId } = await rig.webhooks.test(projectId, webhookId)
    await rig.sendDue()
    expect(rig.sentIds()).toEqual([failing, eventId])
  })

  test('an event that is sent again keeps its id and body', async () => {
    const { webhookId } = await rig.create()
    await rig.raise()
    await rig.sendDue()
    const [delivered] = await rig.webhooks.deliveries(projectId, webhookId)
    const details = await rig.webhooks.delivery(projectId, webhookId, delivered!.deliveryId)
    expect(details).toEqual({ ...delivered, body: rig.sent[0]!.body, answerBody: 'thank you' })
    await expect(rig.webhooks.delivery('prj_2', webhookId, delivered!.deliveryId)).rejects.toMatchObject({
      code: 'WEBHOOK_NOT_FOUND',
    })
    const again = await rig.webhooks.redeliver(projectId, webhookId, delivered!.deliveryId)
    expect(again.deliveryId).not.toBe(delivered!.deliveryId)
    await rig.sendDue()
    expect(rig.sent[1]).toMatchObject({ body: rig.sent[0]!.body, headers: { 'webhook-id': delivered!.eventId } })
    await expect(rig.webhooks.redeliver(projectId, webhookId, 'dlv_none')).rejects.toMatchObject({
      code: 'DELIVERY_NOT_FOUND',
    })
  })

  test('only the last 50 are kept, and what waits', async () => {
    const { webhookId } = await rig.create()
    const ids = await rig.raise(shownDeliveries + 5)
    await rig.sendDue()
    expect(rig.sentIds()).toEqual(ids)
    expect(await summary(webhookId)).toEqual(ids.slice(5).map((id) => `${id} delivered 1`))
    expect(await rig.webhooks.deliveries(projectId, webhookId)).toHaveLength(shownDeliveries)
    rig.respondWith(() => refused)
    const [waiting] = await rig.raise()
    await rig.sendDue()
    for (let more = 0; more < shownDeliveries; more++) {
      await rig.webhooks.test(projectId, webhookId)
      await rig.sendDue()
    }
    const rows = await rig.rows(webhookId)
    expect(rows.filter(({ status }) => status === 'waiting').map(({ eventId }) => eventId)).toEqual([waiting])
  })

  test('a webhook with too many waiting deliveries gets no more and is disabled', async () => {
    const { webhookId } = await rig.create()
    rig.respondWith(() => refused)
    await rig.raise()
    await rig.copyWaiting(maxWaiting - 3)
    await rig.raise(5)
    expect(await rig.store.countWaiting()).toBe(maxWaiting)
    await rig.sendDue()
    expect(await rig.webhooks.list(projectId)).toMatchObject([{ state: 'disabled', disabledReason: 'backlog' }])
    expect(rig.disabled).toEqual(['backlog'])
    expect(await rig.notices()).toHaveLength(1)
    expect((await rig.rows(webhookId)).length).toBe(maxWaiting)
  })

  test('two instances never send the same delivery, nor to one webhook at the same time', async () => {
    const paths = ['a', 'b', 'c']
    for (const path of paths) await rig.create(['order.credited'], path)
    const ids = await rig.raise(10)
    const busy = new Set<string>()
    rig.respondWith(async ({ url }) => {
      expect(busy.has(url)).toBe(false)
      busy.add(url)
      await new Promise(setImmediate)
      busy.delete(url)
      return accepted
    })
    await Promise.all(['ins_1', 'ins_2'].map((instanceId) => rig.sendDue({ instanceId })))
    await rig.sendDue()
    for (const path of paths)
      expect(rig.sent.filter(({ url }) => url.endsWith(path)).map((r) => r.headers['webhook-id'])).toEqual(ids)
    expect(rig.faults).toEqual([])
  })

  const deaths: [string, (queue: DeliveryQueue) => Partial<DeliveryQueue>][] = [
    ['before the claim', () => ({ hasDue: dead })],
    ['right after the claim', (queue) => ({ claim: (claim) => queue.claim(claim).then(dead) })],
    ['between the send and the commit', () => ({ finish: dead })],
    ['right after the commit', (queue) => ({ finish: (...args) => queue.finish(...args).then(dead) })],
  ]
  test.each(deaths)('after a kill %s, another instance delivers with the same id', async (_, breakAt) => {
    const { webhookId } = await rig.create()
    const ids = await rig.raise(2)
    await rig.sendDue({ queue: { ...rig.store, ...breakAt(rig.store) } })
    rig.clock.advanceSeconds(claimSeconds - 1)
    await rig.sendDue({ instanceId: 'ins_2' })
    rig.clock.advanceSeconds(1)
    await rig.sendDue({ instanceId: 'ins_2' })
    expect([...new Set(rig.sentIds())]).toEqual(ids)
    expect(rig.sent.length).toBeLessThanOrEqual(3)
    expect((await rig.rows(webhookId)).map(({ status }) => status)).toEqual(['delivered', 'delivered'])
  })

  test('the result of an instance that lost its claim does not count', async () => {
    const { webhookId } = await rig.create()
    const [id] = await rig.raise()
    rig.respondWith(async () => {
      // While the first instance is stuck, another one delivers.
      rig.clock.advanceSeconds(claimSeconds)
      rig.respondWith(() => accepted)
      await rig.sendDue({ instanceId: 'ins_2' })
      return refused
    })
    await rig.sendDue()
    expect(await summary(webhookId)).toEqual([`${id} delivered 2`])
  })

  test('deliveries to webhooks are gone with the webhook, also while one is under way', async () => {
    const { webhookId } = await rig.create()
    await rig.raise(2)
    rig.respondWith(async () => {
      await rig.webhooks.remove(projectId, webhookId)
      return accepted
    })
    await rig.sendDue()
    expect(rig.sent).toHaveLength(1)
    expect(await rig.rows(webhookId)).toEqual([])
    expect(await rig.webhooks.list(projectId)).toEqual([])
    expect(rig.faults).toEqual([])
  })

  test('deliveries to webhooks are signed with both secrets for a day after a rotation', async () => {
    const { webhookId, secret } = await rig.create()
    const signatures = async () => {
      await rig.raise()
      await rig.sendDue()
      return rig.sent.at(-1)!.headers['webhook-signature']!.split(' ')
    }
    expect(await signatures()).toHaveLength(1)
    const rotated = await rig.webhooks.rotateSecret(projectId, webhookId)
    expect(rotated.secret).not.toBe(secret)
    expect(await signatures()).toHaveLength(2)
    rig.clock.advanceSeconds(86_400)
    expect(rotated.previousExpiresAt).toBe(new Date(rig.clock.now).toISOString())
    expect(await signatures()).toHaveLength(1)
  })

  test('the store has no secret in plaintext, and a secret of one webhook does not open in another', async () => {
    const { secret, webhookId } = await rig.create()
    const other = await rig.create()
    const rows = await fresh.store.read((tx) => tx.all('SELECT * FROM webhooks'))
    expect(JSON.stringify(rows)).not.toContain(secret.slice('whsec_'.length, 20))
    await fresh.store.write((tx) =>
      tx.run('UPDATE webhooks SET sealed = (SELECT sealed FROM webhooks WHERE webhook_id = $1) WHERE webhook_id = $2', [
        webhookId,
        other.webhookId,
      ]),
    )
    await expect(rig.webhooks.rotateSecret(projectId, other.webhookId)).rejects.toThrow('a sealed value was changed')
  })
})

function dead(): never {
  throw new Error('the process died')
}
