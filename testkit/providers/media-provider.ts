import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { clipOf } from './clips.ts'

/** How a job behaves; the words of its prompt say it, so that the behaviour survives whatever is killed. */
type Word =
  | 'lose-response'
  | 'lose-request'
  | 'garbled-response'
  | 'late-response'
  | 'refuse'
  | 'break'
  | 'redirect'
  | 'no-search'
  | 'mute-search'
  /** Its search ignores the reference and lists every job, oldest first. */
  | 'unfiltered'
  /** Its responses do not say which job they are about. */
  | 'nameless'
  /** It is answered with the oldest job of all. */
  | 'other-job'
  /** Its id in every response is that of the oldest job. */
  | 'used-id'
  /** It is answered together with the next one of its kind, with the same id. */
  | 'same-id'
  | 'forget'
  | 'forget-late'
  | 'fail'
  | 'hang'
  | 'waver'
  | 'flaky'
  | 'truncated'
  | 'wrong-type'
  | 'no-clip'
  | 'empty'
  /** Its clip is a second long. */
  | 'short'
  /** Its clip does not say how long it is. */
  | 'endless'
  | 'late-clip'
  /** Answers every request for a part with the whole clip. */
  | 'no-ranges'
  /** Answers with another part than the one asked for. */
  | 'other-range'
  /** Whoever reads the clip a second time gets a few bytes a second. */
  | 'slow-clip'
  | 'ignore-cancel'
  | 'keep-going'

interface UpstreamJob {
  readonly id: string
  readonly reference: string
  readonly words: ReadonlySet<Word>
  readonly startedAt: number
  polls: number
  clips: number
  isCancelled: boolean
}

/** Where a gateway can be stopped: what it has just asked for. */
export const arrows = ['submit', 'answered', 'search', 'read', 'cancel', 'content', 'half-content'] as const
export type Arrow = (typeof arrows)[number]

export interface FakeMediaProvider {
  readonly url: string
  /** Every reference that was submitted, in order; one that appears twice was submitted twice. */
  readonly submitted: readonly string[]
  /** References of the jobs that were accepted. */
  readonly accepted: () => string[]
  /** When each poll of a job began and which authorization it carried. */
  readonly polls: readonly { readonly reference: string; readonly at: number; readonly from: string }[]
  /** The most polls of one job that were under way at once. */
  readonly mostAtOnce: () => number
  /** While true, every connection is dropped. */
  isDead: boolean
  /** Called when a request of that kind arrives, before it is answered. A submission and a clip wait for its promise. */
  onArrow: (arrow: Arrow, request: IncomingMessage) => void | Promise<void>
  /** How long a job takes. */
  takesMs: number
  readonly idOf: (reference: string) => string
  /** How often the clip of a job was asked for. */
  readonly fetched: (reference: string) => number
  /** How many bytes of clips were asked for. */
  readonly servedBytes: () => number
  close(): Promise<void>
}

/** As long as the longest that can be paid for. */
export const clip = clipOf(8)
const shortClip = clipOf(1)
const endlessClip = clipOf(0)

