import { type ArchivedCharge, type ArchivedDecision, type ArchivedJob, isoTime } from '../../archives/archive-lines.ts'
import type { Reader } from '../engine.ts'
import { fullPages, placeholders } from '../sql-text.ts'

/** Charges as they are archived, with the decision about them and the job that they paid for. */
export async function readArchivedCharges(tx: Reader, chargeIds: readonly string[]): Promise<ArchivedCharge[]> {
  const found: ArchivedCharge[] = []
  for (const ids of fullPages(chargeIds, idsPerRead)) {
    const charges = await tx.all<ChargeColumns>(selectCharges(ids), ids)
    const decisions = new Map(
      (await tx.all<ArchivedDecisionRow>(selectDecisions(ids), ids)).map((row) => [row.chargeId, row]),
    )
    const jobs = new Map((await tx.all<ArchivedJobRow>(selectJobs(ids), ids)).map((row) => [row.chargeId, row]))
    found.push(...charges.map((row) => toCharge(row, decisions.get(row.chargeId), jobs.get(row.chargeId))))
  }
  return found
}

const idsPerRead = 64

type ChargeColumns = Omit<
  ArchivedCharge,
  'reservedAt' | 'endedAt' | 'usage' | 'leavesProcess' | 'decision' | 'mediaJob'
> & {
  readonly reservedAt: number
  readonly endedAt: number
  readonly usage: string | null
  readonly leavesProcess: number
}
type ArchivedDecisionRow = Omit<ArchivedDecision, 'decidedAt'> & {
  readonly chargeId: string
  readonly decidedAt: number
}
type ArchivedJobRow = Omit<ArchivedJob, 'testOnly' | 'createdAt' | 'finishedAt'> & {
  readonly chargeId: string
  readonly testOnly: number
  readonly createdAt: number
  readonly finishedAt: number
}

function toCharge(
  { reservedAt, endedAt, usage, leavesProcess, ...row }: ChargeColumns,
  decision: ArchivedDecisionRow | undefined,
  job: ArchivedJobRow | undefined,
): ArchivedCharge {
  return {
    ...row,
    reservedAt: isoTime(reservedAt),
    endedAt: isoTime(endedAt),
    usage: usage === null ? null : JSON.parse(usage),
    leavesProcess: leavesProcess === 1,
    decision: decision ? toDecision(decision) : null,
    mediaJob: job ? toJob(job) : null,
  }
}

const toDecision = ({ chargeId: _, decidedAt, ...row }: ArchivedDecisionRow): ArchivedDecision => ({
  ...row,
  decidedAt: isoTime(decidedAt),
})

const toJob = ({ chargeId: _, testOnly, createdAt, finishedAt, ...row }: ArchivedJobRow): ArchivedJob => ({
  ...row,
  testOnly: testOnly === 1,
  createdAt: isoTime(createdAt),
  finishedAt: isoTime(finishedAt),
})

const selectCharges = (
  ids: readonly string[],
) => `SELECT charge_id AS "chargeId", project_id AS "projectId", key_id AS "keyId",
    operation, credits, pricing_version AS "pricingVersion", state, request_id AS "requestId", reserved_at AS "reservedAt",
    ended_at AS "endedAt", reason, usage, idempotency_digest AS "idempotencyDigest", fingerprint,
    isolation_version AS "isolationVersion", leaves_process AS "leavesProcess", instance_id AS "instanceId",
    budget_id AS "budgetId", budget_period AS "budgetPeriod"
  FROM charges WHERE charge_id IN (${placeholders(ids)}) ORDER BY charge_id`

const selectDecisions = (
  ids: readonly string[],
) => `SELECT charge_id AS "chargeId", decision, reason, decided_by AS "decidedBy",
    decided_at AS "decidedAt" FROM review_decisions WHERE charge_id IN (${placeholders(ids)})`

const selectJobs = (ids: readonly string[]) => `SELECT charge_id AS "chargeId", job_id AS "jobId", provider,
    provider_id AS "providerId", prompt, seconds, size, test_only AS "testOnly", status, error_code AS "errorCode",
    created_at AS "createdAt", finished_at AS "finishedAt", content_type AS "contentType", content_bytes AS "contentBytes",
    content_sha256 AS "contentSha256" FROM media_jobs WHERE charge_id IN (${placeholders(ids)})`
