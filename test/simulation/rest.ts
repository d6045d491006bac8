import type { Person } from './actors.ts'
import type { Actor } from './lives/life.ts'
import type { SimulatedStore } from './store.ts'
import type { World } from './world.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Something that must end, and how long after the last fault it may take. */
interface OpenWork {
  readonly kind: string
  readonly withinMs: number
  readonly select: string
}

const openWork: readonly OpenWork[] = [
  {
    kind: 'call',
    withinMs: 12 * minuteMs,
    select: `SELECT charge_id AS id FROM charges WHERE state = 'reserved' AND operation <> 'media.video'`,
  },
  {
    kind: 'media job',
    withinMs: 27 * hourMs,
    select: `SELECT job_id AS id FROM media_jobs WHERE next_poll_at IS NOT NULL UNION ALL
      SELECT charge_id FROM charges WHERE state = 'reserved' AND operation = 'media.video'`,
  },
  { kind: 'event', withinMs: 10 * minuteMs, select: 'SELECT event_id AS id FROM events WHERE due_at IS NOT NULL' },
  { kind: 'message', withinMs: 30 * minuteMs, select: 'SELECT message_id AS id FROM messages' },
  {
    kind: 'webhook delivery',
    withinMs: 8 * hourMs,
    select: `SELECT d.delivery_id AS id FROM webhook_deliveries d JOIN webhooks w ON w.webhook_id = d.webhook_id
      WHERE d.status = 'waiting' AND w.state = 'enabled'`,
  },
  {
    kind: 'refund',
    withinMs: 50 * hourMs,
    select: 'SELECT refund_id AS id FROM payment_refunds WHERE next_query_at IS NOT NULL',
  },
  {
    kind: 'payment',
    withinMs: 80 * hourMs,
    select: 'SELECT payment_id AS id FROM payments WHERE next_query_at IS NOT NULL',
  },
]

/** Retries and deadlines are up to a day away: the time in between is skipped. */
const skips = [0, 0.1, 0.2, 0.5, 2, 8, 18, 4, 26, 26, 4].map((hours) => hours * hourMs)
/** Gateways that wait still ask the store many times a second, so that a longer one costs real time. */
const windowMs = 40_000
const restSlowness = 5

/** Runs until nothing is open any more, or something is late. */
export async function comeToRest(world: World, store: SimulatedStore): Promise<void> {
  const startedAt = world.time
  // Now it counts how soon gateways notice what is due; seconds do not matter, because the shortest limit is ten minutes.
  world.slowness = restSlowness
  world.slowsDown = false
  const open = () =>
    openWork.flatMap((work) => {
      const first = store.db.get<{ id: string }>(`${work.select} ORDER BY id LIMIT 1`)
      return first ? [{ ...work, ...first }] : []
    })
  const count = () => openWork.reduce((sum, { select }) => sum + countOf(store, select), 0)
  const isOver = atIntervals(world, () => open().length === 0)
  for (const skipMs of skips) {
    world.skip(skipMs)
    let before = Number.POSITIVE_INFINITY
    // A backlog that shrinks gets its time: what waits behind it is not late because of a skip.
    for (let left = count(); left < before; left = count()) {
      before = left
      if ((await world.runUntil(isOver, windowMs)) || world.isCutShort || world.violation !== null) return
    }
    const takenMs = world.time - startedAt
    const late = open().find(({ withinMs }) => takenMs > withinMs)
    if (late) world.fail(`the ${late.kind} ${late.id} is late: it must end within ${late.withinMs / minuteMs} minutes`)
  }
  world.fail(`the world did not come to rest: ${open().map(({ kind, id }) => `${kind} ${id}`)}`)
}

const countOf = (store: SimulatedStore, select: string) =>
  store.db.get<{ count: number }>(`SELECT COUNT(*) AS count FROM (${select})`)!.count

/** The longest that a request may wait for its response without faults. */
const responseMs = 12 * minuteMs
const doneMs = 2 * hourMs

/** Runs until everyone is done. No one waits for a response for ever. */
export async function finish(world: World, actors: readonly Actor[], people: readonly Person[]): Promise<void> {
  const from = world.time
  const isOver = atIntervals(world, () => {
    for (const person of people)
      for (const { path, since } of person.waiting)
        if (world.time > Math.max(since, from) + responseMs)
          world.fail(`${person.name} got no response from ${path} within ${responseMs / minuteMs} minutes`)
    return actors.every(({ isDone }) => isDone)
  })
  if ((await world.runUntil(isOver, doneMs)) || world.isCutShort) return
  world.fail(`${actors.find(({ isDone }) => !isDone)?.name} is not done after ${doneMs / hourMs} hours`)
}

/** Looks only every hundred events, because a look is a query. */
function atIntervals(world: World, isOver: () => boolean): () => boolean {
  let next = 0
  return () => {
    if (world.steps < next) return false
    next = world.steps + 100
    return isOver()
  }
}
