import { type Batch, largestBatch, type Submission } from '../../ledger/batch-queue.ts'

/**
 * Commands of projects that somebody else has locked, such as a stalled gateway. Each project is tried in a batch of its own,
 * beside the others and in turns, so that a lock delays only its own project.
 */
export class LockedProjects {
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
