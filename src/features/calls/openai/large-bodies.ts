import { soon } from '../../../base/timers.ts'
import { Refusal } from '../../../contract/errors.ts'
import { singleHeader } from '../../../http/guards.ts'
import type { Call } from '../../../http/route.ts'

/** Bodies up to this size are read at once, larger ones in steps of it. */
const stepBytes = 65_536
/** What may be in memory of bodies that are not parsed yet. */
const leastPerProject = 8_388_608
const leastInAll = 67_108_864
/** Bodies of one project that may wait until they are begun. */
const maxWaiting = 8

type LargeCall = Pick<Call, 'header' | 'readBytes'>

interface LargeBody {
  readonly project: Share
  held: number
}

interface Waiting {
  readonly body: LargeBody
  readonly begin: () => void
}

/** The bodies of a project, or all of them, oldest first. Room for one whole body is kept for the oldest, so one always goes on. */
class Share {
  readonly bodies = new Set<LargeBody>()
  readonly #mostOfOthers: number
  held = 0

  constructor(bytes: number, bodyLimitBytes: number) {
    this.#mostOfOthers = bytes - bodyLimitBytes
  }

  hasRoomFor(body: LargeBody): boolean {
    const oldest = this.bodies.values().next().value
    return oldest === undefined || oldest === body || this.held - oldest.held + stepBytes <= this.#mostOfOthers
  }
}

export const isLarge = (call: Pick<Call, 'header'>): boolean => lengthOf(call) > stepBytes

const lengthOf = (call: Pick<Call, 'header'>) => Number(singleHeader(call, 'content-length') ?? 0)

/**
 * Bounds the memory of large bodies: a body takes room as it arrives, so that a slow sender holds only what it has sent. The deadline
 * and the lowest speed of a body bound how long others wait for its room.
 */
class Room {
  readonly #bodyLimitBytes: number
  readonly #projects = new Map<string, Share>()
  readonly #all: Share
  readonly #waiting: Waiting[] = []

  constructor(bodyLimitBytes: number) {
    this.#bodyLimitBytes = bodyLimitBytes
    this.#all = new Share(Math.max(leastInAll, 8 * bodyLimitBytes), bodyLimitBytes)
  }

  /** Resolves once the body has its first step. */
  async begin(projectId: string): Promise<LargeBody> {
    const limit = this.#bodyLimitBytes
    const project = this.#projects.get(projectId) ?? new Share(Math.max(leastPerProject, 2 * limit), limit)
    this.#projects.set(projectId, project)
    const body = { project, held: 0 }
    const ahead = this.#waiting.filter((one) => one.body.project === project && one.body.held === 0).length
    if (ahead >= maxWaiting) throw new Refusal('PROVIDER_CAPACITY_EXHAUSTED', { retryAfterSeconds: 1 })
    if (ahead === 0 && this.#isFreeFor(body)) this.#take(body)
    else await this.#wait(body)
    return body
  }

  /** Takes the next step when the ones before are full; null, or a promise if the body has to wait for it. */
  next(body: LargeBody, bytes: number, length: number): Promise<void> | null {
    if (bytes < body.held || body.held >= length) return null
    if (!this.#isFreeFor(body)) return this.#wait(body)
    this.#take(body)
    return null
  }

  end(projectId: string, body: LargeBody): void {
    const { project } = body
    for (const share of [project, this.#all]) {
      share.bodies.delete(body)
      share.held -= body.held
    }
    // It may have failed while it waited.
    const at = this.#waiting.findIndex((one) => one.body === body)
    if (at >= 0) this.#waiting.splice(at, 1)
    this.#serve()
    if (project.bodies.size === 0 && !this.#waiting.some((one) => one.body.project === project))
      this.#projects.delete(projectId)
  }

  #isFreeFor(body: LargeBody): boolean {
    return body.project.hasRoomFor(body) && this.#all.hasRoomFor(body)
  }

  #take(body: LargeBody): void {
    for (const share of [body.project, this.#all]) {
      share.bodies.add(body)
      share.held += stepBytes
    }
    body.held += stepBytes
  }

  #wait(body: LargeBody): Promise<void> {
    return new Promise((begin) => this.#waiting.push({ body, begin }))
  }

  /** Bodies that have begun go first: they hold memory. */
  #serve(): void {
    for (const hasBegun of [true, false]) {
      for (const one of this.#waiting.filter(({ body }) => body.held > 0 === hasBegun)) {
        if (!this.#isFreeFor(one.body)) continue
        this.#waiting.splice(this.#waiting.indexOf(one), 1)
        this.#take(one.body)
        one.begin()
      }
    }
  }
}

export type LargeBodies = ReturnType<typeof createLargeBodies>

export function createLargeBodies({ bodyLimitBytes }: { readonly bodyLimitBytes: number }) {
  const room = new Room(bodyLimitBytes)
  const turnOf = createTurns()
  return {
    /** `parse` reads the body of the call and parses it. */
    async read<T>(call: LargeCall, projectId: string, parse: () => Promise<T>): Promise<T> {
      if (!isLarge(call)) return parse()
      const length = lengthOf(call)
      const body = await room.begin(projectId)
      try {
        // `parse` gets the error again.
        await call.readBytes({ arrived: (bytes) => room.next(body, bytes, length) }).catch(() => {})
        await turnOf(projectId)
        return await parse()
      } finally {
        room.end(projectId, body)
      }
    },
  }
}

/** One large body is parsed in each turn of the event loop, and projects take turns. */
function createTurns(): (projectId: string) => Promise<void> {
  const queues = new Map<string, (() => void)[]>()

  function next(): void {
    const [projectId, queue] = queues.entries().next().value!
    queues.delete(projectId)
    queue.shift()!()
    if (queue.length > 0) queues.set(projectId, queue)
    if (queues.size > 0) soon(next)
  }

  return (projectId) =>
    new Promise((begin) => {
      if (queues.size === 0) soon(next)
      const queue = queues.get(projectId) ?? []
      queue.push(begin)
      queues.set(projectId, queue)
    })
}
