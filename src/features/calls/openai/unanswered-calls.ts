import { fingerprint } from '../../../base/signatures.ts'
import type { ChargedOperation } from '../../../contract/prices.ts'

/** More calls than fail while a store changes its primary. */
const maxUnanswered = 1000

/** An earlier attempt of the same client, whose response it never got. */
export interface LostResponse {
  readonly chargeId: string
  /** Made from the id of its request. */
  readonly idempotencyKey: string
}

/** A call that may have been made before. */
export interface RepeatedCall {
  readonly keyId: string
  readonly operation: ChargedOperation
  readonly request: object
}

/** Calls of this instance whose clients were asked to repeat them: bounded, the oldest first. */
export function createUnanswered() {
  /** What was asked, by charge. */
  const calls = new Map<string, string>()
  const digestOf = ({ keyId, operation, request }: RepeatedCall) => `${keyId} ${operation} ${fingerprint(request)}`
  return {
    add(chargeId: string, asked: RepeatedCall): void {
      if (calls.size === maxUnanswered) calls.delete(calls.keys().next().value!)
      calls.set(chargeId, digestOf(asked))
    },
    has(asked: RepeatedCall): boolean {
      if (calls.size === 0) return false
      const digest = digestOf(asked)
      return [...calls.values()].includes(digest)
    },
    /** Whether there is one of this key. */
    hasSome: (keyId: string): boolean => [...calls.values()].some((asked) => asked.startsWith(`${keyId} `)),
    /** A repeat has found one, or that none is left. */
    found(asked: RepeatedCall, lost: LostResponse | null): void {
      if (lost) return void calls.delete(lost.chargeId)
      if (calls.size === 0) return
      const digest = digestOf(asked)
      for (const [chargeId, other] of calls) if (other === digest) calls.delete(chargeId)
    },
  }
}

export type Unanswered = ReturnType<typeof createUnanswered>
