import { mediaOperation } from '../contract/prices.ts'
import type { End, StoredResponse } from '../ledger/commands.ts'
import type { EndDecision } from './job-machine.ts'
import type { JobRow } from './ports.ts'

/** Ends a job and its charge in one commit. A null response frees the Idempotency-Key. */
export function endCommand(
  { jobId, chargeId, projectId, seconds }: Pick<JobRow, 'jobId' | 'chargeId' | 'projectId' | 'seconds'>,
  { status, charge, errorCode, content }: EndDecision,
  at: number,
  response: StoredResponse | null,
): End {
  return {
    type: 'end',
    chargeId,
    projectId,
    from: 'reserved',
    to: charge,
    response,
    usage: charge === 'settled' ? JSON.stringify({ seconds }) : null,
    reason: errorCode,
    snapshots: [],
    decision: null,
    job: { jobId, status, errorCode, content },
    at,
  }
}

/** Marks the Idempotency-Key as used by a job; what a replay returns is read from the job itself. */
export const jobResponse = (chargeId: string): StoredResponse => ({
  status: 202,
  code: null,
  body: JSON.stringify({ operation: mediaOperation, chargeId }),
})
