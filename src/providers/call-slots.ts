import { monotonicMs } from '../base/clock.ts'

interface CallSlotsOptions {
  readonly maxConcurrent: number
  /** How long a project counts as asking after it last asked for a slot. */
  readonly contentionMs: number
  readonly monotonicMs?: () => number
}

class Slots {
  readonly #takenBy = new Map<string, number>()
  protected taken = 0

  acquire(projectId: string): void {
    this.taken += 1
    this.#takenBy.set(projectId, this.takenBy(projectId) + 1)
  }

  free(projectId: string): void {
    this.taken -= 1
    const left = this.takenBy(projectId) - 1
    if (left === 0) this.#takenBy.delete(projectId)
    else this.#takenBy.set(projectId, left)
  }

  protected takenBy(projectId: string): number {
    return this.#takenBy.get(projectId) ?? 0
  }
}

/** A few slots are kept for projects that have none: at most this many, and at most an eighth. */
const maxKept = 8

/**
 * Limits concurrent calls to one provider. Projects that ask share the slots equally, and one that has none finds a slot that
 * the others cannot take, so that one project's slow calls lock no other out.
 */
export class CallSlots extends Slots {
  readonly #options: CallSlotsOptions
  readonly #kept: number
  readonly #monotonicMs: () => number
  /** When each project last asked, the earliest first. */
  readonly #askedAt = new Map<string, number>()

  constructor(options: CallSlotsOptions) {
    super()
    this.#options = options
    this.#kept = Math.min(maxKept, Math.floor(options.maxConcurrent / 8))
    this.#monotonicMs = options.monotonicMs ?? monotonicMs
  }

  /** Asking also marks the project as waiting for a slot. */
  hasSlotFor(projectId: string): boolean {
    this.#note(projectId)
    const { maxConcurrent } = this.#options
    const own = this.takenBy(projectId)
    if (own === 0) return this.taken < maxConcurrent
    const shared = maxConcurrent - this.#kept
    return this.taken < shared && own < Math.ceil(shared / this.#askedAt.size)
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
export class ReaderSlots extends Slots {
  readonly #max: number

  constructor(max: number) {
    super()
    this.#max = max
  }

  hasSlotFor(projectId: string): boolean {
    return this.taken < this.#max && this.takenBy(projectId) < readersPerProject
  }
}
