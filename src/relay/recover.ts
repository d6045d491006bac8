import type { BillableOperation } from '../contract/prices.ts'
import type { ReasonCode } from '../contract/reasons.ts'
import type { ChargeReader, ReservedCharge } from '../ledger/charge-reader.ts'
import type { End } from '../ledger/commands.ts'
import type { InstanceLease } from '../ledger/instance-lease.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { endReserved, reviewResponse } from './settle.ts'

export interface RecoveryDeps {
  readonly charges: ChargeReader
  readonly ledger: Ledger
  readonly lease: InstanceLease
  /** Whether this instance is still working on the charge. */
  readonly isUnderWay: (chargeId: string) => boolean
  /** Whether this instance forwarded the charge, but could not record what came of it. */
  readonly wasForwarded: (chargeId: string) => boolean
  readonly clock: () => number
  /** How old this instance's own charges must be before they count as lost. */
  readonly ownGraceMs: number
  /** Called once for each charge that cannot be ended. */
  readonly onFault: (error: unknown, context: { chargeId: string }) => void
}

export interface Recovered {
  readonly released: number
  readonly reviewed: number
  /** Charges that could not be ended; every run retries them. */
  readonly failed: number
}

export type Recover = (stopping?: AbortSignal) => Promise<Recovered>

type EndState = 'released' | 'manual_review'

const pageSize = 500
/** Bounds the memory of what was reported. */
const maxReported = 1000

/**
 * Ends the charges that a dead instance left reserved, with the same command that ends a normal call. It is safe to repeat
 * and to run on several instances at once: only the first one finds the charge still reserved.
 */
export function createRecovery(deps: RecoveryDeps): Recover {
  const { charges, ledger, lease, clock } = deps
  const reported = new Set<string>()

  function endStateOf(charge: ReservedCharge, live: ReadonlySet<string>): EndState | null {
    if (charge.instanceId !== lease.instanceId) {
      if (live.has(charge.instanceId) || !lease.canRecoverOthers()) return null
      return charge.leavesProcess ? 'manual_review' : 'released'
    }
    const isLost = !deps.isUnderWay(charge.chargeId) && charge.reservedAt + deps.ownGraceMs <= clock()
    if (!isLost) return null
    // Usually the reserving commit seemed to fail, so nothing was forwarded.
    return deps.wasForwarded(charge.chargeId) ? 'manual_review' : 'released'
  }

  async function end(charge: ReservedCharge, to: EndState): Promise<keyof Recovered | null> {
    try {
      const result = await ledger.end(endCommand(charge, to, clock()))
      if (result.kind !== 'ended') return null
      return to === 'released' ? 'released' : 'reviewed'
    } catch (error) {
      // If the store is down this throws, which ends the run: every other charge would fail too.
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
      // Read after the page: an instance takes its lease before it reserves its first charge.
      const live = new Set(await lease.liveInstances())
      for (const charge of page) {
        if (stopping?.aborted) return counts
        const to = endStateOf(charge, live)
        const ended = to && (await end(charge, to))
        if (ended) counts[ended] += 1
      }
      if (page.length < pageSize) return counts
      after = page.at(-1)!.chargeId
    }
  }
}

function endCommand({ chargeId, projectId, credits, ...charge }: ReservedCharge, to: EndState, at: number): End {
  const operation = charge.operation as BillableOperation
  if (to === 'manual_review') {
    const reason: ReasonCode = 'INSTANCE_STOPPED_DURING_CALL'
    return endReserved({
      chargeId,
      projectId,
      to,
      response: reviewResponse({ operation, credits, chargeId }),
      reason,
      at,
    })
  }
  // It was never forwarded: no response is stored, which frees its Idempotency-Key.
  const reason: ReasonCode = 'INSTANCE_STOPPED_BEFORE_FORWARDING'
  return endReserved({ chargeId, projectId, to, reason, at })
}
