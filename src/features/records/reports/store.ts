import type { DayNumber } from '../../../base/time.ts'
import type { Engine, Reader } from '../../../storage/engine.ts'
import { paidOf } from '../../billing/payments/store/paid-orders.ts'
import { closingOf, type LedgerRange, readRange, referenceOf } from '../archives/store.ts'
import { chargeOfRequest } from './calls-of-request.ts'
import {
  type ChargeDetailRow,
  type ChargeFilter,
  countByDay,
  countByOutcome,
  countPartsByDay,
  readCharge,
  readCharges,
  readReviews,
  type SettledDay,
  type Times,
} from './charge-lists.ts'
import type { LedgerEntry } from './contract.ts'

interface Held {
  readonly charges: number
  readonly credits: number
}

export interface ProjectState {
  readonly available: number
  readonly reserved: number
  readonly credited: number
  readonly underWay: Held
  readonly inReview: Held
  readonly hasKey: boolean
  readonly hasCall: boolean
  readonly settled: readonly SettledDay[]
  /** The first call in the store; null if there is none among the first entries. */
  readonly firstCallAt: number | null
  /** Whether earlier calls were archived. */
  readonly isArchived: boolean
}

export interface EntryFilter extends Times {
  readonly kind: LedgerEntry['kind'] | null
}

export interface ChargeDetailRows {
  readonly charge: ChargeDetailRow
  /** Oldest first. */
  readonly entries: EntryRow[]
  readonly decision: {
    readonly decision: 'settled' | 'released'
    readonly reason: string
    readonly decidedAt: number
  } | null
}

export interface EntryRow extends Omit<LedgerEntry, 'enteredAt' | 'paidAt'> {
  readonly paidAt: number | null
  readonly enteredAt: number
}

export type ReportStore = ReturnType<typeof createConsoleStore>

/**
 * What the console reads of a project: short reads along an index, so that none of them holds up the books. Each takes the newest
 * first and is bounded.
 */
export const createConsoleStore = (engine: Engine) => ({
  state: (projectId: string, since: DayNumber): Promise<ProjectState> =>
    engine.read(async (tx) => {
      const balance = await tx.get<Pick<ProjectState, 'available' | 'reserved' | 'credited'>>(balanceOf, [projectId])
      const underWay = await tx.get<Held>(heldInProgress, [projectId])
      const inReview = await tx.get<Held>(heldInReview, [projectId])
      const use = await tx.get<{ keys: number; calls: number }>(selectKeyUse, [projectId])
      const closing = await closingOf(tx, projectId)
      const start = (closing?.seq ?? 0) + 1
      const [first] = await readRange<{ at: number | null }>(tx, firstCall, {
        ...{ projectId, from: start, before: start + firstEntries },
      })
      return {
        ...(balance ?? { available: 0, reserved: 0, credited: 0 }),
        underWay: underWay!,
        inReview: inReview!,
        hasKey: use!.keys > 0,
        hasCall: use!.calls > 0,
        settled: await settledBetween(tx, projectId, since, lastDay),
        firstCallAt: first?.at ?? null,
        isArchived: closing !== undefined,
      }
    }),
  /** From the one day to the other, both included. */
  settledBetween: (projectId: string, first: DayNumber, last: DayNumber) =>
    engine.read((tx) => settledBetween(tx, projectId, first, last)),
  /** By day of reservation, for the charges of a ledger range that match the filter. */
  reservedByDay: (range: LedgerRange, filter: ChargeFilter) => engine.read((tx) => countByDay(tx, range, filter)),
  partsByDay: (range: LedgerRange, filter: ChargeFilter, by: 'key' | 'model') =>
    engine.read((tx) => countPartsByDay(tx, range, filter, by)),
  outcomes: (range: LedgerRange, times: Times) => engine.read((tx) => countByOutcome(tx, range, { ...times })),
  charges: (range: LedgerRange, filter: ChargeFilter, limit: number) =>
    engine.read((tx) => readCharges(tx, range, filter, limit)),
  reviews: (projectId: string, before: string, filter: ChargeFilter, limit: number) =>
    engine.read((tx) => readReviews(tx, { projectId, before }, filter, limit)),
  details: (projectId: string, chargeId: string): Promise<ChargeDetailRows | undefined> =>
    engine.read(async (tx) => {
      const charge = await readCharge(tx, projectId, chargeId)
      if (!charge) return undefined
      const decision = await tx.get<NonNullable<ChargeDetailRows['decision']>>(decisionOf, [chargeId])
      const entries = await tx.all<EntryRow>(entriesOfCharge, [projectId, chargeId])
      return { charge, entries, decision: decision ?? null }
    }),
  chargeOfRequest: (projectId: string, requestId: string) => chargeOfRequest(engine, projectId, requestId),
  entries: (range: LedgerRange, { kind, fromAt, toAt }: EntryFilter, limit: number) =>
    engine.read((tx) => readRange<EntryRow>(tx, newestEntries, range, [limit, kind ?? '', fromAt, toAt])),
  /** Entries of recharges, grants or withdrawals before a number, by their own index. */
  rareEntries: (projectId: string, before: number, { kind, fromAt, toAt }: EntryFilter, limit: number) =>
    engine.read((tx) =>
      kind === 'credit'
        ? tx.all<EntryRow>(newestCredits, [projectId, before, limit, fromAt, toAt])
        : tx.all<EntryRow>(newestMovements, [projectId, before, limit, fromAt, toAt, kind]),
    ),
  /** What another feature reads along a range of the ledger. */
  along: <T>(_range: LedgerRange, read: (tx: Reader) => Promise<T>): Promise<T> => engine.read(read),
  enteredAt: (projectId: string, seq: number): Promise<number | undefined> =>
    engine.read((tx) => enteredAt(tx, projectId, seq)),
  /** The first entry of the range at or after a time, by binary search: about 20 look-ups in one read. */
  firstAt: ({ projectId, from, before }: LedgerRange, at: number): Promise<number> =>
    engine.read(async (tx) => {
      let [low, high] = [from, before]
      while (low < high) {
        const middle = Math.floor((low + high) / 2)
        const entered = await enteredAt(tx, projectId, middle)
        if (entered === undefined || entered >= at) high = middle
        else low = middle + 1
      }
      return low
    }),
  /**
   * The numbers of the first entry in the store, after those that were archived, and of the last one; 1 and 0 if there is none.
   * `archivedUntil` is the latest time of an archived entry; null if none was archived.
   */
  ledgerEnds: (projectId: string): Promise<{ first: number; last: number; archivedUntil: number | null }> =>
    engine.read(async (tx) => {
      const row = await tx.get<{ entries: number }>('SELECT entries FROM balances WHERE project_id = $1', [projectId])
      const closing = await closingOf(tx, projectId)
      const first = (closing?.seq ?? 0) + 1
      return { first, last: row?.entries ?? 0, archivedUntil: closing?.archivedUntil ?? null }
    }),
})

