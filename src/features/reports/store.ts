import type { DayNumber } from '../../base/time.ts'
import { reportingZone } from '../../base/time.ts'
import type { Engine, Reader, Value } from '../../storage/engine.ts'
import { closingOf, readRange, referenceOf } from '../archives/store.ts'
import type {
  ChargeFilter,
  ChargeRow,
  EntryRow,
  Held,
  PlacedCharge,
  ReceiptRows,
  ReportStore,
  SettledDay,
  Standing,
} from './ports.ts'

type LedgerReports = Pick<ReportStore, 'entries' | 'rareEntries' | 'enteredAt' | 'ledgerEnds'>

function ledgerReports(engine: Engine): LedgerReports {
  return {
    entries: (range, { kind, fromAt, toAt }, limit) =>
      engine.read((tx) => readRange<EntryRow>(tx, newestEntries, range, [limit, kind ?? '', fromAt, toAt])),
    rareEntries: (projectId, before, { kind, fromAt, toAt }, limit) =>
      engine.read((tx) =>
        kind === 'credit'
          ? tx.all<EntryRow>(newestCredits, [projectId, before, limit, fromAt, toAt])
          : tx.all<EntryRow>(newestMovements, [projectId, before, limit, fromAt, toAt, kind]),
      ),
    enteredAt: (projectId, seq) =>
      engine.read(async (tx) => {
        const one = { projectId, from: seq, before: seq + 1 }
        const [row] = await readRange<{ at: number }>(tx, 'SELECT s.entered_at AS at FROM wanted s', one)
        return row?.at
      }),
    ledgerEnds: (projectId) =>
      engine.read(async (tx) => {
        const row = await tx.get<{ entries: number }>('SELECT entries FROM balances WHERE project_id = $1', [projectId])
        const closing = await closingOf(tx, projectId)
        return {
          first: (closing?.seq ?? 0) + 1,
          last: row?.entries ?? 0,
          archivedUntil: closing?.archivedUntil ?? null,
        }
      }),
  }
}

const entriesOfCharge = (tx: Reader, projectId: string, chargeId: string): Promise<EntryRow[]> =>
  tx.all<EntryRow>(ofCharge, [projectId, chargeId])

const shown = `e.seq, e.kind, e.amount, e.available, e.reserved, e.charge_id AS "chargeId",
  (SELECT c.operation FROM charges c WHERE c.charge_id = e.charge_id) AS operation, e.lot_id AS "creditLotId",
  (SELECT o.order_id FROM credit_lots o WHERE o.lot_id = e.lot_id) AS "orderId",
  ${referenceOf('e')} AS reference, e.entered_at AS "enteredAt"`

const newestEntries = `SELECT ${shown} FROM wanted e
  WHERE ($5 = '' OR e.kind = $5) AND e.entered_at >= $6 AND e.entered_at < $7 ORDER BY e.seq DESC LIMIT $4`

/** Crossed, so that the few lots of the project come first and each leads to its entry. */
const newestCredits = `SELECT ${shown} FROM credit_lots l CROSS JOIN ledger_entries e
  WHERE l.project_id = $1 AND e.lot_id = l.lot_id AND e.kind = 'credit' AND e.seq < $2 AND e.entered_at >= $4 AND e.entered_at < $5
  ORDER BY e.seq DESC LIMIT $3`

const newestMovements = `SELECT ${shown} FROM operator_movements m CROSS JOIN ledger_entries e
  WHERE m.project_id = $1 AND m.kind = $6 AND e.entry_id = m.entry_id AND e.seq < $2
    AND e.entered_at >= $4 AND e.entered_at < $5
  ORDER BY e.seq DESC LIMIT $3`

/** A charge is reserved, may be reviewed, and ends: three entries at most. */
const ofCharge = `SELECT ${shown} FROM ledger_entries e WHERE e.charge_id = $2 AND e.project_id = $1
  ORDER BY e.seq LIMIT 10`

type ChargeReports = Pick<ReportStore, 'charges' | 'reservedByDay' | 'reviews' | 'receipt'>

function chargeReports(engine: Engine): ChargeReports {
  return {
    charges: (range, filter, limit) =>
      engine.read((tx) => readRange<PlacedCharge>(tx, alongLedger, range, [limit, ...wanted(filter)])),
    reservedByDay: (range, filter) => engine.read((tx) => readRange<SettledDay>(tx, byDay, range, wanted(filter))),
    reviews: ({ projectId, beforeChargeId }, filter, limit) =>
      engine.read((tx) => tx.all<ChargeRow>(inReview, [projectId, beforeChargeId, limit, ...wanted(filter)])),
    receipt: (projectId, chargeId) =>
      engine.read(async (tx) => {
        const charge = await tx.get<ReceiptRows['charge']>(oneCharge, [projectId, chargeId])
        if (!charge) return undefined
        const decision = await tx.get<NonNullable<ReceiptRows['decision']>>(decisionOf, [chargeId])
        return { charge, entries: await entriesOfCharge(tx, projectId, chargeId), decision: decision ?? null }
      }),
  }
}

const wanted = ({ operation, state, keyId, id, fromAt, toAt }: ChargeFilter): Value[] => [
  operation ?? '',
  state ?? '',
  keyId ?? '',
  id ?? '',
  fromAt,
  toAt,
]

