import { type DayNumber, reportingZone } from '../../../base/time.ts'
import type { Engine, Reader, Value } from '../../../storage/engine.ts'
import { closingOf, type LedgerRange, readRange, referenceOf } from '../archives/store.ts'
import type { Charge, LedgerEntry } from './contract.ts'

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

/** Calls of a range that ended alike. */
export interface OutcomeCount {
  readonly state: Charge['state']
  readonly reason: string | null
  readonly calls: number
}

export interface SettledDay {
  readonly day: DayNumber
  readonly operation: Charge['operation']
  readonly calls: number
  readonly credits: number
}

/** `fromAt` is in, `toAt` is out; of the rest null stands for any. */
export interface ChargeFilter {
  readonly operation: Charge['operation'] | null
  readonly state: Charge['state'] | null
  readonly keyId: string | null
  /** Of the charge or of its request. */
  readonly id: string | null
  /** The code of why it was released or is in review. */
  readonly reason: string | null
  readonly fromAt: number
  readonly toAt: number
}

export interface EntryFilter {
  readonly kind: LedgerEntry['kind'] | null
  readonly fromAt: number
  readonly toAt: number
}

export interface ChargeRow extends Omit<Charge, 'reservedAt' | 'endedAt' | 'reason' | 'usage'> {
  readonly reservedAt: number
  readonly endedAt: number | null
  readonly reason: string | null
  /** JSON. */
  readonly usage: string | null
}

/** A charge with the number of its reservation in the ledger. */
export interface PlacedCharge extends ChargeRow {
  readonly seq: number
}

export interface ReceiptRows {
  readonly charge: ChargeRow & { readonly pricingVersion: string; readonly hasContent: number }
  /** Oldest first. */
  readonly entries: EntryRow[]
  readonly decision: {
    readonly decision: 'settled' | 'released'
    readonly reason: string
    readonly decidedAt: number
  } | null
}

