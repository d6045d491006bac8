import type { BillableOperation } from '../contract/prices.ts'
import type { ReasonCode } from '../contract/reasons.ts'
import type { End } from '../ledger/commands.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { ChargeReader, InstanceLease, ReservedCharge } from './ports.ts'
import { reviewResponse } from './response.ts'

export interface RecoveryDeps {
  readonly charges: ChargeReader
  readonly ledger: Ledger
  readonly lease: InstanceLease
  /** Whether this instance still works on the charge. */
  readonly holds: (chargeId: string) => boolean
  readonly clock: () => number
  /** How old a charge of this very instance must be before it counts as lost. */
  readonly ownGraceMs: number
  /** Told once of every charge that the store refuses to end. */
  readonly onFault: (error: unknown, context: { chargeId: string }) => void
}

export interface Recovered {
  readonly released: number
  readonly reviewed: number
  /** Charges that the store refused to end; each round tries them again. */
  readonly failed: number
}

export type Recover = (stopping?: AbortSignal) => Promise<Recovered>

const pageSize = 500
/** Charges whose fault is remembered as reported. */
const maxReported = 1000

/**
 * Ends the charges that nobody works on any more, through the same command as every call: safe to repeat, and
 * safe when several instances try, because only the first one finds the charge still reserved.
 */
export function createRecovery(deps: RecoveryDeps): Recover {
  const { charges, ledger, lease, clock } = deps
  const reported = new Set<string>()

  function fate(charge: ReservedCharge, live: ReadonlySet<string>): 'released' | 'manual_review' | null {
    if (charge.instanceId !== lease.instanceId) {
      if (live.has(charge.instanceId) || !lease.canJudgeOthers()) return null
      return charge.leavesProcess ? 'manual_review' : 'released'
    }
    // Reserved by us, yet no call of ours knows of it: its commit was in doubt, so it was never forwarded.
    const isLost = !deps.holds(charge.chargeId) && charge.reservedAt + deps.ownGraceMs <= clock()
    return isLost ? 'released' : null
  }

  async function end(charge: ReservedCharge, to: 'released' | 'manual_review'): Promise<keyof Recovered | null> {
    try {
      const result = await ledger.end(endOf(charge, to, clock()))
      if (result.kind !== 'ended') return null
      return to === 'released' ? 'released' : 'reviewed'
    } catch (error) {
      // Throws when the store is away: then the other charges would fail too, and the next round tries them all.
      await charges.find(charge.chargeId)
      report(error, charge)
      return 'failed'
    }
  }

  function report(error: unknown, { chargeId }: ReservedCharge): void {
    if (reported.has(chargeId) || reported.size === maxReported) return
    reported.add(chargeId)
    deps.onFault(error, { chargeId })
  }

  return async function recover(stopping) {
    const counts = { released: 0, reviewed: 0, failed: 0 }
    let after = ''
    for (;;) {
      const page = await charges.reserved(after, pageSize)
      // Asked after the page: whoever starts meanwhile has its claim before its first charge.
      const live = new Set(await lease.liveInstances())
      for (const charge of page) {
        if (stopping?.aborted) return counts
        const to = fate(charge, live)
        const ended = to && (await end(charge, to))
        if (ended) counts[ended] += 1
      }
      if (page.length < pageSize) return counts
      after = page.at(-1)!.chargeId
    }
  }
}

function endOf(charge: ReservedCharge, to: 'released' | 'manual_review', at: number): End {
  const operation = charge.operation as BillableOperation
  const { chargeId, projectId, credits } = charge
  const isReview = to === 'manual_review'
  return {
    type: 'end',
    chargeId,
    projectId,
    from: 'reserved',
    to,
    // Never forwarded: the key stays free for the same intent.
    response: isReview ? reviewResponse({ operation, credits, chargeId }) : null,
    usage: null,
    reason: (isReview ? 'INSTANCE_STOPPED_DURING_CALL' : 'INSTANCE_STOPPED_BEFORE_FORWARDING') satisfies ReasonCode,
    shown: [],
    decision: null,
    at,
  }
}
