import { sendTimeoutMs } from '../../src/features/notifications/webhooks/send.ts'
import { clipOf } from '../../testkit/providers/clips.ts'
import { createCosigner, witnessOrigin } from './lives/cosigner.ts'
import type { Reply, Server, UpstreamRequest } from './network.ts'
import type { Plan } from './plan.ts'
import type { World } from './world.ts'

export const origins = {
  model: 'https://model.example',
  shop: 'https://shop.example',
  media: 'https://media.example',
  hooks: 'https://hooks.example',
} as const

/** The time that the gateways give a provider. */
export const providerTimeoutMs = 4000

/** What really happened outside the gateways, which they never see. */
export class Truth {
  /** How often what a caller wanted reached a provider. */
  readonly intents = new Map<string, number>()
  /** What a caller wanted, by our request id. */
  readonly intentOf = new Map<string, string>()
  /** A failover has lost commits: then even a careful gateway cannot know that it has sent something before. */
  hasLostCommits = false
  /** When they were lost last: claims of before may be among them. */
  lostCommitsAt = Number.NEGATIVE_INFINITY
  /** How often a request reached a provider, and how often it was carried out, by our request id. */
  readonly arrivals = new Map<string, number>()
  readonly executions = new Map<string, number>()
  /** By reference. */
  readonly submissions = new Map<string, number>()
  readonly jobs = new Map<string, MediaJob>()
  /** Events that a webhook's endpoint has accepted. */
  readonly accepted = new Set<string>()
  /** Called with every event that arrives, before it is counted as accepted. */
  onWebhook: (url: string, eventId: string, isAccepted: boolean) => void = () => {}
  /** What a provider streamed, by our request id. */
  readonly streams = new Map<string, string>()
  /** Codes that arrived, by challenge. */
  readonly codes = new Map<string, number>()
  readonly notices = new Map<string, number>()
}

interface MediaJob {
  readonly id: string
  readonly reference: string
  readonly seconds: number
  readonly endsAt: number
  readonly ending: 'completed' | 'failed'
  isCancelled: boolean
  isForgotten: boolean
}

const count = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1)

