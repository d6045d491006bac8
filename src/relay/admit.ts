import { fingerprint } from '../base/signatures.ts'
import { addressRefused, type ErrorCode, Refusal } from '../contract/errors.ts'
import { type BillableOperation, prices, pricingVersion } from '../contract/prices.ts'
import type { FoundCharge } from '../ledger/books.ts'
import type { Admit, RefuseResult, StoredResponse } from '../ledger/commands.ts'
import type { BillableCall, CallsUnderWay, KeyUse, RelayDeps, RelayResponse } from './call.ts'
import { operationOf } from './operations/operation.ts'
import { createSharedLook } from './row-poller.ts'

/** Increase it when the isolation between projects changes: charges with an older version are never replayed. */
export const isolationVersion = 1

/** How a call comes in, or gets the response of an earlier one. */
export function createAdmit(deps: RelayDeps, underWay: CallsUnderWay) {
  const others = createSharedLook({ read: (chargeIds) => deps.charges.findAll(chargeIds), clock: deps.clock })

  /** Waits for the first call's response: on this instance by its promise, on another by looking into the store. */
  async function firstResponse(chargeId: string, deadline: number): Promise<RelayResponse | null> {
    const local = underWay.get(chargeId)?.response
    if (local) return local.then((response) => ({ ...response, isReplay: response.isStored }))
    const { row, isLate } = await others.until(chargeId, deadline, hasEnded)
    if (isLate) {
      throw new Refusal('INTERNAL_ERROR', { explain: 'The first call with this Idempotency-Key is still under way.' })
    }
    return row!.response && toReplay(row!.response, chargeId)
  }

  /**
   * Reserves the price and returns null. If an earlier call has the same Idempotency-Key, returns that call's response and
   * charges nothing. Throws a `Refusal` if the call is not allowed.
   */
  return async function admit<O extends BillableOperation>(
    call: BillableCall<O>,
    chargeId: string,
  ): Promise<RelayResponse | null> {
    if (!deps.isLeaseHeld()) throw new Refusal('INTERNAL_ERROR')
    const command = admitCommand(deps, call, chargeId)
    for (;;) {
      const result = await deps.ledger.admit(command)
      switch (result.kind) {
        case 'reserved':
          return null
        case 'replay':
          return toReplay(result.response, result.chargeId)
        case 'refused':
          throw toRefusal(result)
        case 'under_way': {
          const response = await firstResponse(result.chargeId, command.at + deps.duplicateWaitMs)
          if (response) return response
          // The first call was released before anything was sent, which freed its key: try again as the first.
        }
      }
    }
  }
}

/** Refuses an invalid request. Key and rate-limit errors take precedence over `fault`. */
export async function refuse(deps: RelayDeps, use: KeyUse, fault: ErrorCode): Promise<never> {
  throw toRefusal(await deps.ledger.refuse({ type: 'refuse', ...keyFields(deps, use), fault }))
}

export const toRefusal = ({ code, retryAfterSeconds, because }: RefuseResult) =>
  new Refusal(code, { retryAfterSeconds, message: because && messageOf(because) })

/** Replaces the general meaning of the code, which would mislead. */
function messageOf(because: NonNullable<RefuseResult['because']>): string {
  if (because === 'address') return addressRefused
  const { credits, per } = because.budget
  const limit = `${credits} credits ${per === 'total' ? 'in total' : `per ${per}`}`
  return `The budget of this API key (${limit}) does not cover the price; nothing was forwarded.`
}

const keyFields = (deps: RelayDeps, { operation, principal, address }: KeyUse) => ({
  projectId: principal.projectId,
  keyId: principal.keyId,
  scope: prices[operation].scope,
  address,
  limit: { max: deps.callsPerKey.max, windowMs: deps.callsPerKey.windowSeconds * 1000 },
  at: deps.clock(),
})

const admitCommand = <O extends BillableOperation>(
  deps: RelayDeps,
  call: BillableCall<O>,
  chargeId: string,
): Admit => ({
  type: 'admit',
  ...keyFields(deps, call),
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

const hasEnded = (charge: FoundCharge | undefined) => charge !== undefined && charge.state !== 'reserved'

const toReplay = (response: StoredResponse, chargeId: string): RelayResponse => ({
  ...response,
  isReplay: true,
  isStored: true,
  chargeId,
})
