import { reportingZone } from '../../contract/console/reporting-zone.ts'
import type {
  ChargeFilter,
  ChargeRow,
  PlacedCharge,
  ReceiptRows,
  ReportStore,
  SettledDay,
} from '../../reporting/ports.ts'
import type { Engine, Value } from '../engine.ts'
import { entriesOfCharge } from './console-ledger.ts'
import { readRange } from './ledger-chain.ts'

type ChargeReports = Pick<ReportStore, 'charges' | 'reservedByDay' | 'reviews' | 'receipt'>

export function chargeReports(engine: Engine): ChargeReports {
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
const shown = `c.charge_id AS "chargeId", c.operation, c.credits, c.state, c.key_id AS "keyId",
  (SELECT k.display_prefix FROM api_keys k WHERE k.key_id = c.key_id) AS "keyDisplayPrefix",
  c.request_id AS "requestId", c.reserved_at AS "reservedAt", c.ended_at AS "endedAt", c.reason`

/** Crossed, so that the ledger always comes first: of the charges only those of the range are looked up. */
const alongLedger = `SELECT ${shown}, s.seq FROM wanted s CROSS JOIN charges c
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
const inReview = `SELECT ${shown} FROM reviewable_charges c
  WHERE (c.project_id, c.charge_id) < ($1, $2) AND (c.project_id, c.charge_id) >= ($1, '')
    AND ${passes(['$4', '$5', '$6', '$7', '$8', '$9'])}
  ORDER BY c.project_id DESC, c.charge_id DESC LIMIT $3`

const oneCharge = `SELECT ${shown}, c.pricing_version AS "pricingVersion", c.usage
  FROM charges c WHERE c.project_id = $1 AND c.charge_id = $2`

const decisionOf = 'SELECT decision, reason, decided_at AS "decidedAt" FROM review_decisions WHERE charge_id = $1'
