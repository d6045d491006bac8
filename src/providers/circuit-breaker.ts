import { now } from '../base/clock.ts'
import { failureOf, type Outcome } from './outcome.ts'

export type BreakerState = 'closed' | 'open' | 'half_open'

const projectsToOpenForAll = 3

export interface BreakerSettings {
  /** Consecutive failures that open it. */
  readonly failures: number
  readonly coolSeconds: number
}

/**
 * Stops calls to a provider that keeps failing; after the cooldown one call goes through as a probe. The requests of a project
 * may themselves cause its failures, so the breaker opens for the failing projects alone until there are three of them: see
 * docs/decisions/0010-fair-providers.md.
 */
export class CircuitBreaker {
  readonly #maxFailures: number
  readonly #coolMs: number
  readonly #clock: () => number
  /** Consecutive, over all projects. */
  #failures = 0
  #failingProjects = new Set<string>()
  #openedAt = 0
  /** Whether it has been open for all projects since the last success. */
  #wasOpenForAll = false
  #isProbing = false

  constructor({ failures, coolSeconds }: BreakerSettings, clock: () => number = now) {
    this.#maxFailures = failures
    this.#coolMs = coolSeconds * 1000
    this.#clock = clock
  }

  get state(): BreakerState {
    if (!this.#isOpen) return 'closed'
    return this.#isProbing ? 'half_open' : 'open'
  }

  async run<T>(projectId: string, call: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    if (!this.#isOpen || (!this.#appliesTo(projectId) && !this.#wasOpenForAll))
      return this.#callAndRecord(projectId, call)
    const isCooling = this.#appliesTo(projectId) && this.#isCooling
    // No call queues behind a probe: the provider may still be down.
    if (isCooling || this.#isProbing) return failureOf('model', 'circuitOpen')
    this.#isProbing = true
    try {
      return await this.#callAndRecord(projectId, call)
    } finally {
      this.#isProbing = false
    }
  }

  get #isOpen(): boolean {
    return this.#failures >= this.#maxFailures
  }

  /** A clock set back must not keep it open. */
  get #isCooling(): boolean {
    const openMs = this.#clock() - this.#openedAt
    return openMs >= 0 && openMs < this.#coolMs
  }

  #appliesTo(projectId: string): boolean {
    return this.#isForAll || this.#failingProjects.has(projectId)
  }

  /** One owner easily has two projects. */
  get #isForAll(): boolean {
    return this.#failingProjects.size >= projectsToOpenForAll
  }

  async #callAndRecord<T>(projectId: string, call: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const outcome = await call()
    if (isFailure(outcome)) this.#fail(projectId)
    else if (outcome.kind === 'confirmed' || outcome.sent) this.#close()
    return outcome
  }

  #fail(projectId: string): void {
    // Failures from before the cooldown no longer count.
    if (this.#isOpen && !this.#isCooling) this.#failingProjects.clear()
    const isNewProject = !this.#appliesTo(projectId)
    if (isNewProject) this.#failingProjects.add(projectId)
    this.#failures += 1
    if (!this.#isOpen) return
    if (isNewProject || this.#failures === this.#maxFailures) this.#openedAt = this.#clock()
    if (this.#isForAll) this.#wasOpenForAll = true
  }

  #close(): void {
    this.#failures = 0
    this.#failingProjects.clear()
    this.#wasOpenForAll = false
  }
}

/** A rejection, a 429 or an invalid response still shows that the provider is up. */
function isFailure(outcome: Outcome<unknown>): boolean {
  return outcome.kind === 'uncertain' || (outcome.kind === 'unavailable' && outcome.code === 'PROVIDER_UNAVAILABLE')
}
