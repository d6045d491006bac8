import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDispatcher } from '../../../../src/features/notifications/events/dispatcher.ts'
import { createEventStore, type EventSubscriber } from '../../../../src/features/notifications/events/store.ts'
import type { ProjectEvent } from '../../../../src/ledger/events.ts'
import { StoreUnavailable } from '../../../../src/storage/engine.ts'
import { engines, freshStore } from '../../../../testkit/store/engines.ts'
import { addCredits, createCustomer, createRig, type Rig } from '../../../../testkit/store/rig.ts'

describe.each(engines)('the dispatcher on %s', (engine) => {
  let opened: Awaited<ReturnType<typeof freshStore>>
  let rig: Rig
  let now = 1_800_000_000_000
  beforeAll(async () => {
    opened = await freshStore(engine)
    rig = createRig(opened.store, { clock: () => now })
  })
  afterAll(() => opened.remove())
  beforeEach(async () => {
    await dispatcher([]).run()
    now += 1000
  })

  function dispatcher(subscribers: readonly EventSubscriber[], store = createEventStore(opened.store)) {
    const dispatched: ProjectEvent[] = []
    const postponed: ProjectEvent[] = []
    const failures: unknown[] = []
    const { wake, idle } = createDispatcher({
      store,
      subscribers,
      clock: () => now,
      isUnavailable: (error) => error instanceof StoreUnavailable,
      observer: {
        dispatched: (events) => void dispatched.push(...events),
        postponed: (event) => void postponed.push(event),
        storeFailed: (error) => void failures.push(error),
      },
    })
    const run = () => {
      wake()
      return idle()
    }
    return { run, dispatched, postponed, failures }
  }

  /** A customer and as many orders, each of which is an event. */
  async function ordersOf(count: number): Promise<string> {
    const { projectId } = await createCustomer(rig)
    for (let order = 1; order <= count; order += 1) await addCredits(rig, projectId, order * 100)
    return projectId
  }
  const creditsIn = (events: readonly ProjectEvent[]) =>
    events.flatMap((event) => (event.type === 'order.credited' ? [event.data.credits] : []))

  test('the dispatcher passes every event to every subscriber once, oldest first, and what they write commits with the mark', async () => {
    const projectId = await ordersOf(70)
    const received: ProjectEvent[] = []
    const { run, dispatched } = dispatcher([
      { receive: async (_tx, events) => void received.push(...events) },
      {
        receive: async (tx, events) => {
          for (const { projectId: of } of events)
            await tx.run('UPDATE projects SET name = name || $2 WHERE project_id = $1', [of, '.'])
        },
      },
    ])
    await run()
    const expected = Array.from({ length: 70 }, (_, index) => (index + 1) * 100)
    expect(creditsIn(received)).toEqual(expected)
    expect(creditsIn(dispatched)).toEqual(expected)
    await run()
    expect(creditsIn(received)).toHaveLength(70)
    const { name } = (await opened.store.read((tx) =>
      tx.get<{ name: string }>('SELECT name FROM projects WHERE project_id = $1', [projectId]),
    ))!
    expect(name.match(/\./g)!.length).toBe(received.length)
  })

  test('an event whose subscriber fails waits for a minute and holds up no other', async () => {
    await ordersOf(5)
    let isBroken = true
    const received: ProjectEvent[] = []
    const subscriber: EventSubscriber = {
      receive: async (_tx, events) => {
        if (isBroken && creditsIn(events).includes(300)) throw new Error('a subscriber failed')
        received.push(...events)
      },
    }
    const { run, dispatched, postponed } = dispatcher([subscriber])
    await run()
    expect(creditsIn(dispatched)).toEqual([100, 200, 400, 500])
    expect(creditsIn(postponed)).toEqual([300])
    isBroken = false
    now += 59_000
    await run()
    expect(creditsIn(dispatched)).toHaveLength(4)
    now += 1000
    await run()
    expect(creditsIn(dispatched)).toEqual([100, 200, 400, 500, 300])
  })

  test('two instances never dispatch an event twice', async () => {
    await ordersOf(40)
    const received: ProjectEvent[] = []
    const subscriber: EventSubscriber = { receive: async (_tx, events) => void received.push(...events) }
    const all = [1, 2, 3].map(() => dispatcher([subscriber]))
    await Promise.all(all.map(({ run }) => run()))
    await all[0]!.run()
    const dispatched = all.flatMap((one) => creditsIn(one.dispatched))
    expect(dispatched.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => (index + 1) * 100))
  })

  test('without due events the dispatcher only reads', async () => {
    const store = createEventStore(opened.store)
    const { run, failures } = dispatcher([], {
      ...store,
      dispatch: async () => {
        throw new Error('it wrote')
      },
    })
    await run()
    expect(failures).toEqual([])
  })

  test('a store that is away is reported once, and nothing is lost', async () => {
    await ordersOf(1)
    const store = createEventStore(opened.store)
    let isAway = true
    const { run, dispatched, failures } = dispatcher([], {
      ...store,
      dispatch: async (...page) => {
        if (isAway) throw new StoreUnavailable('the store is away')
        return store.dispatch(...page)
      },
    })
    await run()
    await run()
    expect(failures).toHaveLength(1)
    isAway = false
    await run()
    expect(creditsIn(dispatched)).toEqual([100])
  })
})