/** The servers of the world. They lie as the plan says, and keep a true record. */
export function createUpstreams(world: World, plan: Plan, truth: Truth): ReadonlyMap<string, Server> {
  const { random } = world
  const happens = (fault: Parameters<Plan['isOn']>[0]) => plan.isOn(fault) && random.chance(plan.providerFaultShare)
  const accepts = () => !(plan.isOn('provider-errors') && random.chance(plan.providerFaultShare / 4))
  const json = (status: number, body: object, afterMs = random.between(2, plan.providerMs)): Reply => ({
    kind: 'response',
    status,
    afterMs,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })

  /** How the response to something that was carried out may get lost. */
  function lostResponse(whole: Reply): Reply {
    const afterMs = random.between(2, plan.providerMs)
    switch (random.between(0, 3)) {
      case 0:
        return { kind: 'reset', afterMs }
      case 1:
        return { kind: 'silence' }
      case 2:
        return { kind: 'response', afterMs, status: 504, body: '' }
      default:
        return { ...(whole as Extract<Reply, { kind: 'response' }>), isCut: true }
    }
  }

  function countIntent(body: string): void {
    const [intent] = /caller \d+ intent \d+/.exec(body) ?? []
    if (intent === undefined) return
    count(truth.intents, intent)
    if (truth.intents.get(intent)! > 1 && !truth.hasLostCommits) world.fail(`${intent} reached a provider twice`)
  }

  /** A provider of calls: model or shop. */
  const provider = (responseTo: (request: UpstreamRequest) => object): Server => ({
    accepts,
    handle(request) {
      const requestId = request.headers['x-request-id'] ?? 'none'
      count(truth.arrivals, requestId)
      if (truth.arrivals.get(requestId)! > 1) world.fail(`the request ${requestId} reached a provider twice`)
      const [intent] = /caller \d+ \w+ \d+/.exec(request.body) ?? []
      if (intent !== undefined) truth.intentOf.set(requestId, intent)
      countIntent(request.body)
      if (happens('provider-errors')) {
        const status = random.pick([500, 503, 429, 422, 302])
        world.reach(`provider: ${status}`)
        return json(status, {})
      }
      if (plan.isOn('provider-loses-responses') && random.chance(plan.providerFaultShare / 2)) {
        world.reach('provider: lost the request')
        return { kind: 'reset', afterMs: random.between(1, 50) }
      }
      if (isStreamed(request)) return stream(requestId)
      count(truth.executions, requestId)
      const whole = json(200, responseTo(request))
      if (happens('provider-loses-responses')) {
        world.reach('provider: lost the answer')
        return lostResponse(whole)
      }
      if (happens('provider-silence')) {
        world.reach('provider: late or silent')
        return random.chance(0.5)
          ? { kind: 'silence' }
          : json(200, responseTo(request), random.between(providerTimeoutMs - 200, providerTimeoutMs + 400))
      }
      if (happens('provider-garbage')) {
        world.reach('provider: garbage')
        return random.pick<Reply>([
          { kind: 'garbled', afterMs: 5 },
          { kind: 'response', status: 200, afterMs: 5, body: 'not JSON' },
          json(200, { other: true }),
        ])
      }
      return whole
    },
  })

  /** It counts as carried out once its finish was sent. */
  function stream(requestId: string): Reply {
    const parts = random.between(1, 4)
    const contents = Array.from({ length: parts }, (_, index) => `part ${index} `)
    truth.streams.set(requestId, contents.join(''))
    const pieces = [
      ...contents.map((content) => event({ delta: { content } })),
      event({ delta: {}, finish_reason: 'stop' }),
      'data: [DONE]\n\n',
    ]
    const afterMs = random.between(2, plan.providerMs)
    const everyMs = random.pick([1, 100, 900])
    const isBroken = happens('provider-loses-responses') || happens('provider-silence')
    const kept = isBroken ? random.between(0, pieces.length) : pieces.length
    if (kept > parts) count(truth.executions, requestId)
    const ending = isBroken ? random.pick(['cut', 'silent', 'whole'] as const) : 'whole'
    world.reach(`stream: ${ending} ${kept > parts ? 'after' : 'before'} its finish`)
    return { kind: 'stream', afterMs, everyMs, pieces: pieces.slice(0, kept), ending }
  }

  const sending = new Map<string, { readonly sender: string; readonly since: number; readonly until: number }>()
  /** A clock that jumps, time that is skipped and a claim that a failover loses may give an event to two. */
  const mayOverlap = (since: number) =>
    plan.faults.has('clock-jump') || world.time - world.skippedAt < sendTimeoutMs || since < truth.lostCommitsAt
  const hooks: Server = {
    accepts: () => true,
    handle({ headers, body, path }, sender) {
      const eventId = headers['webhook-id']!
      const attempt = `${eventId} ${path}`
      // One gateway at a time: its claim outlasts an attempt.
      const other = sending.get(attempt)
      if (other && other.sender !== sender && other.until > world.time && !mayOverlap(other.since))
        world.fail(`the event ${eventId} was sent by two gateways at once`)
      const reply = receive(eventId, body, `${origins.hooks}${path}`)
      const takesMs = 'afterMs' in reply ? reply.afterMs : sendTimeoutMs
      sending.set(attempt, { sender, since: world.time, until: world.time + takesMs })
      return reply
    },
  }

  function receive(eventId: string, body: string, url: string): Reply {
    if (plan.isOn('webhook-failures') && random.chance(plan.providerFaultShare)) {
      world.reach('webhook: failed')
      truth.onWebhook(url, eventId, false)
      return random.pick<Reply>([json(500, {}), { kind: 'silence' }, { kind: 'reset', afterMs: 3 }])
    }
    truth.onWebhook(url, eventId, true)
    truth.accepted.add(eventId)
    if (eventId !== (JSON.parse(body) as { id?: string }).id) world.fail('a webhook names another event')
    if (plan.isOn('webhook-failures') && random.chance(plan.providerFaultShare)) {
      world.reach('webhook: lost the answer')
      return { kind: 'reset', afterMs: 3 }
    }
    return json(200, {}, random.between(1, 300))
  }

  return new Map<string, Server>([
    [
      origins.model,
      provider(() => ({
        choices: [{ message: { content: 'an answer' } }],
        usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
      })),
    ],
    [origins.shop, provider(shopResponse)],
    [origins.media, createMediaServer(world, plan, truth, { accepts, happens, json, lostResponse, countIntent })],
    [origins.hooks, hooks],
    [witnessOrigin, createCosigner(world, plan, truth)],
  ])
}

const isStreamed = ({ body }: UpstreamRequest) => (JSON.parse(body) as { stream?: boolean }).stream === true

const event = (choice: object) =>
  `data: ${JSON.stringify({ id: 'up', object: 'chat.completion.chunk', choices: [{ index: 0, finish_reason: null, ...choice }] })}\n\n`

function shopResponse({ path }: UpstreamRequest): object {
  if (!path.endsWith('/search')) throw new Error(`the shop of the simulation has no response for ${path}`)
  return { items: [shopItem] }
}

const shopItem = {
  productId: 'p-1',
  title: 'Kettle',
  priceCents: 9900,
  currency: 'CNY',
  availability: 'available',
  highlights: ['1.7 l'],
  reason: 'It boils water.',
}

