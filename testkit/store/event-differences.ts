import { defaultLowBalanceCredits } from '../../src/contract/choices.ts'
import type { Reader } from '../../src/storage/engine.ts'
import type { Store } from './engines.ts'

/**
 * Where the events and the books disagree: events that were lost, and events of what did not happen. What must have happened
 * is derived from ledger entries, orders and keys alone. Refusals leave no row, so `credits.empty` and `key.budget_reached` are
 * left out.
 */
export async function eventDifferences(store: Store): Promise<string[]> {
  const { entries, keys, thresholds, events } = await store.read(async (tx) => ({
    entries: await tx.all<Entry>(selectEntries),
    keys: await tx.all<Expected>(selectKeys),
    thresholds: await readThresholds(tx),
    events: await tx.all<{ projectId: string; type: string; data: string }>(
      'SELECT project_id AS "projectId", type, data FROM events ORDER BY seq',
    ),
  }))
  const expected = [...keys, ...eventsOf(entries, thresholds)].map(({ projectId, type, about }) =>
    [projectId, type, about].join(' '),
  )
  const found = events
    .filter(({ type }) => compared.has(type))
    .map(({ projectId, type, data }) => [projectId, type, compared.get(type)!(JSON.parse(data))].join(' '))
  return [...surplus(expected, found, 'lost'), ...surplus(found, expected, 'reported, but it did not happen')]
}

interface Entry {
  readonly projectId: string
  readonly kind: string
  readonly amount: number
  readonly available: number
  readonly chargeId: string | null
  readonly orderId: string | null
  readonly lotId: string | null
}

interface Expected {
  readonly projectId: string
  readonly type: string
  /** What distinguishes two events of one type. */
  readonly about: string
}

type EventData = Readonly<Record<string, unknown>>

const orderOf = ({ orderId }: EventData) => String(orderId)
const movementOf = ({ credits, available }: EventData) => `${credits} ${available}`
const keyOf = ({ keyId }: EventData) => String(keyId)

/** The types that are compared, each with what distinguishes two events of it. */
const compared = new Map<string, (data: EventData) => string>([
  ['order.credited', orderOf],
  ['credits.granted', movementOf],
  ['credits.withdrawn', movementOf],
  ['credits.low', ({ available }) => String(available)],
  ['key.created', keyOf],
  ['key.rotated', keyOf],
  ['key.revoked', keyOf],
  ['charge.review_opened', ({ chargeId }) => String(chargeId)],
  ['charge.review_decided', ({ chargeId, decision }) => `${chargeId} ${decision}`],
])

function* eventsOf(entries: readonly Entry[], thresholds: ReadonlyMap<string, number>): Generator<Expected> {
  const inReview = new Set<string>()
  const before = new Map<string, number>()
  for (const { projectId, kind, amount, available, chargeId, orderId, lotId } of entries) {
    const event = (type: string, about: string | number): Expected => ({ projectId, type, about: String(about) })
    if (kind === 'credit') yield event('order.credited', orderId!)
    if (kind === 'grant') yield event('credits.granted', `${amount} ${available}`)
    if (kind === 'withdraw' && lotId === null) yield event('credits.withdrawn', `${amount} ${available}`)
    if (kind === 'review') {
      inReview.add(chargeId!)
      yield event('charge.review_opened', chargeId!)
    }
    if ((kind === 'settle' || kind === 'release') && inReview.has(chargeId!)) {
      yield event('charge.review_decided', `${chargeId} ${kind}d`)
    }
    const threshold = thresholds.get(projectId)!
    if (available < threshold && (before.get(projectId) ?? 0) >= threshold) yield event('credits.low', available)
    before.set(projectId, available)
  }
}

/** What the first list has more often than the second. */
function surplus(list: readonly string[], other: readonly string[], verdict: string): string[] {
  const left = new Map<string, number>()
  for (const one of other) left.set(one, (left.get(one) ?? 0) + 1)
  return list.flatMap((one) => {
    const count = left.get(one) ?? 0
    left.set(one, count - 1)
    return count > 0 ? [] : [`${one}: ${verdict}`]
  })
}

async function readThresholds(tx: Reader): Promise<Map<string, number>> {
  const rows = await tx.all<{ projectId: string; credits: number | null }>(
    'SELECT project_id AS "projectId", low_balance_credits AS credits FROM balances',
  )
  return new Map(rows.map(({ projectId, credits }) => [projectId, credits ?? defaultLowBalanceCredits]))
}

const selectEntries = `SELECT e.project_id AS "projectId", e.kind, e.amount, e.available, e.charge_id AS "chargeId",
    l.order_id AS "orderId", e.lot_id AS "lotId"
  FROM ledger_entries e LEFT JOIN credit_lots l ON l.lot_id = e.lot_id ORDER BY e.project_id, e.seq`

const selectKeys = `SELECT project_id AS "projectId", key_id AS about,
    CASE WHEN rotated_from_key_id IS NULL THEN 'key.created' ELSE 'key.rotated' END AS type FROM api_keys
  UNION ALL SELECT project_id, key_id, 'key.revoked' FROM api_keys WHERE revoked_at IS NOT NULL`
