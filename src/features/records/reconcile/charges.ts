import { mediaOperation } from '../../../contract/prices.ts'
import type { Difference, Read, ReconcileContext } from './differences.ts'
import {
  archivedStarts,
  type ChargeTrail,
  type ChargeWithEntries,
  chargePage,
  lastChargeId,
  reservedClosings,
} from './rows/charges.ts'

export interface ChargeContext extends ReconcileContext {
  readonly resultsKeptSince: number
}

/**
 * I2 and I3: compares each charge with its ledger entries, stored response and operator decision. Charges that are added
 * during the run are left out, so that it ends.
 */
export async function reconcileCharges(read: Read, context: ChargeContext): Promise<void> {
  const until = (await read(lastChargeId)) ?? ''
  const starts = new Map<string, number>()
  let after = ''
  for (;;) {
    const page = await read((tx) => chargePage(tx, { after, until }, context.pageRows))
    const last = page.at(-1)
    if (!last) return reconcileStarts(read, context, starts)
    for (const found of page) {
      if (found.isStartArchived) starts.set(found.projectId, (starts.get(found.projectId) ?? 0) + found.credits)
      const charge = found.isStartArchived ? withArchivedStart(found) : found
      context.differences.add(checkEntries(charge))
      context.differences.add(checkStoredResponse(charge, context.resultsKeptSince))
      context.differences.add(checkJob(charge))
    }
    context.count('charges', page.length)
    after = last.chargeId
  }
}

/** The entries that were archived: the reservation, and the review if an operator decided later. The sum of them is proven below. */
function withArchivedStart(charge: ChargeWithEntries): ChargeWithEntries {
  const { trail, decision } = charge
  return { ...charge, trail: { ...trail, reserve: 1, review: decision === null ? trail.review : 1, reservedSeq: 0 } }
}

/** I6: what a closing balance has reserved is the sum of the charges and refunds whose start was archived. */
async function reconcileStarts(read: Read, { differences }: ChargeContext, found: Map<string, number>) {
  const closings = new Map((await read(reservedClosings)).map((row) => [row.projectId, row.reserved]))
  for (const projectId of new Set([...closings.keys(), ...found.keys()])) {
    if (closings.get(projectId) === found.get(projectId)) continue
    // More may have been archived since, so only one snapshot decides.
    const { reserved, credits } = await read((tx) => archivedStarts(tx, projectId))
    const what = 'reserved against the charges whose start was archived'
    if (reserved !== credits)
      differences.add([{ invariant: 'I6', projectId, at: 'closing balance', what, expected: credits, found: reserved }])
  }
}

/** I2: reserved once, perhaps reviewed, then ended at most once; an operator decides only after a review. */
export function checkEntries(charge: ChargeWithEntries): Difference[] {
  const { trail, state, credits } = charge
  const { differ, differences } = collector('I2', charge)
  differ(`entries of a charge that is ${state}`, expectedTrail(charge), listEntries(trail))
  if (!isInOrder(trail)) differ('order of its entries', 'reserve, review, end', 'another order')
  for (const amount of new Set([trail.leastAmount ?? credits, trail.mostAmount ?? credits])) {
    differ('credits of its entries', credits, amount)
  }
  for (const projectId of new Set([trail.firstProjectId, trail.lastProjectId])) {
    differ('ledger of its entries', charge.projectId, projectId ?? charge.projectId)
  }
  const isDecided = trail.review > 0 && (state === 'settled' || state === 'released')
  differ('decision of an operator', isDecided ? state : 'none', charge.decision ?? 'none')
  return differences
}

/** I3: an ended charge keeps its response as long as its Idempotency-Key is used; only a release can free the key. */
export function checkStoredResponse(charge: ChargeWithEntries, resultsKeptSince: number): Difference[] {
  const { state, status, isKeyFree } = charge
  const { differ, differences } = collector('I3', charge)
  if (isKeyFree && state !== 'released') differ('its Idempotency-Key', 'used up', 'free')
  if (isKeyFree || state === 'reserved') {
    differ('stored response', 'none', status ?? 'none')
  } else if (status === null) {
    const mayBePruned = state !== 'manual_review' && charge.endedAt !== null && charge.endedAt < resultsKeptSince
    if (!mayBePruned) differ('stored response', 'one', 'none')
  } else {
    const { isRight, wanted } = expectedStatus[state]
    if (!isRight(status, charge)) differ(`status of the stored response of a charge that is ${state}`, wanted, status)
  }
  return differences
}

/** I2: a job is open exactly as long as its charge is reserved, and ends as its charge does. */
export function checkJob(charge: ChargeWithEntries): Difference[] {
  const { differ, differences } = collector('I2', charge)
  const { job, state, trail } = charge
  differ('its media job', charge.operation === mediaOperation ? 'one' : 'none', job === null ? 'none' : 'one')
  if (job !== null) {
    const wanted = trail.review > 0 ? ['unknown'] : jobStatusesOf[state]
    if (!wanted.includes(job)) differ(`status of the job of a charge that is ${state}`, wanted.join(' or '), job)
  }
  return differences
}

const jobStatusesOf: Record<ChargeWithEntries['state'], readonly string[]> = {
  reserved: ['submitting', 'queued', 'in_progress'],
  settled: ['completed'],
  released: ['failed', 'cancelled'],
  manual_review: ['unknown'],
}

const expectedStatus = {
  settled: {
    wanted: '200, or 202 after a review or for a job',
    isRight: (status: number, { trail, job }: ChargeWithEntries) =>
      status === (trail.review > 0 || job !== null ? 202 : 200),
  },
  manual_review: { wanted: '202', isRight: (status: number) => status === 202 },
  released: {
    wanted: 'an error, or 202 for a job',
    isRight: (status: number, { job }: ChargeWithEntries) => status >= 400 || (job !== null && status === 202),
  },
}

function expectedTrail({ state, trail }: ChargeWithEntries): string {
  const reserve = { reserve: 1 }
  switch (state) {
    case 'reserved':
      return listEntries(reserve)
    case 'manual_review':
      return listEntries({ ...reserve, review: 1 })
    case 'settled':
      return listEntries({ ...reserve, review: Math.min(trail.review, 1), settle: 1 })
    case 'released':
      return listEntries({ ...reserve, review: Math.min(trail.review, 1), release: 1 })
  }
}

const kinds = ['reserve', 'review', 'settle', 'release', 'credit', 'grant', 'withdraw'] as const

const listEntries = (counts: Partial<ChargeTrail>): string =>
  kinds
    .filter((kind) => (counts[kind] ?? 0) > 0)
    .map((kind) => `${counts[kind]} ${kind}`)
    .join(', ') || 'none'

function isInOrder({ reservedSeq, reviewedSeq, endedSeq }: ChargeTrail): boolean {
  const seqs = [reservedSeq, reviewedSeq, endedSeq].filter((seq) => seq !== null)
  return seqs.every((seq, index) => index === 0 || seq > seqs[index - 1]!)
}

function collector(invariant: 'I2' | 'I3', { projectId, chargeId }: ChargeWithEntries) {
  const differences: Difference[] = []
  const differ = (what: string, expected: string | number, found: string | number) => {
    if (expected !== found) differences.push({ invariant, projectId, at: chargeId, what, expected, found })
  }
  return { differ, differences }
}
