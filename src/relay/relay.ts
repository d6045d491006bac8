import { sometimes } from '../base/sometimes.ts'
import { type ErrorCode, Refusal } from '../contract/errors.ts'
import { type BillableOperation, prices } from '../contract/prices.ts'
import type { FoundCharge } from '../ledger/charge-reader.ts'
import { mayHaveCommitted } from '../ledger/ledger.ts'
import { createAdmission } from './admit.ts'
import { type BillableCall, type ReadyCall, type RelayDeps, type RelayResponse, tracedSteps } from './call.ts'
import { forward, operationOf } from './operations/operation.ts'
import { createRowPoller } from './row-poller.ts'
import { ChargeLost, createSettle, notSent } from './settle.ts'

export interface Relay {
  readonly run: <O extends BillableOperation>(call: BillableCall<O>) => Promise<RelayResponse>
  /** Refuses an invalid request without a charge. Always rejects. */
  readonly refuse: (use: Pick<BillableCall, 'operation' | 'principal' | 'address'>, fault: ErrorCode) => Promise<never>
  /** Counts a request that costs nothing against the rate limit of its key, or refuses it. */
  readonly use: (use: Pick<BillableCall, 'principal' | 'address'>) => Promise<void>
  /** Whether this instance is still working on the charge; recovery then leaves it alone. */
  readonly isUnderWay: (chargeId: string) => boolean
  /** Whether the charge was forwarded and then our own code failed before its outcome could be recorded. */
  readonly wasForwarded: (chargeId: string) => boolean
  /** How many calls are in progress, including outcomes not yet recorded. */
  readonly underWay: () => number
  /** Stops retrying outcomes that the store did not record; recovery ends those charges later. */
  readonly close: () => Promise<void>
}

/**
 * Every call of a billable operation takes these three steps. Media jobs have their own (`features/calls/media/submit.ts`).
 *
 * 1. Admit: one commit checks the key, rate limit, Idempotency-Key and balance, and reserves the price.
 * 2. Forward: the provider is called, with no transaction open.
 * 3. Settle: one commit ends the charge and stores the response. Success settles it, failure releases it, and an uncertain
 *    outcome keeps the credits reserved for review.
 *
 * The caller gets the response only after that commit is on disk.
 */
export function createRelay(deps: RelayDeps): Relay {
  const { operations, clock } = deps
  /** Each is a fault of our own code; recovery sends them to review. */
  const unrecorded = new Set<string>()
  const settle = createSettle(deps, (chargeId) => calls.logsContent(chargeId))
  const others = createRowPoller({ read: (chargeIds) => deps.charges.findAll(chargeIds), clock })
  const calls = createAdmission<RelayResponse>(deps, {
    replay: (response, chargeId) => ({ ...response, value: null, isReplay: true, isStored: true, chargeId }),
    async join(chargeId, local, at) {
      if (local) return local.then((response) => ({ ...response, isReplay: response.isStored }))
      const { row, isLate } = await others.until(chargeId, at + deps.duplicateWaitMs, hasEnded)
      if (sometimes('a duplicate gives up waiting', isLate)) {
        throw new Refusal('INTERNAL_ERROR', {
          explain: 'The first call with this Idempotency-Key is still in progress.',
        })
      }
      return row!.response && { ...row!.response, value: null, isReplay: true, isStored: true, chargeId }
    },
  })
  const steps = tracedSteps(
    {
      admit(call, chargeId) {
        const { scope, credits } = prices[call.operation]
        const { leavesProcess, model } = call.prepared
        return calls.admit({ ...call, scope, credits, leavesProcess, model: model?.id, at: clock() }, chargeId)
      },
      forward: (call) => forward(call, deps.reportFault),
      settle: settle.charge,
    },
    deps.trace,
  )

  async function relay<O extends BillableOperation>(call: ReadyCall<O>, chargeId: string): Promise<RelayResponse> {
    const earlier = await steps.admit(call, chargeId).catch((error) => {
      if (mayHaveCommitted(error)) settle.releaseDoubtful(call, chargeId)
      throw error
    })
    // An earlier call had this Idempotency-Key: return its response, without a second charge.
    if (earlier) return earlier
    // Committing may have taken longer than the lease: others may have recovered the charge, so nothing is sent.
    if (!deps.isLeaseHeld() && sometimes('the lease lapses while a call is admitted')) {
      await steps.settle(call, chargeId, notSent)
      call.onCharge?.(null, false)
      throw new Refusal('INTERNAL_ERROR')
    }
    try {
      return await steps.settle(call, chargeId, await steps.forward(call))
    } catch (error) {
      if (call.prepared.leavesProcess && !settle.isRetrying(chargeId) && !(error instanceof ChargeLost))
        unrecorded.add(chargeId)
      throw error
    }
  }

  return {
    run(call) {
      const prepared = call.prepared ?? operationOf(operations, call.operation).prepare(call.request)
      return calls.run((chargeId) => relay({ ...call, prepared }, chargeId))
    },
    refuse: ({ operation, ...use }, fault) =>
      calls.refuse({ ...use, scope: prices[operation].scope, at: clock() }, fault),
    use: (use) => calls.use({ ...use, at: clock() }),
    isUnderWay: (chargeId) => calls.isUnderWay(chargeId) || settle.isRetrying(chargeId),
    wasForwarded: (chargeId) => unrecorded.has(chargeId),
    underWay: () => calls.underWay() + settle.retrying(),
    close: settle.close,
  }
}

const hasEnded = (charge: FoundCharge | undefined) => charge !== undefined && charge.state !== 'reserved'
