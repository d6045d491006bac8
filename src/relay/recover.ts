import type { BillableOperation } from '../contract/prices.ts'
import type { End } from '../ledger/commands.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { reviewResponse } from './answer.ts'
import type { ChargeReader, Presence, ReservedCharge } from './ports.ts'

export interface RecoveryDeps {
  readonly charges: ChargeReader
  readonly ledger: Ledger
  readonly presence: Presence
  /** Whether this instance still works on the charge. */
  readonly holds: (chargeId: string) => boolean
  readonly clock: () => number
  /** How old a charge of this very instance must be before it counts as lost. */
  readonly ownGraceMs: number
}

export interface Recovered {
  readonly released: number
  readonly reviewed: number
}

const pageSize = 500

/**
 * Ends the charges that nobody works on any more, through the same command as every call: safe to repeat, and
 * safe when several instances try, because only the first one finds the charge still reserved.
 */
export function createRecovery(deps: RecoveryDeps): () => Promise<Recovered> {
  const { charges, ledger, presence, clock } = deps

  function fate(charge: ReservedCharge, live: ReadonlySet<string>): 'released' | 'manual_review' | null {
    if (charge.instanceId !== presence.instanceId) {
      if (live.has(charge.instanceId)) return null
      return charge.leavesProcess ? 'manual_review' : 'released'
    }
    // Reserved by us, yet no call of ours knows of it: its commit was in doubt, so it was never forwarded.
    const isLost = !deps.holds(charge.chargeId) && charge.reservedAt + deps.ownGraceMs <= clock()
    return isLost ? 'released' : null
  }

  return async function recover() {
    const counts = { released: 0, reviewed: 0 }
    let after = ''
    for (;;) {
      const page = await charges.reserved(after, pageSize)
      // Asked after the page: whoever starts meanwhile has its claim before its first charge.
      const live = new Set(await presence.liveInstances())
      for (const charge of page) {
        const to = fate(charge, live)
        if (to === null) continue
        const result = await ledger.end(endOf(charge, to, clock()))
        if (result.kind === 'ended') counts[to === 'released' ? 'released' : 'reviewed'] += 1
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
    reason: isReview
      ? 'the instance stopped while the call was under way'
      : 'the instance stopped before anything was forwarded',
    shown: [],
    decision: null,
    at,
  }
}