/** A media provider that lies on command, over real sockets. */
export async function startMediaProvider({ takesMs = 0 } = {}): Promise<FakeMediaProvider> {
  const jobs = new Map<string, UpstreamJob>()
  const submitted: string[] = []
  const wordsOf = new Map<string, ReadonlySet<Word>>()
  const twins: (() => void)[] = []
  const polls: { reference: string; at: number; from: string }[] = []
  const pollsUnderWay = new Map<string, number>()
  let mostAtOnce = 0
  let servedBytes = 0

  const server = createServer(async (request, response) => {
    if (fake.isDead) return drop(request)
    const url = new URL(request.url!, 'http://upstream')
    const [, , id, action] = url.pathname.split('/').map(decodeURIComponent)
    if (request.method === 'POST' && !id) return submit(request, response)
    if (!id) return search(url.searchParams.get('reference') ?? '', response)
    const job = jobs.get(id)
    if (!job) return respond(response, 404, {})
    if (action === 'cancel') return cancel(job, response)
    if (action === 'content') return content(job, request.headers.range, response)
    return read(job, request, response)
  })

  async function submit(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { reference, prompt } = JSON.parse(Buffer.concat(chunks).toString()) as { reference: string; prompt: string }
    const words = new Set(prompt.split(' ') as Word[])
    submitted.push(reference)
    const id = `up/${submitted.length}`
    wordsOf.set(reference, words)
    await fake.onArrow('submit', request)
    if (words.has('lose-request')) return drop(request)
    if (words.has('refuse')) return respond(response, 422, {})
    if (words.has('break')) return respond(response, 500, {})
    if (words.has('redirect')) return respond(response, 302, {})
    const job = {
      id,
      reference,
      words,
      startedAt: Date.now(),
      polls: 0,
      clips: 0,
      isCancelled: false,
    }
    jobs.set(job.id, job)
    if (words.has('lose-response')) return drop(request)
    if (words.has('garbled-response')) return respond(response, 200, 'accepted, I think')
    if (words.has('same-id')) {
      jobs.delete(job.id)
      twins.push(() => respond(response, 200, { id: 'up/twin', reference, status: 'queued' }))
      for (const reply of twins.length === 2 ? twins : []) reply()
      return
    }
    if (words.has('late-response')) await new Promise((resolve) => setTimeout(resolve, 300))
    respond(response, 200, { ...named(words.has('other-job') ? oldest() : job), status: 'queued' })
    fake.onArrow('answered', request)
  }

  function search(reference: string, response: ServerResponse) {
    fake.onArrow('search', response.req)
    const words = wordsOf.get(reference)
    if (words?.has('no-search')) return respond(response, 501, {})
    if (words?.has('mute-search')) return drop(response.req)
    const found = [...jobs.values()].filter((job) => words?.has('unfiltered') || job.reference === reference)
    respond(response, 200, { items: found.map((job) => ({ ...named(job), status: statusOf(job) })) })
  }

  const oldest = () => [...jobs.values()][0]!

  /** How a response names a job. */
  function named(job: UpstreamJob): { id: string; reference?: string } {
    const id = job.words.has('used-id') ? oldest().id : job.id
    return job.words.has('nameless') ? { id } : { id, reference: job.reference }
  }

  async function read(job: UpstreamJob, request: IncomingMessage, response: ServerResponse) {
    const { reference, words } = job
    job.polls += 1
    fake.onArrow('read', request)
    polls.push({ reference, at: Date.now(), from: request.headers.authorization ?? '' })
    const underWay = (pollsUnderWay.get(reference) ?? 0) + 1
    pollsUnderWay.set(reference, underWay)
    mostAtOnce = Math.max(mostAtOnce, underWay)
    // Slow enough that a second poll of the same job would be seen.
    await new Promise((resolve) => setTimeout(resolve, 5))
    pollsUnderWay.set(reference, pollsUnderWay.get(reference)! - 1)
    if (words.has('forget') || (words.has('forget-late') && job.polls > 2)) return respond(response, 404, {})
    if (words.has('flaky') && job.polls % 2 === 1) return respond(response, 503, {})
    respond(response, 200, { ...named(job), status: statusOf(job), progress: Math.min(100, job.polls * 20) })
  }

  function statusOf(job: UpstreamJob): string {
    const { words } = job
    if (job.isCancelled && !words.has('keep-going')) return 'cancelled'
    if (words.has('waver') && job.polls < 4) return ['completed-ish', 'queued', 'in_progress', 'unknown'][job.polls]!
    if (words.has('hang') || Date.now() - job.startedAt < fake.takesMs) return 'in_progress'
    return words.has('fail') ? 'failed' : 'completed'
  }

  function cancel(job: UpstreamJob, response: ServerResponse) {
    if (job.words.has('ignore-cancel')) return respond(response, 409, {})
    job.isCancelled = true
    fake.onArrow('cancel', response.req)
    respond(response, 200, {})
  }

  async function content(job: UpstreamJob, range: string | undefined, response: ServerResponse) {
    const { words } = job
    job.clips += 1
    await fake.onArrow('content', response.req)
    if (words.has('no-clip') || (words.has('late-clip') && job.clips < 3)) return respond(response, 404, {})
    const type = words.has('wrong-type') ? 'text/html' : 'video/mp4'
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
    if (start !== undefined && !words.has('no-ranges')) {
      const part = clip.subarray(Number(start), Number(end) + 1)
      const first = words.has('other-range') ? 1 + Number(start) : start
      servedBytes += part.length
      const contentRange = `bytes ${first}-${end}/${clip.length}`
      response.writeHead(206, { 'content-type': type, 'content-length': part.length, 'content-range': contentRange })
      return response.end(part)
    }
    servedBytes += clip.length
    response.writeHead(200, { 'content-type': type, 'content-length': words.has('empty') ? 0 : clip.length })
    if (words.has('slow-clip') && job.clips > 1) drip(response)
    else if (words.has('truncated')) response.write(clip.subarray(0, 100), () => response.destroy())
    else {
      const sent = words.has('short') ? shortClip : words.has('endless') ? endlessClip : clip
      response.write(words.has('empty') ? '' : sent.subarray(0, 2000))
      fake.onArrow('half-content', response.req)
      response.end(words.has('empty') ? '' : sent.subarray(2000))
    }
  }

  const jobOf = (reference: string) => [...jobs.values()].find((job) => job.reference === reference)!

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const fake: FakeMediaProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    submitted,
    accepted: () => [...jobs.values()].map(({ reference }) => reference),
    polls,
    mostAtOnce: () => mostAtOnce,
    isDead: false,
    onArrow: () => {},
    takesMs,
    idOf: (reference) => jobOf(reference).id,
    fetched: (reference) => jobOf(reference).clips,
    servedBytes: () => servedBytes,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return fake
}

function drip(response: ServerResponse): void {
  let at = 0
  const timer = setInterval(() => response.write(clip.subarray(at, ++at)), 50)
  response.once('close', () => clearInterval(timer))
}

const drop = (request: IncomingMessage): void => {
  request.socket.destroy()
}

function respond(response: ServerResponse, status: number, body: object | string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}
