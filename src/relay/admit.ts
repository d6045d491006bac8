import { setTimeout as delay } from 'node:timers/promises'
import { type ErrorCode, Refusal } from '../contract/errors.ts'
import { type BillableOperation, prices, pricingVersion } from '../contract/prices.ts'
import type { RequestOf } from '../contract/schemas/business.ts'
import type { Admit, RefuseResult, StoredResponse } from '../ledger/commands.ts'
import { operationOf } from '../operations/operation.ts'
import { fingerprint, isolationVersion } from './fingerprint.ts'
import type { RelayDeps, UnderWay } from './relay.ts'
import type { RelayResponse } from './response.ts'

/** Whose key a call presented, and for what. */
export interface KeyUse<O extends BillableOperation = BillableOperation> {
  readonly operation: O
  readonly principal: { readonly projectId: string; readonly keyId: string }
}

/** A well-formed call whose key was recognized. */
export interface BillableCall<O extends BillableOperation = BillableOperation> extends KeyUse<O> {
  readonly idempotencyDigest: string
  readonly request: RequestOf<O>
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
): Promise<RelayResponse | null> {
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
        throw refusalOf(result)
      case 'under_way': {
        const answer = await outcomeOf(deps, underWay, result.chargeId, command.at + deps.duplicateWaitMs)
        if (answer) return answer
        // Nothing was forwarded and the key is free again: this call is the first one now.
      }
    }
  }
}

/** Refuses a faulty call, once its key and rate limit were judged: what is wrong with those is told first. */
export async function refuse(deps: RelayDeps, use: KeyUse, fault: ErrorCode): Promise<never> {
  throw refusalOf(await deps.ledger.refuse({ type: 'refuse', ...keyUse(deps, use), fault }))
}

const refusalOf = ({ code, retryAfterSeconds }: RefuseResult) => new Refusal(code, { retryAfterSeconds })

const keyUse = (deps: RelayDeps, { operation, principal }: KeyUse) => ({
  projectId: principal.projectId,
  keyId: principal.keyId,
  scope: prices[operation].scope,
  limit: { max: deps.callsPerKey.max, windowMs: deps.callsPerKey.windowSeconds * 1000 },
  at: deps.clock(),
})

const admission = <O extends BillableOperation>(deps: RelayDeps, call: BillableCall<O>, chargeId: string): Admit => ({
  type: 'admit',
  ...keyUse(deps, call),
  chargeId,
  operation: call.operation,
  credits: prices[call.operation].credits,
  pricingVersion,
  leavesProcess: operationOf(deps.operations, call.operation).leavesProcess(call.request),
  idempotencyDigest: call.idempotencyDigest,
  fingerprint: fingerprint(call.request),
  isolationVersion,
  instanceId: deps.instanceId,
  requestId: call.requestId,
})

const replayOf = (response: StoredResponse): RelayResponse => ({ ...response, isReplay: true, isStored: true })

const pollMs = 50

/** Waits for the first call's result: here through its promise, on another instance by looking at the books. */
async function outcomeOf(
  deps: RelayDeps,
  underWay: UnderWay,
  chargeId: string,
  deadline: number,
): Promise<RelayResponse | null> {
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
