import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import { origin } from '../gateway/gateway.ts'
import { startGateways } from '../gateway/killed-gateways.ts'
import { mediaFile } from '../gateway/media-customer.ts'
import { leasing, pollingEvery } from '../gateway/process-timing.ts'
import {
  createOperator,
  createStepPayers,
  everyStep,
  many,
  payerLimits,
  paymentFaults,
  paymentSettings,
  payWithKill,
} from '../payments/kills.ts'
import { WechatServer } from '../payments/wechat-server.ts'
import { startMediaProvider } from '../providers/media-provider.ts'
import { startUpstream } from '../providers/upstream.ts'
import { type Database, openDatabase, type Store } from '../store/engines.ts'
import { eventDifferences } from '../store/event-differences.ts'
import { sumDifferences } from '../store/independent-sum.ts'
import { addCredits, createCustomer, createRig } from '../store/rig.ts'
import { startOperators } from './crash-operators.ts'
import {
  countEvents,
  createPayers,
  inGroups,
  moody,
  repeated,
  untilAnswered,
  untilNoneIsReserved,
} from './crash-storm.ts'
import { startTraffic } from './crash-traffic.ts'
import { arrival, holdRequests, missingClips, startMediaTraffic, untilNoneIsOpen } from './media-storm.ts'
import { createStreams } from './stream-kills.ts'

export const mediaStepsToHold = ['submit', 'content'] as const

export interface KillStormOptions {
  readonly database: Database
  readonly instances: number
  /** Kills and restarts the database. */
  readonly killDatabase?: () => Promise<void>
}

/**
 * Calls, streams, media jobs, payments and operators on the same real processes. The first kill comes when every payment is held at
 * one of its steps, calls and operators are under way, a media job is held at its submission and one at its clip, and every stream at
 * one of its parts; the second at a random moment, of one instance. Afterwards everything a client got must still be true, and the books, the events and the providers'
 * records must agree.
 */
