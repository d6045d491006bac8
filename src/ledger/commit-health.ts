import type { Submission } from './batch-queue.ts'

const failuresToReport = 3
const lockReportMs = 10_000
const recentMs = 5000

/**
 * Whether the last commits failed. That the store is unavailable is reported until a commit, or a check that needs as much room,
 * succeeds. One project that is locked or damaged does not count: the others still commit. Locks age, because no check tells
 * when they end.
 */
export class CommitHealth {
  readonly #monotonicMs: () => number
  readonly #lockedProjects = new Set<string>()
  #failuresInARow = 0
  #locksInARow = 0
  #lastLockMs = Number.NEGATIVE_INFINITY
  #lastCommitMs = Number.NEGATIVE_INFINITY

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs
  }

  get isFailing(): boolean {
    if (this.#failuresInARow >= failuresToReport) return true
    return this.#locksInARow >= failuresToReport && this.#monotonicMs() - this.#lastLockMs < lockReportMs
  }

  /** Whether the last commit found the store unavailable. */
  get isDown(): boolean {
    return this.#failuresInARow + this.#locksInARow > 0
  }

  get failures(): number {
    return this.#failuresInARow
  }

  get hasCommittedLately(): boolean {
    return this.#monotonicMs() - this.#lastCommitMs < recentMs
  }

  committed(): void {
    this.#lastCommitMs = this.#monotonicMs()
    this.#failuresInARow = 0
    this.#locksInARow = 0
    if (this.#lockedProjects.size > 0) this.#lockedProjects.clear()
  }

  /** A check that needs as much room as a commit has succeeded. It says nothing about failures after it began. */
  checked(failuresBefore: number): void {
    if (this.#failuresInARow === failuresBefore) this.#failuresInARow = 0
  }

  unavailable(): void {
    this.#failuresInARow += 1
  }

  /** Gave up on commands of a project that somebody else has locked. */
  locked({ command }: Submission): void {
    if (this.#lockedProjects.size < failuresToReport) this.#lockedProjects.add(command.projectId)
    if (this.#lockedProjects.size === 1) return
    this.#locksInARow += 1
    this.#lastLockMs = this.#monotonicMs()
  }
}