/** The account at the provider has jobs of other programs, too. */
const jobOfAnother: MediaJob = {
  ...{ id: 'up-0', reference: 'another program', seconds: 5, endsAt: 0 },
  ...{ ending: 'completed', isCancelled: false, isForgotten: false },
}

interface Tools {
  readonly accepts: () => boolean
  readonly happens: (fault: Parameters<Plan['isOn']>[0]) => boolean
  readonly json: (status: number, body: object, afterMs?: number) => Reply
  readonly lostResponse: (whole: Reply) => Reply
  readonly countIntent: (body: string) => void
}

function createMediaServer(world: World, plan: Plan, truth: Truth, tools: Tools): Server {
  const { accepts, happens, json, lostResponse, countIntent } = tools
  const { random } = world
  const { jobs } = truth
  jobs.set(jobOfAnother.id, { ...jobOfAnother })
  const isLying = () => plan.isOn('media-lies') && random.chance(plan.providerFaultShare / 2)

  function statusOf(job: MediaJob): string {
    if (job.isCancelled) return 'cancelled'
    if (world.time >= job.endsAt) return job.ending
    return random.pick(['queued', 'in_progress'])
  }
  const named = (job: MediaJob) => ({ id: job.id, reference: job.reference, status: statusOf(job) })

  function submit({ body }: UpstreamRequest): Reply {
    const { reference, seconds } = JSON.parse(body) as { reference: string; seconds: number }
    count(truth.submissions, reference)
    countIntent(body)
    if (truth.submissions.get(reference)! > 1) world.fail(`the media job ${reference} was submitted twice`)
    if (happens('provider-errors')) {
      world.reach('media: refused')
      return json(random.pick([422, 500, 429]), {})
    }
    if (plan.isOn('provider-loses-responses') && random.chance(plan.providerFaultShare / 2)) {
      world.reach('media: lost the submission')
      return { kind: 'reset', afterMs: 3 }
    }
    const job: MediaJob = {
      id: `up-${jobs.size + 1}`,
      reference,
      seconds,
      endsAt: world.time + random.between(500, 20_000),
      ending: happens('provider-errors') ? 'failed' : 'completed',
      isCancelled: false,
      isForgotten: false,
    }
    jobs.set(job.id, job)
    const other = random.pick([...jobs.values()])
    if (isLying()) {
      world.reach('media: answered with the id of another job')
      return json(200, { ...named(job), id: other.id })
    }
    if (isLying()) {
      world.reach('media: answered about another job')
      return json(200, named(other))
    }
    const whole = json(200, named(job))
    if (!happens('provider-loses-responses')) return whole
    world.reach('media: lost the answer')
    return lostResponse(whole)
  }

  function search(reference: string): Reply {
    if (isLying()) {
      world.reach('media: ignored the filter')
      return json(200, { items: [...jobs.values()].map(named) })
    }
    if (isLying()) {
      world.reach('media: cannot search')
      return json(501, {})
    }
    if (happens('provider-errors')) return json(500, {})
    const found = [...jobs.values()].filter((job) => job.reference === reference)
    return json(200, { items: found.map(named) })
  }

  function read(job: MediaJob): Reply {
    if (happens('provider-errors')) return json(503, {})
    if (isLying()) {
      world.reach('media: read another job')
      return json(200, named(random.pick([...jobs.values()])))
    }
    return json(200, named(job))
  }

  function content(job: MediaJob): Reply {
    if (isLying()) {
      world.reach('media: a broken clip')
      return random.pick<Reply>([
        json(404, {}),
        { kind: 'response', status: 200, afterMs: 5, body: 'no clip', headers: { 'content-type': 'video/mp4' } },
        { kind: 'response', status: 200, afterMs: 5, body: clipOf(1), headers: { 'content-type': 'text/html' } },
      ])
    }
    return {
      kind: 'response',
      status: 200,
      afterMs: random.between(5, 500),
      body: clipOf(job.seconds),
      headers: { 'content-type': 'video/mp4' },
      isCut: happens('provider-loses-responses'),
    }
  }

  return {
    accepts,
    handle(request) {
      const url = new URL(request.path, origins.media)
      const [, , id, action] = url.pathname.split('/').map(decodeURIComponent)
      if (request.method === 'POST' && !id) return submit(request)
      if (!id) return search(url.searchParams.get('reference') ?? '')
      const job = jobs.get(id)
      if (!job || job.isForgotten) return json(404, {})
      if (plan.isOn('media-lies') && random.chance(0.01)) {
        world.reach('media: forgot a job')
        job.isForgotten = true
        return json(404, {})
      }
      if (action === 'cancel') {
        if (world.time >= job.endsAt) return json(409, {})
        job.isCancelled = true
        return json(200, {})
      }
      return action === 'content' ? content(job) : read(job)
    },
  }
}