async function enteredAt(tx: Reader, projectId: string, seq: number): Promise<number | undefined> {
  const one = { projectId, from: seq, before: seq + 1 }
  const [row] = await readRange<{ at: number }>(tx, 'SELECT s.entered_at AS at FROM wanted s', one)
  return row?.at
}

/** Of the order whose credits an entry adds. Other kinds cost no look-up. */
const ofOrder = (column: string) => `CASE WHEN e.kind = 'credit' THEN (SELECT ${column} FROM credit_lots l
  JOIN orders o ON o.order_id = l.order_id WHERE l.lot_id = e.lot_id) END`
const paid = paidOf('o')

const shown = `e.seq, e.kind, e.amount, e.available, e.reserved, e.charge_id AS "chargeId",
  (SELECT c.operation FROM charges c WHERE c.charge_id = e.charge_id) AS operation, e.lot_id AS "creditLotId",
  (SELECT o.order_id FROM credit_lots o WHERE o.lot_id = e.lot_id) AS "orderId",
  ${ofOrder('o.amount_fen')} AS "orderFen", ${ofOrder(paid.paidFen)} AS "paidFen",
  ${ofOrder(paid.paidAt)} AS "paidAt", ${referenceOf('e')} AS reference, e.entered_at AS "enteredAt"`

const newestEntries = `SELECT ${shown} FROM wanted e
  WHERE ($5 = '' OR e.kind = $5) AND e.entered_at >= $6 AND e.entered_at < $7 ORDER BY e.seq DESC LIMIT $4`

/** CROSS JOIN fixes the order: the few lots of the project first, one lookup per entry. */
const newestCredits = `SELECT ${shown} FROM credit_lots l CROSS JOIN ledger_entries e
  WHERE l.project_id = $1 AND e.lot_id = l.lot_id AND e.kind = 'credit' AND e.seq < $2 AND e.entered_at >= $4 AND e.entered_at < $5
  ORDER BY e.seq DESC LIMIT $3`

const newestMovements = `SELECT ${shown} FROM operator_movements m CROSS JOIN ledger_entries e
  WHERE m.project_id = $1 AND m.kind = $6 AND e.entry_id = m.entry_id AND e.seq < $2
    AND e.entered_at >= $4 AND e.entered_at < $5
  ORDER BY e.seq DESC LIMIT $3`

/** A charge is reserved, may be reviewed, and ends: three entries at most. */
const entriesOfCharge = `SELECT ${shown} FROM ledger_entries e WHERE e.charge_id = $2 AND e.project_id = $1
  ORDER BY e.seq LIMIT 10`

/** Before its first call a project has a few recharges at most. */
const firstEntries = 100
const firstCall = "SELECT MIN(s.entered_at) AS at FROM wanted s WHERE s.kind = 'reserve'"

const decisionOf = 'SELECT decision, reason, decided_at AS "decidedAt" FROM review_decisions WHERE charge_id = $1'

const balanceOf = 'SELECT available, reserved, credited FROM balances WHERE project_id = $1'

const sumOf = (charges: string) =>
  `SELECT COUNT(*) AS charges, COALESCE(SUM(credits), 0) AS credits FROM ${charges} WHERE project_id = $1`
const heldInProgress = sumOf('reserved_charges')
const heldInReview = sumOf('reviewable_charges')

// Counted by the keys, because PostgreSQL would scan `charges` to find a first one.
const selectKeyUse = 'SELECT COUNT(*) AS keys, COALESCE(SUM(calls), 0) AS calls FROM api_keys WHERE project_id = $1'

const lastDay: DayNumber = 2_147_483_647

const settledBetween = (tx: Reader, projectId: string, first: DayNumber, last: DayNumber): Promise<SettledDay[]> =>
  tx.all<SettledDay>(
    `SELECT day, operation, calls, credits FROM usage_days WHERE project_id = $1 AND day >= $2 AND day <= $3
    ORDER BY project_id, day, operation`,
    [projectId, first, last],
  )
