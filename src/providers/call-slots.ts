export interface CallSlotsOptions {
  readonly maxConcurrent: number
  /** How long a project counts as waiting after it last asked for a slot. */
  readonly contentionMs: number
  readonly monotonicMs?: () => number
}

interface SlotRequest {
  readonly projectId: string
  readonly at: number
}

/**
 * Limits concurrent calls to one provider. A project may use every slot while it is alone; once another project asks, it gets
 * at most half, so that its slow calls cannot lock the others out.
 */
export class CallSlots {
  readonly #options: CallSlotsOptions
  readonly #half: number
  readonly #monotonicMs: () => number
  readonly #takenBy = new Map<string, number>()
  #taken = 0
  #latest: SlotRequest | null = null
  /** The latest request of any other project. */
  #latestOther: SlotRequest | null = null

  constructor(options: CallSlotsOptions) {
    this.#options = options
    this.#half = Math.ceil(options.maxConcurrent / 2)
    this.#monotonicMs = options.monotonicMs ?? (() => performance.now())
  }

  /** Asking also marks the project as waiting for a slot. */
  hasSlotFor(projectId: string): boolean {
    this.#note(projectId)
    if (this.#taken >= this.#options.maxConcurrent) return false
    return (this.#takenBy.get(projectId) ?? 0) < this.#half || !this.#isContended
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
    if (this.#latest !== null && this.#latest.projectId !== projectId) this.#latestOther = this.#latest
    this.#latest = { projectId, at: this.#monotonicMs() }
  }

  /** Whether a project other than the last one to ask wants slots too. */
  get #isContended(): boolean {
    return this.#latestOther !== null && this.#monotonicMs() - this.#latestOther.at < this.#options.contentionMs
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
