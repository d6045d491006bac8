import type { Submission } from './batch-queue.ts'

const failuresToReport = 3
const reportMs = 10_000
const recentMs = 5000

/**
 * Whether the last commits failed. One project that is locked or damaged does not count: the others still commit. Failures
 * age, so that a balancer that sent no calls meanwhile tries again.
 */
export class CommitHealth {
  readonly #failedProjects = new Set<string>()
  #failuresInARow = 0
  #lastFailureMs = Number.NEGATIVE_INFINITY
  #lastCommitMs = Number.NEGATIVE_INFINITY

  get isFailing(): boolean {
    return this.#failuresInARow >= failuresToReport && performance.now() - this.#lastFailureMs < reportMs
  }

  get hasCommittedLately(): boolean {
    return performance.now() - this.#lastCommitMs < recentMs
  }

  committed(): void {
    this.#lastCommitMs = performance.now()
    if (this.#failuresInARow === 0 && this.#failedProjects.size === 0) return
    this.#failuresInARow = 0
    this.#failedProjects.clear()
  }

  unavailable(): void {
    this.#failuresInARow += 1
    this.#lastFailureMs = performance.now()
  }

  /** Gave up on commands of a project that somebody else has locked. */
  locked({ command }: Submission): void {
    if (this.#failedProjects.size < failuresToReport) this.#failedProjects.add(command.projectId)
    if (this.#failedProjects.size > 1) this.unavailable()
  }
}