export interface EntryRow extends Omit<LedgerEntry, 'enteredAt'> {
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
      const underWay = await tx.get<Held>(heldUnderWay, [projectId])
      const inReview = await tx.get<Held>(heldInReview, [projectId])
      const use = await tx.get<{ keys: number; calls: number }>(useOfKeys, [projectId])
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
  /** The same of the charges that were reserved in a range of the ledger and pass the filter, by the day of that. */
  reservedByDay: (range: LedgerRange, filter: ChargeFilter) =>
    engine.read((tx) => readRange<SettledDay>(tx, byDay, range, wanted(filter))),
  /** How the charges ended that were reserved in a range of the ledger, between two moments. */
  outcomes: (range: LedgerRange, { fromAt, toAt }: { readonly fromAt: number; readonly toAt: number }) =>
    engine.read((tx) => readRange<OutcomeCount>(tx, byOutcome, range, [fromAt, toAt])),
  /** Of the charges that were reserved in a range of the ledger, those that pass the filter. */
  charges: (range: LedgerRange, filter: ChargeFilter, limit: number) =>
    engine.read((tx) => readRange<PlacedCharge>(tx, alongLedger, range, [limit, ...wanted(filter)])),
  /** Of the charges in review before the one named, those that pass the filter. */
  reviews: (projectId: string, beforeChargeId: string, filter: ChargeFilter, limit: number) =>
    engine.read((tx) => tx.all<ChargeRow>(inReview, [projectId, beforeChargeId, limit, ...wanted(filter)])),
  receipt: (projectId: string, chargeId: string): Promise<ReceiptRows | undefined> =>
    engine.read(async (tx) => {
      const charge = await tx.get<ReceiptRows['charge']>(oneCharge, [projectId, chargeId])
      if (!charge) return undefined
      const decision = await tx.get<NonNullable<ReceiptRows['decision']>>(decisionOf, [chargeId])
      const entries = await tx.all<EntryRow>(entriesOfCharge, [projectId, chargeId])
      return { charge, entries, decision: decision ?? null }
    }),
  entries: (range: LedgerRange, { kind, fromAt, toAt }: EntryFilter, limit: number) =>
    engine.read((tx) => readRange<EntryRow>(tx, newestEntries, range, [limit, kind ?? '', fromAt, toAt])),
  /** Entries of recharges, grants or withdrawals before a number; there are few, and they are found without the others. */
  rareEntries: (projectId: string, before: number, { kind, fromAt, toAt }: EntryFilter, limit: number) =>
    engine.read((tx) =>
      kind === 'credit'
        ? tx.all<EntryRow>(newestCredits, [projectId, before, limit, fromAt, toAt])
        : tx.all<EntryRow>(newestMovements, [projectId, before, limit, fromAt, toAt, kind]),
    ),
  /** Rows that a statement finds along a range of the ledger, which it calls `wanted`. */
  along: <Row extends object>(range: LedgerRange, sql: string, values: Value[]) =>
    engine.read((tx) => readRange<Row>(tx, sql, range, values)),
  enteredAt: (projectId: string, seq: number): Promise<number | undefined> =>
    engine.read((tx) => enteredAt(tx, projectId, seq)),
  /** The first entry of the range that is not from before the moment, found by halving: about 20 look-ups in one read. */
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

const shown = `e.seq, e.kind, e.amount, e.available, e.reserved, e.charge_id AS "chargeId",
  (SELECT c.operation FROM charges c WHERE c.charge_id = e.charge_id) AS operation, e.lot_id AS "creditLotId",
  (SELECT o.order_id FROM credit_lots o WHERE o.lot_id = e.lot_id) AS "orderId",
  ${referenceOf('e')} AS reference, e.entered_at AS "enteredAt"`

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

const wanted = ({ operation, state, keyId, id, reason, fromAt, toAt }: ChargeFilter): Value[] => [
  operation ?? '',
  state ?? '',
  keyId ?? '',
  id ?? '',
  reason ?? '',
  fromAt,
  toAt,
]

const passes = ([operation, state, key, id, reason, fromAt, toAt]: readonly string[]) => `
  (${operation} = '' OR c.operation = ${operation}) AND (${state} = '' OR c.state = ${state})
  AND (${key} = '' OR c.key_id = ${key}) AND (${id} = '' OR c.charge_id = ${id} OR c.request_id = ${id})
  AND (${reason} = '' OR c.reason = ${reason})
  AND c.reserved_at >= ${fromAt} AND c.reserved_at < ${toAt}`

// Subqueries, because the planner could reorder a join, read a whole table and lose the order.
const shownCharge = `c.charge_id AS "chargeId", c.operation, c.credits, c.state, c.key_id AS "keyId",
  (SELECT k.display_prefix FROM api_keys k WHERE k.key_id = c.key_id) AS "keyDisplayPrefix",
  (SELECT k.name FROM api_keys k WHERE k.key_id = c.key_id) AS "keyName",
  c.request_id AS "requestId", c.reserved_at AS "reservedAt", c.ended_at AS "endedAt", c.reason, CASE WHEN c.reason IS NULL OR NOT EXISTS (SELECT 1 FROM review_decisions d WHERE d.charge_id = c.charge_id)
    THEN c.ended_at - c.reserved_at END AS "latencyMs"`

/** CROSS JOIN fixes the order: ledger range first, one lookup per charge. */
const alongLedger = `SELECT ${shownCharge}, c.model, c.usage, s.seq FROM wanted s CROSS JOIN charges c
  WHERE s.kind = 'reserve' AND c.charge_id = s.charge_id AND ${passes(['$5', '$6', '$7', '$8', '$9', '$10', '$11'])}
  ORDER BY s.seq DESC LIMIT $4`

const byOutcome = `SELECT c.state, c.reason, COUNT(*) AS calls FROM wanted s CROSS JOIN charges c
  WHERE s.kind = 'reserve' AND c.charge_id = s.charge_id AND c.reserved_at >= $4 AND c.reserved_at < $5
  GROUP BY c.state, c.reason`

/** Before its first call a project has a few recharges at most. */
const firstEntries = 100
const firstCall = "SELECT MIN(s.entered_at) AS at FROM wanted s WHERE s.kind = 'reserve'"

const reservedOn = `((c.reserved_at + ${reportingZone.offsetMs}) / 86400000)`

const byDay = `SELECT ${reservedOn} AS day, c.operation, COUNT(*) AS calls, SUM(c.credits) AS credits
  FROM wanted s CROSS JOIN charges c
  WHERE s.kind = 'reserve' AND c.charge_id = s.charge_id AND ${passes(['$4', '$5', '$6', '$7', '$8', '$9', '$10'])}
  GROUP BY ${reservedOn}, c.operation`

/**
 * The project is part of the compared row and of the order, so that only the index of the charges in review gives that
 * order: by `charge_id` alone PostgreSQL reads everybody's newer charges first when the project has been quiet lately.
 */
const inReview = `SELECT ${shownCharge}, NULL AS usage,
    (SELECT m.model FROM charges m WHERE m.charge_id = c.charge_id) AS model FROM reviewable_charges c
  WHERE (c.project_id, c.charge_id) < ($1, $2) AND (c.project_id, c.charge_id) >= ($1, '')
    AND ${passes(['$4', '$5', '$6', '$7', '$8', '$9', '$10'])}
  ORDER BY c.project_id DESC, c.charge_id DESC LIMIT $3`

const oneCharge = `SELECT ${shownCharge}, c.model, c.usage, c.pricing_version AS "pricingVersion",
    EXISTS (SELECT 1 FROM charge_contents t WHERE t.charge_id = c.charge_id) AS "hasContent"
  FROM charges c WHERE c.project_id = $1 AND c.charge_id = $2`

const decisionOf = 'SELECT decision, reason, decided_at AS "decidedAt" FROM review_decisions WHERE charge_id = $1'

const balanceOf = 'SELECT available, reserved, credited FROM balances WHERE project_id = $1'

const sumOf = (charges: string) =>
  `SELECT COUNT(*) AS charges, COALESCE(SUM(credits), 0) AS credits FROM ${charges} WHERE project_id = $1`
const heldUnderWay = sumOf('reserved_charges')
const heldInReview = sumOf('reviewable_charges')

// Each key counts its calls. To look for one charge, PostgreSQL would read the table until it meets one.
const useOfKeys = 'SELECT COUNT(*) AS keys, COALESCE(SUM(calls), 0) AS calls FROM api_keys WHERE project_id = $1'

const lastDay: DayNumber = 2_147_483_647

const settledBetween = (tx: Reader, projectId: string, first: DayNumber, last: DayNumber): Promise<SettledDay[]> =>
  tx.all<SettledDay>(
    `SELECT day, operation, calls, credits FROM usage_days WHERE project_id = $1 AND day >= $2 AND day <= $3
    ORDER BY project_id, day, operation`,
    [projectId, first, last],
  )
