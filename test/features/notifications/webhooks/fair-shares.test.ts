import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DeliveryQueue } from '../../../../src/features/notifications/webhooks/delivery-queue.ts'
import type { Attempt, WebhookRequest } from '../../../../src/features/notifications/webhooks/send.ts'
import { engines, freshStore } from '../../../../testkit/store/engines.ts'
import { accepted, addProject, createDeliveryRig, type DeliveryRig, projectId, refused } from './delivery-rig.ts'

const strangers = Array.from({ length: 10 }, (_, index) => `prj_stranger_${index}`)
const slotsPerProject = 4
const slots = 32

describe.each(engines)('webhooks of many projects on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let rig: DeliveryRig
  let endpoints: ReturnType<typeof hangingEndpoints>
  beforeAll(async () => {
    fresh = await freshStore(engine)
    for (const project of [projectId, ...strangers]) await addProject(fresh.store, project)
  })
  beforeEach(async () => {
    rig = createDeliveryRig(fresh.store)
    await rig.clear()
    endpoints = hangingEndpoints()
    rig.respondWith(endpoints.respond)
  })
  afterAll(() => fresh.remove())

  /** Ten webhooks whose endpoints never answer, each with events and three tests. */
  async function addDeadEndpoints(project: string): Promise<void> {
    for (let index = 0; index < 10; index++) {
      const { webhookId } = await rig.create(['order.credited'], `dead/${project}`, project)
      for (let tests = 0; tests < 3; tests++) await rig.webhooks.test(project, webhookId)
    }
    await rig.raise(3, 'order.credited', project)
  }

  test('four projects with ten dead endpoints each leave slots: an event of another is delivered in the same round', async () => {
    for (const project of strangers.slice(0, 4)) await addDeadEndpoints(project)
    const worker = rig.workerWith()
    worker.wake()
    await expect.poll(() => endpoints.hanging.length).toBe(4 * slotsPerProject)
    await rig.create(['order.credited'], 'alive')
    const [event] = await rig.raise()
    worker.wake()
    await expect.poll(() => endpoints.delivered).toEqual([event])
    await expect.poll(worker.underWay).toBe(4 * slotsPerProject)
    for (const project of strangers.slice(0, 4))
      expect(endpoints.hanging.filter(({ url }) => url.endsWith(project))).toHaveLength(slotsPerProject)
    rig.respondWith(() => refused)
    endpoints.end()
    await worker.stop()
  })

  test('with every slot taken, the next one goes to the project that was served longest ago', async () => {
    for (const project of strangers) await addDeadEndpoints(project)
    const worker = rig.workerWith()
    worker.wake()
    await expect.poll(() => endpoints.hanging.length).toBe(slots)
    rig.clock.advanceSeconds(1)
    await rig.create(['order.credited'], 'alive')
    const [event] = await rig.raise()
    rig.clock.advanceSeconds(1)
    endpoints.endOne()
    await expect.poll(() => endpoints.delivered).toEqual([event])
    rig.respondWith(() => refused)
    endpoints.end()
    await worker.stop()
  })

  test('the slots of a project count over all instances', async () => {
    await addDeadEndpoints(strangers[0]!)
    const workers = ['ins_1', 'ins_2'].map((instanceId) => rig.workerWith({ instanceId }))
    for (const worker of workers) worker.wake()
    await expect.poll(() => endpoints.hanging.length).toBe(slotsPerProject)
    rig.clock.advanceSeconds(1)
    for (const worker of workers) worker.wake()
    await rig.create(['order.credited'], 'alive')
    await rig.raise()
    for (const worker of workers) worker.wake()
    await expect.poll(() => endpoints.delivered.length).toBe(1)
    expect(endpoints.hanging).toHaveLength(slotsPerProject)
    rig.respondWith(() => refused)
    endpoints.end()
    await Promise.all(workers.map((worker) => worker.stop()))
  })

  test('a project that was served waits behind the others, however long its events have waited', async () => {
    const busy = await Promise.all(['a', 'b', 'c'].map((path) => rig.create(['order.credited'], `busy/${path}`)))
    await rig.raise(5)
    rig.clock.advanceSeconds(5)
    const other = await rig.create(['order.credited'], 'other', strangers[0])
    await rig.raise(1, 'order.credited', strangers[0])
    rig.clock.advanceSeconds(1)
    const urls: string[] = []
    rig.respondWith(({ url }) => {
      urls.push(url)
      return accepted
    })
    await rig.sendDue({ queue: oneAtATime(rig.store) })
    expect(urls).toHaveLength(16)
    expect(busy.map(({ url }) => url)).toContain(urls[0])
    expect(urls[1]).toBe(other.url)
  })

  test('a webhook with a backlog goes to the end of its project', async () => {
    const [busy, quiet] = [await rig.create(['order.credited'], 'busy'), await rig.create(['key.created'], 'quiet')]
    await rig.raise(20)
    rig.clock.advanceSeconds(5)
    await rig.raise(1, 'key.created')
    rig.clock.advanceSeconds(1)
    const urls: string[] = []
    rig.respondWith(({ url }) => {
      urls.push(url)
      return accepted
    })
    await rig.sendDue({ queue: oneAtATime(rig.store) })
    expect(urls).toHaveLength(21)
    expect(urls.slice(0, 2)).toEqual([busy.url, quiet.url])
  })

  test('a fourth waiting test of a webhook is refused, and room for one comes back with an attempt', async () => {
    const { webhookId } = await rig.create(['order.credited'], 'alive')
    const testIt = () => rig.webhooks.test(projectId, webhookId)
    const tests = await Promise.allSettled(Array.from({ length: 5 }, testIt))
    expect(tests.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    for (const refusal of tests.filter(({ status }) => status === 'rejected'))
      expect(refusal).toMatchObject({ reason: { code: 'WEBHOOK_TESTS_WAITING' } })
    rig.respondWith(() => refused)
    await rig.sendDue()
    await expect(testIt()).resolves.toMatchObject({ type: 'webhook.test' })
  })
})

/** As with a single free slot. */
const oneAtATime = (queue: DeliveryQueue): DeliveryQueue => ({
  ...queue,
  claim: (claim) => queue.claim({ ...claim, limit: 1 }),
})

/** Endpoints that never answer until the test ends them, except those called `alive`. */
function hangingEndpoints() {
  const hanging: { url: string; end: () => void }[] = []
  const delivered: string[] = []
  const respond = ({ url, headers }: WebhookRequest): Attempt | Promise<Attempt> => {
    if (url.endsWith('alive')) {
      delivered.push(headers['webhook-id']!)
      return accepted
    }
    return new Promise((resolve) => hanging.push({ url, end: () => resolve(refused) }))
  }
  const endOne = () => hanging.shift()!.end()
  const end = () => {
    while (hanging.length > 0) endOne()
  }
  return { hanging, delivered, respond, endOne, end }
}