export async function killStorm({ database, instances, killDatabase }: KillStormOptions) {
  const store = await openDatabase(database, { exclusive: false })
  const streams = createStreams(store, await createCustomerWithCredits(store))
  const usual = moody()
  const upstream = await startUpstream((wire, call) => (streams.behaviourOf(promptOf(call)) ?? usual)(wire, call))
  const media = await startMediaProvider({ takesMs: 150 })
  const wechat = await new WechatServer().listen()
  const environment = await environmentFor(database, { upstream, media, wechat })
  const { payers, orderIds } = await createPayers(store)
  const mediaCustomer = await createCustomerWithCredits(store)
  const gateways = await startGateways(environment, instances)
  const moneyPayers = await createStepPayers(database, gateways.port)
  const { ports } = gateways
  const startLoad = () => ({
    traffic: startTraffic({ payers, orderIds, ports, random: Math.random, pauseMs: 30 }),
    operators: startOperators({ store, payers, suspect: payers.at(-1)!, environment, random: Math.random }),
    jobs: startMediaTraffic(mediaCustomer, ports),
  })
  let load: ReturnType<typeof startLoad> | undefined
  let mediaSteps: readonly string[] = []
  let stopping: Promise<unknown> | undefined
  const stop = () => {
    stopping ??= Promise.all([load?.traffic.stop(), load?.operators.stop(), load?.jobs.stop()])
    return stopping
  }
  try {
    const paymentSteps = await payWithKill(
      { payers: moneyPayers, operator: createOperator(store), provider: wechat },
      everyStep,
      async () => {
        // Only now: a call that ends long before the first kill proves nothing.
        load = startLoad()
        const { counts } = load.traffic
        await untilAnswered(() => counts.responses, 100)
        await streams.hold(await gateways.port())
        // Last, because their time limit is the shortest: a job whose submission got lost is looked for after it.
        const held = holdRequests(media, mediaStepsToHold)
        await held.arrived
        mediaSteps = held.waiting()
        await gateways.kill()
        held.release()
      },
    )
    const { traffic, operators, jobs } = load!
    await killDatabase?.()
    await untilAnswered(() => traffic.counts.responses, 20 + Math.random() * 40)
    await arrival(media, 'content')
    await gateways.kill(ports().slice(-1))
    await untilAnswered(() => traffic.counts.responses, 20)
    await stop()

    const port = await gateways.port()
    await streams.repeatAll(port)
    await streams.repeatWhileStopped(gateways.of(port))
    await untilNoneIsOpen(store, (jobId) => jobs.cancel(port, jobId))
    await untilNoneIsReserved(store)
    const answered = [...traffic.seen].filter(([, intent]) => intent.response !== null)
    await inGroups(answered, 20, ([key]) => traffic.call(key, port))
    const missing = await missingClips(store, mediaCustomer, port)
    await untilNoEventIsDue(store)
    const exitCodes = await gateways.terminate()

    const prompts = upstream.calls.map(promptOf)
    const { mismatches, ...counts } = traffic.counts
    return {
      counts: {
        ...counts,
        answered: answered.length,
        ...operators.counts,
        forwarded: prompts.length,
        events: await countEvents(store),
      },
      submitted: media.submitted.length,
      paymentSteps,
      mediaSteps,
      exitCodes,
      /** Everything that must not happen. */
      faults: [
        ...mismatches,
        ...repeated(prompts).map((prompt) => `forwarded twice: ${prompt}`),
        ...streams.prompts.filter((prompt) => !prompts.includes(prompt)).map((prompt) => `not forwarded: ${prompt}`),
        ...streams.faults,
        ...repeated(media.submitted).map((reference) => `submitted twice: ${reference}`),
        ...missing.map((jobId) => `no clip: ${jobId}`),
        ...operators.counts.faults,
        ...(await paymentFaults(store, wechat)),
        ...(await eventDifferences(store)),
        ...(await sumDifferences(store)),
        ...(await reconcile(store)).differences.map((one) => JSON.stringify(one)),
      ],
    }
  } finally {
    await stop()
    await gateways.remove()
    load?.traffic.close()
    load?.jobs.close()
    await Promise.all([...moneyPayers, upstream, media, store].map((each) => each.close()))
    wechat.stop()
  }
}

const promptOf = ({ body }: { readonly body: string }) => JSON.parse(body).messages.at(-1).content as string

async function createCustomerWithCredits(store: Store) {
  const rig = createRig(store)
  const customer = await createCustomer(rig)
  await addCredits(rig, customer.projectId, 100_000)
  return customer
}

interface Providers {
  readonly upstream: { readonly url: string }
  readonly media: { readonly url: string }
  readonly wechat: WechatServer
}

async function environmentFor(database: Database, { upstream, media, wechat }: Providers) {
  const breaker = { failures: 1000, coolSeconds: 1 }
  const openai = { adapter: 'openai', baseUrl: `${upstream.url}/v1`, models: { fast: 'fast' }, breaker }
  const payments = await paymentSettings(database, wechat)
  const jobs = mediaFile(media)
  // Longer than it takes until one of each kind is held.
  Object.assign(jobs.media.providers.media_provider_a, { timeoutMs: 6000 })
  const limits = { callsPerKey: many, mediaReadsPerKey: many, ...payerLimits }
  const file = join(database.dataDir, 'storm.json')
  const models = { providers: { model_provider_b: openai } }
  await writeFile(file, JSON.stringify({ models, ...jobs, ...payments.file, limits }))
  return {
    ...pollingEvery(50, 200),
    ...leasing(5000, 1500),
    ...payments.environment,
    GATEWAY_ORIGIN: origin,
    GATEWAY_DATA_DIR: database.dataDir,
    DATABASE_URL: database.databaseUrl,
    GATEWAY_SECRET: randomBytes(32).toString('hex'),
    GATEWAY_CONFIG: file,
  }
}

async function untilNoEventIsDue(store: Store): Promise<void> {
  for (let waitedMs = 0; (await countEvents(store)).due > 0; waitedMs += 50) {
    if (waitedMs > 30_000) throw new Error('events stayed due')
    await delay(50)
  }
}
