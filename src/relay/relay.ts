import type { ErrorCode } from '../contract/errors.ts'
import { newSortableId } from '../contract/ids.ts'
import type { BillableOperation } from '../contract/prices.ts'
import type { ReasonCode } from '../contract/reasons.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { BusinessOperations } from '../operations/operation.ts'
import { admit, type BillableCall, type KeyUse, refuse } from './admit.ts'
import { forward } from './forward.ts'
import type { ChargeReader } from './ports.ts'
import type { RelayResponse } from './response.ts'
import { createSettle } from './settle.ts'

export interface RelayDeps {
  readonly ledger: Ledger
  readonly charges: ChargeReader
  readonly operations: BusinessOperations
  readonly instanceId: string
  readonly callsPerKey: { readonly max: number; readonly windowSeconds: number }
  readonly clock: () => number
  /** How long a duplicate waits for the call it duplicates. */
  readonly duplicateWaitMs: number
  /** False when other instances may take this one for dead: then nothing new is admitted. */
  readonly isLeaseHeld: () => boolean
  /** Told of every charge that goes to review, with what the operator needs to look into it. */
  readonly onUncertain: (outcome: UncertainCall) => void
  /** Told whose snapshots grew. */
  readonly onShown: (projectId: string) => void
  /** Told of every outcome that the store did not take at once. */
  readonly onFault: (error: unknown, context: { chargeId: string }) => void
}

export interface UncertainCall {
  readonly chargeId: string
  readonly reason: ReasonCode
  readonly detail?: string
}

export interface Relay {
  readonly run: <O extends BillableOperation>(call: BillableCall<O>) => Promise<RelayResponse>
  /** Refuses a faulty call without a charge; never resolves. */
  readonly refuse: (use: KeyUse, fault: ErrorCode) => Promise<never>
  /** Whether this instance still works on the charge: recovery keeps its hands off it. */
  readonly holds: (chargeId: string) => boolean
  /** Calls under way and outcomes that wait for the store. */
  readonly held: () => number
  /** Stops trying to record outcomes that the store does not take; recovery ends those charges later. */
  readonly close: () => Promise<void>
}

/**
 * A call under way, whose answer its duplicates get. It is emptied at its end: a map that is often added to and taken from
 * leaves former tables behind, and what an old one still names is not collected with other short-lived objects.
 */
interface CallUnderWay {
  answer: Promise<RelayResponse> | null
}

export type UnderWay = ReadonlyMap<string, CallUnderWay>

/** One billable request: admit, forward, settle. There is no other way to a provider, and no way around the books. */
export function createRelay(deps: RelayDeps): Relay {
  const underWay = new Map<string, CallUnderWay>()
  const settle = createSettle(deps)

  async function relay<O extends BillableOperation>(call: BillableCall<O>, chargeId: string): Promise<RelayResponse> {
    const answer = await admit(deps, underWay, call, chargeId)
    if (answer) return answer
    const outcome = await forward(deps.operations, call)
    return settle.charge(call, chargeId, outcome)
  }

  return {
    async run(call) {
      // Known as under way before it is admitted, so that a duplicate in the same batch already finds it.
      const chargeId = newSortableId('chg', deps.clock())
      const answer = relay(call, chargeId)
      const place: CallUnderWay = { answer }
      underWay.set(chargeId, place)
      try {
        return await answer
      } finally {
        underWay.delete(chargeId)
        place.answer = null
      }
    },
    refuse: (use, fault) => refuse(deps, use, fault),
    holds: (chargeId) => underWay.has(chargeId) || settle.isRecording(chargeId),
    held: () => underWay.size + settle.recording(),
    close: settle.close,
  }
}
