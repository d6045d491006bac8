import type { Command, Result } from './commands.ts'

/** How a store is kept busy without committing for every single command. */
export interface Rhythm {
  /** As many commands as are worth a commit of their own: they go out at once. */
  readonly fullBatch: number
  /** Batches under way, so that the next is at hand when one is done. */
  readonly commitsAtOnce: number
  /**
   * Whether batches that only begin charges go beside batches that only end them, and none beside another of its own kind or
   * with one of its projects: where each costs less than a mixture, and would wait for such another.
   */
  readonly isSorted: boolean
}

/** A command, and whoever waits for its result. */
export interface Submission {
  readonly command: Command
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

type Kind = 'endings' | 'others'

export interface Batch {
  readonly kind: Kind | 'mixed'
  readonly submissions: readonly Submission[]
}

const kinds = ['endings', 'others'] as const
const kindOf = ({ command }: Submission): Kind => (command.type === 'end' ? 'endings' : 'others')

/**
 * What waits for the store, and which of it goes next. The commands of a project go in the order they came in, sorted or
 * not: one that stays behind keeps all later ones of its project back.
 */
export class Batches {
  readonly #rhythm: Rhythm
  readonly #largest: number
  readonly #waiting = { endings: 0, others: 0 }
  #underWay: readonly Batch[] = []
  #queue: Submission[] = []
  /** Looking in vain is not repeated for every command that comes in. */
  #wasInVain = false

  constructor(rhythm: Rhythm, largest: number) {
    this.#rhythm = rhythm
    this.#largest = largest
  }

  get waiting(): number {
    return this.#queue.length
  }

  /** Whether there is something to do for a store that has nothing to do. */
  get mayGoOn(): boolean {
    return this.#queue.length > 0 && this.#underWay.length === 0
  }

  get underWay(): number {
    let commands = 0
    for (const { submissions } of this.#underWay) commands += submissions.length
    return commands
  }

  add(submission: Submission): void {
    this.#queue.push(submission)
    const kind = kindOf(submission)
    this.#waiting[kind] += 1
    if (this.#waiting[kind] % this.#rhythm.fullBatch === 0) this.#wasInVain = false
  }

  done(batch: Batch): void {
    this.#underWay = this.#underWay.filter((other) => other !== batch)
    this.#wasInVain = false
  }

  /** A full batch that may go now, beside others or not. */
  nextFull(): Batch | null {
    const { fullBatch, commitsAtOnce, isSorted } = this.#rhythm
    if (this.#queue.length < fullBatch || this.#underWay.length >= commitsAtOnce) return null
    if (!isSorted) return this.#front()
    const batch = this.#wasInVain ? null : this.#sorted(fullBatch)
    this.#wasInVain = batch === null
    return batch
  }

  /** Whatever waits, for a store that has nothing to do. */
  next(): Batch | null {
    if (!this.mayGoOn) return null
    const { fullBatch, isSorted } = this.#rhythm
    return (isSorted ? this.#sorted(fullBatch / 2) : null) ?? this.#front()
  }

  #front(): Batch {
    return this.#send('mixed', this.#queue.splice(0, this.#largest))
  }

  #sorted(least: number): Batch | null {
    for (const kind of kinds) {
      if (this.#waiting[kind] < least || this.#underWay.some((batch) => batch.kind === kind)) continue
      const { taken, left } = this.#pick(kind)
      if (taken.length < least) continue
      this.#queue = left
      return this.#send(kind, taken)
    }
    return null
  }

  /** Half of what waits at most: the other half is at hand when this is done. */
  #pick(kind: Kind): { taken: Submission[]; left: Submission[] } {
    const size = Math.min(this.#largest, Math.max(this.#rhythm.fullBatch, Math.ceil(this.#queue.length / 2)))
    const heldBack = this.#projectsUnderWay()
    const taken: Submission[] = []
    const left: Submission[] = []
    for (const submission of this.#queue) {
      const { projectId } = submission.command
      if (taken.length < size && kindOf(submission) === kind && !heldBack.has(projectId)) {
        taken.push(submission)
      } else {
        heldBack.add(projectId)
        left.push(submission)
      }
    }
    return { taken, left }
  }

  #projectsUnderWay(): Set<string> {
    const projects = new Set<string>()
    for (const { submissions } of this.#underWay) {
      for (const { command } of submissions) projects.add(command.projectId)
    }
    return projects
  }

  #send(kind: Batch['kind'], submissions: Submission[]): Batch {
    for (const submission of submissions) this.#waiting[kindOf(submission)] -= 1
    const batch = { kind, submissions }
    this.#underWay = [...this.#underWay, batch]
    return batch
  }
}
