import { setTimeout as delay } from 'node:timers/promises'
import { type ErrorCode, Refusal } from '../contract/errors.ts'
import { type BillableOperation, prices, pricingVersion } from '../contract/prices.ts'
import type { RequestOf } from '../contract/schemas/business.ts'
import type { Admit, StoredResponse } from '../ledger/commands.ts'
import type { BusinessOperation } from '../operations/operation.ts'
import type { RelayAnswer } from './answer.ts'
import { fingerprint, isolationVersion } from './fingerprint.ts'
import type { RelayDeps, UnderWay } from './relay.ts'

/** A call whose key was recognized. `fault` is what is wrong with the request, if anything is. */
export interface BillableCall<O extends BillableOperation = BillableOperation> {
  readonly operation: O
  readonly principal: { readonly projectId: string; readonly keyId: string }
  readonly idempotencyDigest: string
  readonly request: RequestOf<O>
  readonly fault: ErrorCode | null
  readonly requestId: string
}

/**
 * Reserves the price, and answers nothing; or answers without a charge: with a replay, or with the result of
 * the call that this one duplicates. Refusals are thrown.
 */
export async function admit<O extends BillableOperation>(
  deps: RelayDeps,
  underWay: UnderWay,
  call: BillableCall<O>,
  chargeId: string,
): Promise<RelayAnswer | null> {
  if (!deps.isLeaseHeld()) throw new Refusal('INTERNAL_ERROR')
  const command = admission(deps, call, chargeId)
  for (;;) {
    const result = await deps.ledger.admit(command)
    switch (result.kind) {
      case 'reserved':
        return null
      case 'replay':
        return replayOf(result.response)
      case 'refused':
        throw new Refusal(result.code, { retryAfterSeconds: result.retryAfterSeconds })
      case 'under_way': {
        const answer = await outcomeOf(deps, underWay, result.chargeId, command.at + deps.duplicateWaitMs)
        if (answer) return answer
        // Nothing was forwarded and the key is free again: this call is the first one now.
      }
    }
  }
}

function admission<O extends BillableOperation>(deps: RelayDeps, call: BillableCall<O>, chargeId: string): Admit {
  const { scope, credits } = prices[call.operation]
  const operation = deps.operations[call.operation] as unknown as BusinessOperation<O>
  return {
    type: 'admit',
    chargeId,
    projectId: call.principal.projectId,
    keyId: call.principal.keyId,
    scope,
    limit: { max: deps.callsPerKey.max, windowMs: deps.callsPerKey.windowSeconds * 1000 },
    fault: call.fault,
    operation: call.operation,
    credits,
    pricingVersion,
    leavesProcess: call.fault === null && operation.leavesProcess(call.request),
    idempotencyDigest: call.idempotencyDigest,
    fingerprint: call.fault === null ? fingerprint(call.request) : '',
    isolationVersion,
    instanceId: deps.instanceId,
    requestId: call.requestId,
    at: deps.clock(),
  }
}

const replayOf = (response: StoredResponse): RelayAnswer => ({ ...response, isReplay: true, isStored: true })

const pollMs = 50

/** Waits for the first call's result: here through its promise, on another instance by looking at the books. */
async function outcomeOf(
  deps: RelayDeps,
  underWay: UnderWay,
  chargeId: string,
  deadline: number,
): Promise<RelayAnswer | null> {
  const here = underWay.get(chargeId)?.answer
  if (here) return here.then((answer) => ({ ...answer, isReplay: answer.isStored }))
  for (;;) {
    // Before the look, so that the last one is of a moment past the deadline even when the process was paused.
    const isLast = deps.clock() >= deadline
    const charge = await deps.charges.find(chargeId)
    if (charge && charge.state !== 'reserved') return charge.response && replayOf(charge.response)
    if (isLast) {
      throw new Refusal('INTERNAL_ERROR', { explain: 'The first call with this Idempotency-Key is still under way.' })
    }
    await delay(pollMs)
  }
}
