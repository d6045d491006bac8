import { Refusal } from '../../../contract/errors.ts'
import { singleHeader } from '../../../http/guards.ts'
import type { Call } from '../../../http/route.ts'

/** Bodies up to this size are read at once. */
const smallBytes = 65_536
const maxReading = 8
/** A project that sends slowly leaves room for others. */
const maxReadingPerProject = 4
const maxWaiting = 64

interface Waiting {
  readonly projectId: string
  readonly begin: () => void
}

export type LargeBodies = ReturnType<typeof createLargeBodies>

/** Large bodies are read a few at a time, in a queue of their own. The deadline of a body bounds how long one waits. */
export function createLargeBodies() {
  const reading = new Map<string, number>()
  const waiting: Waiting[] = []
  let readingCount = 0

  const of = (projectId: string) => reading.get(projectId) ?? 0
  const isFree = (projectId: string) => readingCount < maxReading && of(projectId) < maxReadingPerProject

  function take(projectId: string): void {
    readingCount += 1
    reading.set(projectId, of(projectId) + 1)
  }

  function free(projectId: string): void {
    readingCount -= 1
    if (of(projectId) > 1) reading.set(projectId, of(projectId) - 1)
    else reading.delete(projectId)
    const next = waiting.findIndex((one) => isFree(one.projectId))
    if (next >= 0) waiting.splice(next, 1)[0]!.begin()
  }

  async function waitForTurn(projectId: string): Promise<void> {
    if (isFree(projectId)) return take(projectId)
    if (waiting.length >= maxWaiting) throw new Refusal('PROVIDER_CAPACITY_EXHAUSTED', { retryAfterSeconds: 1 })
    const { promise, resolve } = Promise.withResolvers<void>()
    const begin = () => {
      take(projectId)
      resolve()
    }
    waiting.push({ projectId, begin })
    await promise
  }

  return {
    /** `read` reads the body of the call. */
    async read<T>(call: Pick<Call, 'header'>, projectId: string, read: () => Promise<T>): Promise<T> {
      if (Number(singleHeader(call as Call, 'content-length') ?? 0) <= smallBytes) return read()
      await waitForTurn(projectId)
      try {
        return await read()
      } finally {
        free(projectId)
      }
    },
  }
}