const passes = ([operation, state, key, id, fromAt, toAt]: readonly string[]) => `
  (${operation} = '' OR c.operation = ${operation}) AND (${state} = '' OR c.state = ${state})
  AND (${key} = '' OR c.key_id = ${key}) AND (${id} = '' OR c.charge_id = ${id} OR c.request_id = ${id})
  AND c.reserved_at >= ${fromAt} AND c.reserved_at < ${toAt}`

// Looked up row by row: a join could be turned round and read a table whole, and then the order is lost.
const shownCharge = `c.charge_id AS "chargeId", c.operation, c.credits, c.state, c.key_id AS "keyId",
  (SELECT k.display_prefix FROM api_keys k WHERE k.key_id = c.key_id) AS "keyDisplayPrefix",
  c.request_id AS "requestId", c.reserved_at AS "reservedAt", c.ended_at AS "endedAt", c.reason`

/** Crossed, so that the ledger always comes first: of the charges only those of the range are looked up. */
const alongLedger = `SELECT ${shownCharge}, s.seq FROM wanted s CROSS JOIN charges c
  WHERE s.kind = 'reserve' AND c.charge_id = s.charge_id AND ${passes(['$5', '$6', '$7', '$8', '$9', '$10'])}
  ORDER BY s.seq DESC LIMIT $4`

const reservedOn = `((c.reserved_at + ${reportingZone.offsetMs}) / 86400000)`

const byDay = `SELECT ${reservedOn} AS day, c.operation, COUNT(*) AS calls, SUM(c.credits) AS credits
  FROM wanted s CROSS JOIN charges c
  WHERE s.kind = 'reserve' AND c.charge_id = s.charge_id AND ${passes(['$4', '$5', '$6', '$7', '$8', '$9'])}
  GROUP BY ${reservedOn}, c.operation`

/**
 * The project is part of the compared row and of the order, so that only the index of the charges in review gives that
 * order: by `charge_id` alone PostgreSQL reads everybody's newer charges first when the project has been quiet lately.
 */
const inReview = `SELECT ${shownCharge} FROM reviewable_charges c
  WHERE (c.project_id, c.charge_id) < ($1, $2) AND (c.project_id, c.charge_id) >= ($1, '')
    AND ${passes(['$4', '$5', '$6', '$7', '$8', '$9'])}
  ORDER BY c.project_id DESC, c.charge_id DESC LIMIT $3`

const oneCharge = `SELECT ${shownCharge}, c.pricing_version AS "pricingVersion", c.usage
  FROM charges c WHERE c.project_id = $1 AND c.charge_id = $2`

const decisionOf = 'SELECT decision, reason, decided_at AS "decidedAt" FROM review_decisions WHERE charge_id = $1'

function standingReports(engine: Engine): Pick<ReportStore, 'standing' | 'settledBetween'> {
  return {
    settledBetween: (projectId, first, last) => engine.read((tx) => settledBetween(tx, projectId, first, last)),
    standing: (projectId, since) =>
      engine.read(async (tx): Promise<Standing> => {
        const balance = await tx.get<BalanceRow>(balanceOf, [projectId])
        const underWay = await tx.get<Held>(heldUnderWay, [projectId])
        const inReview = await tx.get<Held>(heldInReview, [projectId])
        const use = await tx.get<{ keys: number; calls: number }>(useOfKeys, [projectId])
        return {
          ...(balance ?? { available: 0, reserved: 0, credited: 0 }),
          underWay: underWay!,
          inReview: inReview!,
          hasKey: use!.keys > 0,
          hasCall: use!.calls > 0,
          settled: await settledBetween(tx, projectId, since, lastDay),
        }
      }),
  }
}

type BalanceRow = Pick<Standing, 'available' | 'reserved' | 'credited'>

const balanceOf = 'SELECT available, reserved, credited FROM balances WHERE project_id = $1'

const sumOf = (charges: string) =>
  `SELECT COUNT(*) AS charges, COALESCE(SUM(credits), 0) AS credits FROM ${charges} WHERE project_id = $1`
const heldUnderWay = sumOf('reserved_charges')
const heldInReview = sumOf('reviewable_charges')

// Each key counts its calls. To look for one charge, PostgreSQL would read the table until it meets one.
const useOfKeys = 'SELECT COUNT(*) AS keys, COALESCE(SUM(calls), 0) AS calls FROM api_keys WHERE project_id = $1'

/** Later than any. */
const lastDay: DayNumber = 2_147_483_647

const settledBetween = (tx: Reader, projectId: string, first: DayNumber, last: DayNumber): Promise<SettledDay[]> =>
  tx.all<SettledDay>(
    `SELECT day, operation, calls, credits FROM usage_days WHERE project_id = $1 AND day >= $2 AND day <= $3
    ORDER BY project_id, day, operation`,
    [projectId, first, last],
  )

/** What the console reads of a project: short reads along an index, so that none of them holds up the books. */
export const createConsoleStore = (engine: Engine): ReportStore => ({
  ...standingReports(engine),
  ...chargeReports(engine),
  ...ledgerReports(engine),
})
