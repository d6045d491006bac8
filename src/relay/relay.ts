import { newSortableId } from '../base/ids.ts'
import { type ErrorCode, Refusal } from '../contract/errors.ts'
import type { BillableOperation } from '../contract/prices.ts'
import { mayHaveCommitted } from '../ledger/ledger.ts'
import type { Outcome } from '../providers/outcome.ts'
import { createAdmit, refuse } from './admit.ts'
import {
  type BillableCall,
  type CallUnderWay,
  type KeyUse,
  type RelayDeps,
  type RelayResponse,
  tracedSteps,
} from './call.ts'
import { type BusinessOperations, type OperationResult, operationOf } from './operations/operation.ts'
import { ChargeLost, createSettle } from './settle.ts'

/** Performs the operation, with no transaction open. Never throws: every failure is an `Outcome`. */
async function forward<O extends BillableOperation>(
  operations: BusinessOperations,
  call: BillableCall<O>,
): Promise<Outcome<OperationResult<O>>> {
  const operation = operationOf(operations, call.operation)
  try {
    return await operation.perform(call.request, { projectId: call.principal.projectId, requestId: call.requestId })
  } catch (error) {
    // Operations must not throw. If one does, the request may or may not have been sent.
    return operation.leavesProcess(call.request)
      ? {
          kind: 'uncertain',
          reason: 'ADAPTER_FAILED_AFTER_SENDING',
          sent: true,
          detail: error instanceof Error ? error.name : 'not an Error',
        }
      : { kind: 'refused', code: 'ADAPTER_FAILURE', sent: false }
  }
}

export interface Relay {
  readonly run: <O extends BillableOperation>(call: BillableCall<O>) => Promise<RelayResponse>
  /** Refuses an invalid request without a charge. Always rejects. */
  readonly refuse: (use: KeyUse, fault: ErrorCode) => Promise<never>
  /** Whether this instance is still working on the charge; recovery then leaves it alone. */
  readonly isUnderWay: (chargeId: string) => boolean
  /** Whether the charge was forwarded and then our own code failed before its outcome could be recorded. */
  readonly wasForwarded: (chargeId: string) => boolean
  /** How many calls are under way, including outcomes not yet recorded. */
  readonly underWay: () => number
  /** Stops retrying outcomes that the store did not record; recovery ends those charges later. */
  readonly close: () => Promise<void>
}

/**
 * Every billable call takes these three steps; there is no other way to a provider.
 *
 * 1. Admit: one commit checks the key, rate limit, Idempotency-Key and balance, and reserves the price.
 * 2. Forward: the provider is called, with no transaction open.
 * 3. Settle: one commit ends the charge and stores the response. Success settles it, failure releases it, and an uncertain
 *    outcome keeps the credits reserved for review.
 *
 * The caller gets the response only after that commit is on disk.
 */
export function createRelay(deps: RelayDeps): Relay {
  const underWay = new Map<string, CallUnderWay>()
  /** Each stands for a fault of our own code; recovery sends them to review. */
  const unrecorded = new Set<string>()
  const settle = createSettle(deps)
  const steps = tracedSteps(
    {
      admit: createAdmit(deps, underWay),
      forward: (call) => forward(deps.operations, call),
      settle: settle.charge,
    },
    deps.trace,
  )

  async function relay<O extends BillableOperation>(call: BillableCall<O>, chargeId: string): Promise<RelayResponse> {
    const earlier = await steps.admit(call, chargeId).catch((error) => {
      if (mayHaveCommitted(error)) settle.releaseDoubtful(call, chargeId)
      throw error
    })
    // An earlier call had this Idempotency-Key: return its response, without a second charge.
    if (earlier) return earlier
    // Committing may have taken longer than the lease: others may have recovered the charge, so nothing is sent.
    if (!deps.isLeaseHeld()) {
      await steps.settle(call, chargeId, { kind: 'refused', code: 'ADAPTER_FAILURE', sent: false })
      throw new Refusal('INTERNAL_ERROR')
    }
    if (operationOf(deps.operations, call.operation).leavesProcess(call.request))
      underWay.get(chargeId)!.isForwarded = true
    const outcome = await steps.forward(call)
    return steps.settle(call, chargeId, outcome)
  }

  return {
    async run(call) {
      const chargeId = newSortableId('chg', deps.clock())
      const response = relay(call, chargeId)
      const entry: CallUnderWay = { response, isForwarded: false }
      // Added before the charge is reserved, so that a duplicate in the same batch finds it.
      underWay.set(chargeId, entry)
      try {
        return await response
      } catch (error) {
        if (entry.isForwarded && !settle.isRetrying(chargeId) && !(error instanceof ChargeLost))
          unrecorded.add(chargeId)
        throw error
      } finally {
        underWay.delete(chargeId)
        // A busy Map keeps old backing tables alive, and they would pin the response.
        entry.response = null
      }
    },
    refuse: (use, fault) => refuse(deps, use, fault),
    isUnderWay: (chargeId) => underWay.has(chargeId) || settle.isRetrying(chargeId),
    wasForwarded: (chargeId) => unrecorded.has(chargeId),
    underWay: () => underWay.size + settle.retrying(),
    close: settle.close,
  }
}
