import { type ErrorCode, Refusal } from '../../../contract/errors.ts'
import { prices } from '../../../contract/prices.ts'
import type { Call } from '../../../http/route.ts'
import type { Relay } from '../../../relay/relay.ts'
import { readBalance } from '../../../storage/balance-rows.ts'
import type { Engine } from '../../../storage/engine.ts'
import type { Principal } from '../../identity/keys/authenticate.ts'
import { type Deliveries, isRepeat } from './deliveries.ts'
import { isLarge } from './large-bodies.ts'

interface UnpaidBodiesDeps {
  readonly engine: Engine
  readonly relay: Pick<Relay, 'refuse'>
  readonly deliveries: Pick<Deliveries, 'isSomeAwaited'>
}

const operation = 'model.chat'
const code: ErrorCode = 'INSUFFICIENT_PAID_CREDITS'

/** Refuses a large body before it is read if its project cannot pay for one call. A small one is judged at its admission alone. */
export function createUnpaidBodies({ engine, relay, deliveries }: UnpaidBodiesDeps) {
  /** For a repeat, the last credits may have paid its first attempt. */
  const mayBeRepeat = (call: Call, { keyId }: Principal) =>
    call.header('idempotency-key') !== 'absent' || isRepeat(call) || deliveries.isSomeAwaited(keyId)

  return async (call: Call, principal: Principal): Promise<void> => {
    if (!isLarge(call) || mayBeRepeat(call, principal)) return
    const balance = await engine.read((tx) => readBalance(tx, principal.projectId))
    const remaining = balance?.available ?? 0
    if (remaining >= prices[operation].credits) return
    const { address } = call.requester
    // The key and its rate limit are judged first, as for every call.
    await relay.refuse({ operation, principal, address }, code).catch((error) => {
      const isUnpaid = error instanceof Refusal && error.code === code
      throw isUnpaid ? new Refusal(code, { limit: { source: 'credits', remaining, resetsAt: null } }) : error
    })
  }
}

export type RefuseUnpaid = ReturnType<typeof createUnpaidBodies>
