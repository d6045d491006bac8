import { type Batch, type BatchQueue, largestBatch, type Submission } from '../../ledger/batch-queue.ts'

type Kind = 'ends' | 'others'

export interface SortedBatch extends Batch {
  readonly kind: Kind | 'mixed' | 'locked'
}

const kinds = ['ends', 'others'] as const
const kindOf = ({ command }: Submission): Kind =>
  command.type === 'end' || command.type === 'track' ? 'ends' : 'others'

/**
 * Batches for PostgreSQL. The number of statements does not grow with the batch, and is smaller if all commands are of one
 * kind, so batches that end charges run in parallel with batches of other commands. Two batches in progress never share a
 * project, because the second would wait for the first one's locks. Commands of a project stay in order: one that is held
 * back holds back the later ones too. Commands of a project that another session has locked wait apart.
 */
export class SortedBatchQueue implements BatchQueue {
  readonly #fullBatch: number
  readonly #waitingOf = { ends: 0, others: 0 }
  readonly #locked = new LockedProjects()
  #underWay: readonly SortedBatch[] = []
  #queue: Submission[] = []
  /** Skips the scan for a full batch until something changes. */
  #foundNone = false

  constructor({ fullBatch }: { readonly fullBatch: number }) {
    this.#fullBatch = fullBatch
  }

  get waiting(): number {
    return this.#queue.length + this.#locked.waiting
  }

  get canTakeAny(): boolean {
    return this.#queue.length > 0 && this.#underWay.length === 0
  }

  get underWay(): number {
    let commands = this.#locked.underWay
    for (const { submissions } of this.#underWay) commands += submissions.length
    return commands
  }

  add(submission: Submission): void {
    if (this.#locked.add(submission)) return
    this.#queue.push(submission)
    const kind = kindOf(submission)
    this.#waitingOf[kind] += 1
    if (this.#waitingOf[kind] % this.#fullBatch === 0) this.#foundNone = false
  }

  done(batch: Batch, locked: readonly Submission[] = []): void {
    this.#underWay = this.#underWay.filter((other) => other !== batch)
    this.#foundNone = false
    this.#locked.done(batch)
    if (locked.length > 0) this.#setApart(locked)
  }

  takeLocked(): SortedBatch | null {
    const submissions = this.#locked.take()
    return submissions && { kind: 'locked', submissions }
  }

  takeFull(): SortedBatch | null {
    if (this.#queue.length < this.#fullBatch || this.#underWay.length >= kinds.length || this.#foundNone) return null
    const batch = this.#takeSorted(this.#fullBatch)
    this.#foundNone = batch === null
    return batch
  }

  takeAny(): SortedBatch | null {
    if (!this.canTakeAny) return null
    return this.#takeSorted(this.#fullBatch / 2) ?? this.#start('mixed', this.#queue.splice(0, largestBatch))
  }

  /** Moves all commands of the locked projects out of the queue, in order. */
  #setApart(locked: readonly Submission[]): void {
    this.#locked.putBack(locked)
    this.#queue = this.#queue.filter((submission) => {
      if (!this.#locked.add(submission)) return true
      this.#waitingOf[kindOf(submission)] -= 1
      return false
    })
  }

  #takeSorted(minSize: number): SortedBatch | null {
    for (const kind of kinds) {
      if (this.#waitingOf[kind] < minSize || this.#underWay.some((batch) => batch.kind === kind)) continue
      const { taken, left } = this.#pick(kind)
      if (taken.length < minSize) continue
      this.#queue = left
      return this.#start(kind, taken)
    }
    return null
  }

  /** Takes about half of the queue, so that the other half can run next. */
  #pick(kind: Kind): { taken: Submission[]; left: Submission[] } {
    const size = Math.min(largestBatch, Math.max(this.#fullBatch, Math.ceil(this.#queue.length / 2)))
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

  #start(kind: SortedBatch['kind'], submissions: Submission[]): SortedBatch {
    for (const submission of submissions) this.#waitingOf[kindOf(submission)] -= 1
    const batch = { kind, submissions }
    this.#underWay = [...this.#underWay, batch]
    return batch
  }
}

/**
 * Commands of projects that another session has locked, such as a stalled gateway. Each project is tried in a batch of its own,
 * alongside the others and in turns, so that a lock delays only its own project.
 */
class LockedProjects {
  /** In the order of their turns. */
  readonly #waiting = new Map<string, Submission[]>()
  readonly #underWay = new Map<string, readonly Submission[]>()

  get waiting(): number {
    return countIn(this.#waiting)
  }

  get underWay(): number {
    return countIn(this.#underWay)
  }

  /** False if the project is not locked. */
  add(submission: Submission): boolean {
    if (this.#waiting.size === 0) return false
    const submissions = this.#waiting.get(submission.command.projectId)
    submissions?.push(submission)
    return submissions !== undefined
  }

  /** Commands that found their project locked; they stay ahead of those that came later. */
  putBack(locked: readonly Submission[]): void {
    for (const [projectId, submissions] of Map.groupBy(locked, ({ command }) => command.projectId)) {
      const later = this.#waiting.get(projectId) ?? []
      this.#waiting.delete(projectId)
      this.#waiting.set(projectId, [...submissions, ...later])
    }
  }

  /** The commands of the next project; null if there is none, or enough are being tried. */
  take(): Submission[] | null {
    if (this.#waiting.size === 0 || this.#underWay.size >= maxLockedUnderWay) return null
    for (const [projectId, submissions] of this.#waiting) {
      if (this.#underWay.has(projectId)) continue
      const taken = submissions.splice(0, largestBatch)
      this.#underWay.set(projectId, taken)
      return taken
    }
    return null
  }

  done({ submissions }: Batch): void {
    const { projectId } = submissions[0]!.command
    if (this.#underWay.get(projectId) !== submissions) return
    this.#underWay.delete(projectId)
    if (this.#waiting.get(projectId)?.length === 0) this.#waiting.delete(projectId)
  }
}

/** Each takes a connection while it waits for its lock. */
export const maxLockedUnderWay = 4

function countIn(projects: ReadonlyMap<string, readonly Submission[]>): number {
  let commands = 0
  for (const submissions of projects.values()) commands += submissions.length
  return commands
}
