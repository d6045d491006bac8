import type { Outcome } from './outcome.ts'
import { failureOf } from './outcome-table.ts'

export type BreakerState = 'closed' | 'open' | 'half_open'

export interface BreakerSettings {
  /** Failures in a row that open it. */
  readonly failures: number
  readonly coolSeconds: number
}

/**
 * Keeps calls from a provider that fails again and again; after the cooling time one call goes through as a probe. The failures
 * of one project are no evidence against the others, since its requests may be what the provider fails at: it opens for that
 * project alone until a second one fails too. docs/decisions/0010-fair-providers.md gives the reasons.
 */
export class CircuitBreaker {
  readonly #maxFailures: number
  readonly #coolMs: number
  readonly #clock: () => number
  /** In a row, of all projects. */
  #failures = 0
  /** Whose failures these are; two are enough to open it for all. */
  #failing = new Set<string>()
  #openedAt = 0
  /** Whether it has been open for all since the last answer. */
  #wasOpenForAll = false
  #isProbing = false

  constructor({ failures, coolSeconds }: BreakerSettings, clock: () => number = () => Date.now()) {
    this.#maxFailures = failures
    this.#coolMs = coolSeconds * 1000
    this.#clock = clock
  }

  get state(): BreakerState {
    if (!this.#isOpen) return 'closed'
    return this.#isProbing ? 'half_open' : 'open'
  }

  async run<T>(projectId: string, call: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    if (!this.#isOpen || (!this.#concerns(projectId) && !this.#wasOpenForAll)) return this.#noted(projectId, call)
    const isCooling = this.#concerns(projectId) && this.#isCooling
    // Nobody queues behind a probe: the provider may still be down.
    if (isCooling || this.#isProbing) return failureOf('model', 'circuitOpen')
    this.#isProbing = true
    try {
      return await this.#noted(projectId, call)
    } finally {
      this.#isProbing = false
    }
  }

  get #isOpen(): boolean {
    return this.#failures >= this.#maxFailures
  }

  /** A clock that was set back must not keep it open. */
  get #isCooling(): boolean {
    const openMs = this.#clock() - this.#openedAt
    return openMs >= 0 && openMs < this.#coolMs
  }

  #concerns(projectId: string): boolean {
    return this.#failing.size > 1 || this.#failing.has(projectId)
  }

  async #noted<T>(projectId: string, call: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const outcome = await call()
    if (isFailure(outcome)) this.#fail(projectId)
    else if (outcome.kind === 'confirmed' || outcome.sent) this.#close()
    return outcome
  }

  #fail(projectId: string): void {
    // What failed before the cooling is old evidence.
    if (this.#isOpen && !this.#isCooling) this.#failing.clear()
    const isNewEvidence = !this.#concerns(projectId)
    if (isNewEvidence) this.#failing.add(projectId)
    this.#failures += 1
    if (!this.#isOpen) return
    if (isNewEvidence || this.#failures === this.#maxFailures) this.#openedAt = this.#clock()
    if (this.#failing.size > 1) this.#wasOpenForAll = true
  }

  #close(): void {
    this.#failures = 0
    this.#failing.clear()
    this.#wasOpenForAll = false
  }
}

/** A refusal, a 429 or a broken contract comes from a provider that is there. */
function isFailure(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'uncertain' || (outcome.kind === 'unavailable' && outcome.code === 'PROVIDER_UNAVAILABLE')
}
