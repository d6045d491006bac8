export interface PlacesOptions {
  readonly maxConcurrent: number
  /** How long after its last call another project still counts as one that wants a place. */
  readonly contentionMs: number
  /** A clock that never jumps. */
  readonly monotonicMs?: () => number
}

interface Request {
  readonly projectId: string
  readonly at: number
}

/**
 * The places for calls to one provider. One project may take them all while nobody else wants any; as soon as somebody does,
 * it gets no more than half, so that slow calls of one project cannot keep the provider from the others.
 */
export class Places {
  readonly #options: PlacesOptions
  readonly #half: number
  readonly #monotonicMs: () => number
  readonly #takenBy = new Map<string, number>()
  #taken = 0
  #latest: Request | null = null
  /** The latest of another project than that. */
  #latestOther: Request | null = null

  constructor(options: PlacesOptions) {
    this.#options = options
    this.#half = Math.ceil(options.maxConcurrent / 2)
    this.#monotonicMs = options.monotonicMs ?? (() => performance.now())
  }

  /** Whether the project may take one more. Asking counts as wanting one. */
  hasOneFor(projectId: string): boolean {
    this.#note(projectId)
    if (this.#taken >= this.#options.maxConcurrent) return false
    return (this.#takenBy.get(projectId) ?? 0) < this.#half || !this.#isContended
  }

  take(projectId: string): void {
    this.#taken += 1
    this.#takenBy.set(projectId, (this.#takenBy.get(projectId) ?? 0) + 1)
  }

  giveBack(projectId: string): void {
    this.#taken -= 1
    const left = this.#takenBy.get(projectId)! - 1
    if (left === 0) this.#takenBy.delete(projectId)
    else this.#takenBy.set(projectId, left)
  }

  #note(projectId: string): void {
    if (this.#latest !== null && this.#latest.projectId !== projectId) this.#latestOther = this.#latest
    this.#latest = { projectId, at: this.#monotonicMs() }
  }

  /** Seen by whoever asked last. */
  get #isContended(): boolean {
    return this.#latestOther !== null && this.#monotonicMs() - this.#latestOther.at < this.#options.contentionMs
  }
}
