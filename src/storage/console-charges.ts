import type { ChargeRange, ChargeRow, ReceiptRows, ReportStore } from '../reporting/ports.ts'
import { entriesOfCharge } from './console-ledger.ts'
import type { Engine, Value } from './engine.ts'

type ChargeReports = Pick<ReportStore, 'charges' | 'chargesAmong' | 'reviews' | 'receipt'>

export function chargeReports(engine: Engine): ChargeReports {
  return {
    charges: (range, limit) => engine.read((tx) => tx.all<ChargeRow>(newest(any), [...bounds(range), limit])),
    reviews: (range, limit) => engine.read((tx) => tx.all<ChargeRow>(newest(inReview), [...bounds(range), limit])),
    chargesAmong: ({ filter, window, ...range }, limit) =>
      engine.read(async (tx) => {
        const source = filter.state === 'manual_review' ? inReview : any
        const wanted = [filter.operation, filter.state, filter.keyId].map((value) => value ?? '')
        const rows = await tx.all<ChargeRow>(among(source), [...bounds(range), window, ...wanted, limit])
        const last = await tx.get<{ chargeId: string }>(lastOf(source), [...bounds(range), window - 1])
        return { rows, lookedThrough: last?.chargeId ?? null }
      }),
    receipt: (projectId, chargeId) =>
      engine.read(async (tx) => {
        const charge = await tx.get<ReceiptRows['charge']>(oneCharge, [projectId, chargeId])
        if (!charge) return undefined
        const decision = await tx.get<NonNullable<ReceiptRows['decision']>>(decisionOf, [chargeId])
        return { charge, entries: await entriesOfCharge(tx, projectId, chargeId), decision: decision ?? null }
      }),
  }
}

const bounds = ({ projectId, before, from }: ChargeRange): Value[] => [projectId, before, from]

/** Which charges are paged through; each is the whole of an index that begins with the project and the charge id. */
const any = ''
const inReview = "state = 'manual_review' AND"
type Source = typeof any | typeof inReview

/**
 * The project is part of the compared row and of the order, so that only the index of the project's charges gives that
 * order: by `charge_id` alone PostgreSQL reads everybody's newer charges first when the project has been quiet lately.
 */
const inRange = (source: Source) => `FROM charges
  WHERE ${source} (project_id, charge_id) < ($1, $2) AND (project_id, charge_id) >= ($1, $3)
  ORDER BY project_id DESC, charge_id DESC`

const stored = 'project_id, charge_id, operation, credits, state, key_id, request_id, reserved_at, ended_at, reason'
// Looked up row by row: a join could be turned round and read a table whole, and then the order is lost.
const shown = `c.charge_id AS "chargeId", c.operation, c.credits, c.state, c.key_id AS "keyId",
  (SELECT k.display_prefix FROM api_keys k WHERE k.key_id = c.key_id) AS "keyDisplayPrefix",
  c.request_id AS "requestId", c.reserved_at AS "reservedAt", c.ended_at AS "endedAt", c.reason`

const newest = (source: Source) => `SELECT ${shown}
  FROM (SELECT ${stored} ${inRange(source)} LIMIT $4) c
  ORDER BY c.project_id DESC, c.charge_id DESC`

/** Materialized, so that a filter which few charges pass never makes the engine look at more than the window. */
const among = (source: Source) => `WITH looked AS MATERIALIZED (SELECT ${stored} ${inRange(source)} LIMIT $4)
  SELECT ${shown} FROM looked c
  WHERE ($5 = '' OR c.operation = $5) AND ($6 = '' OR c.state = $6) AND ($7 = '' OR c.key_id = $7)
  ORDER BY c.charge_id DESC LIMIT $8`

const lastOf = (source: Source) => `SELECT charge_id AS "chargeId" ${inRange(source)} LIMIT 1 OFFSET $4`

const oneCharge = `SELECT ${shown}, c.pricing_version AS "pricingVersion", c.usage
  FROM charges c WHERE c.project_id = $1 AND c.charge_id = $2`

const decisionOf = 'SELECT decision, reason, decided_at AS "decidedAt" FROM review_decisions WHERE charge_id = $1'
