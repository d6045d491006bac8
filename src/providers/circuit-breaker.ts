import {
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhenResult,
  isBrokenCircuitError,
} from 'cockatiel'
import type { Outcome } from './outcome.ts'
import { failureOf } from './outcome-table.ts'

export type BreakerState = 'closed' | 'open' | 'half_open'

export interface BreakerSettings {
  /** Failures in a row that open it. */
  readonly failures: number
  readonly coolSeconds: number
}

/** Keeps calls from a provider that fails again and again; after the cooling time one call goes through as a probe. */
export interface CircuitBreaker {
  run<T>(call: () => Promise<Outcome<T>>): Promise<Outcome<T>>
  state(): BreakerState
}

export function createCircuitBreaker({ failures, coolSeconds }: BreakerSettings): CircuitBreaker {
  const policy = circuitBreaker(
    handleWhenResult((result) => isFailure(result as Outcome<unknown>)),
    { halfOpenAfter: coolSeconds * 1000, breaker: new ConsecutiveBreaker(failures) },
  )
  const state = () => stateOf(policy)
  return {
    state,
    async run(call) {
      // The library would make others wait for the probe; a call must not queue behind a provider that may be down.
      if (state() === 'half_open') return failureOf('model', 'circuitOpen')
      try {
        return await policy.execute(call)
      } catch (error) {
        if (isBrokenCircuitError(error)) return failureOf('model', 'circuitOpen')
        throw error
      }
    },
  }
}

/** A refusal, a 429 or a broken contract comes from a provider that is there. */
function isFailure(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'uncertain' || (outcome.kind === 'unavailable' && outcome.code === 'PROVIDER_UNAVAILABLE')
}

function stateOf({ state }: CircuitBreakerPolicy): BreakerState {
  if (state === CircuitState.Closed) return 'closed'
  return state === CircuitState.HalfOpen ? 'half_open' : 'open'
}
