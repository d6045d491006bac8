export interface CallSlotsOptions {
  readonly maxConcurrent: number
  /** How long a project counts as asking after it last asked for a slot. */
  readonly contentionMs: number
  readonly monotonicMs?: () => number
}

/** A few slots are kept for projects that have none: at most this many, and at most an eighth. */
const maxKept = 8

/**
 * Limits concurrent calls to one provider. Projects that ask share the slots equally, and one that has none finds a slot that
 * the others cannot take, so that nobody's slow calls lock the others out.
 */
export class CallSlots {
  readonly #options: CallSlotsOptions
  readonly #kept: number
  readonly #monotonicMs: () => number
  readonly #takenBy = new Map<string, number>()
  #taken = 0
  /** When each project last asked, the earliest first. */
  readonly #askedAt = new Map<string, number>()

  constructor(options: CallSlotsOptions) {
    this.#options = options
    this.#kept = Math.min(maxKept, Math.floor(options.maxConcurrent / 8))
    this.#monotonicMs = options.monotonicMs ?? (() => performance.now())
  }

  /** Asking also marks the project as waiting for a slot. */
  hasSlotFor(projectId: string): boolean {
    this.#note(projectId)
    const { maxConcurrent } = this.#options
    const own = this.#takenBy.get(projectId) ?? 0
    if (own === 0) return this.#taken < maxConcurrent
    const shared = maxConcurrent - this.#kept
    return this.#taken < shared && own < Math.ceil(shared / this.#askedAt.size)
  }

  acquire(projectId: string): void {
    this.#taken += 1
    this.#takenBy.set(projectId, (this.#takenBy.get(projectId) ?? 0) + 1)
  }

  free(projectId: string): void {
    this.#taken -= 1
    const left = this.#takenBy.get(projectId)! - 1
    if (left === 0) this.#takenBy.delete(projectId)
    else this.#takenBy.set(projectId, left)
  }

  #note(projectId: string): void {
    const now = this.#monotonicMs()
    this.#askedAt.delete(projectId)
    this.#askedAt.set(projectId, now)
    for (const [other, at] of this.#askedAt) {
      if (now - at < this.#options.contentionMs) break
      this.#askedAt.delete(other)
    }
  }
}

const readersPerProject = 2

/** Limits how many downloads run at once for readers of one provider, and for each project. */
export class ReaderSlots {
  readonly #max: number
  readonly #takenBy = new Map<string, number>()
  #taken = 0

  constructor(max: number) {
    this.#max = max
  }

  hasSlotFor(projectId: string): boolean {
    return this.#taken < this.#max && (this.#takenBy.get(projectId) ?? 0) < readersPerProject
  }

  acquire(projectId: string): void {
    this.#taken += 1
    this.#takenBy.set(projectId, (this.#takenBy.get(projectId) ?? 0) + 1)
  }

  free(projectId: string): void {
    this.#taken -= 1
    const left = this.#takenBy.get(projectId)! - 1
    if (left === 0) this.#takenBy.delete(projectId)
    else this.#takenBy.set(projectId, left)
  }
}
