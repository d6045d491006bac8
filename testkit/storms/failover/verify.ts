import { setTimeout as delay } from 'node:timers/promises'
import { request } from 'undici'
import { type Report, reconcile } from '../../../src/features/records/reconcile/reconcile.ts'
import { tileReader } from '../../../src/features/records/transparency/log-store.ts'
import { type Published, publishedOf } from '../../../src/features/records/transparency/publisher.ts'
import { rootOf } from '../../../src/features/records/transparency/tree.ts'
import { origin } from '../../gateway/gateway.ts'
import { paymentFaults } from '../../payments/kills.ts'
import { countOn } from '../../store/database-pair.ts'
import { openDatabase, type Store } from '../../store/engines.ts'
import type { SiteDatabase, Site as SiteOf } from './site.ts'
import type { AnsweredCall, Traffic } from './traffic.ts'

type Site = SiteOf<SiteDatabase>

/** What was found wrong since the last check; all numbers are 0 if the promises were kept. */
export interface Verdict {
  readonly answered: number
  /** Of them, calls that went to review. */
  readonly reviews: number
  /** Further calls, of OpenAI and MCP clients, without an Idempotency-Key. */
  readonly keyless: number
  /** All payments so far. */
  readonly payments: number
  readonly lost: number
  readonly chargedTwice: number
  readonly forwardedTwice: number
  /** The first few, in words. */
  readonly examples: readonly string[]
}

const replaysAtOnce = 32
const endLimitMs = 90_000
const maxExamples = 5

/** Compares the responses that clients got with the store and the records of the provider. Traffic must be paused. */
export function createVerifier(site: Site, traffic: Traffic) {
  let [knownCharged, seenCalls] = [0, 0]
  const prompts = new Set<string>()
  const count = (sql: string) => persistently(() => countOn(site.database.primary(), sql))

  /** Recovery may end some charges only after a lease has run out. */
  async function untilNoneIsReserved(): Promise<void> {
    const sql = "SELECT count(*) AS n FROM charges WHERE state = 'reserved'"
    for (const deadline = performance.now() + endLimitMs; performance.now() < deadline; await delay(250)) {
      if ((await count(sql)) === 0) return
    }
    throw new Error('charges stayed reserved')
  }

  /** A replay that differs, or that is none, means that the store has lost the call. */
  async function faultOf(call: AnsweredCall, place: number): Promise<string | null> {
    const { port } = site.gateways[place % site.gateways.length]!
    const response = await persistently(async () => {
      const answer = await traffic.post(port, call)
      if (answer.status >= 500) throw new Error(`${call.key}: ${answer.status} ${answer.text}`)
      return answer
    })
    if (response.isReplay && response.status === call.status && response.text === call.text) return null
    return `${call.key}: ${call.status} ${call.text} became ${response.status} ${response.text}`
  }

  async function notSettled(chargeIds: readonly string[]): Promise<string[]> {
    const missing: string[] = []
    for (const chargeId of chargeIds) {
      const sql = `SELECT count(*) AS n FROM charges WHERE charge_id = '${chargeId}' AND state = 'settled'`
      if ((await count(sql)) !== 1) missing.push(chargeId)
    }
    return missing
  }

  return async function verify(): Promise<Verdict> {
    await untilNoneIsReserved()
    const calls = traffic.takeAnswered()
    const faults: string[] = []
    for (let from = 0; from < calls.length; from += replaysAtOnce) {
      const found = await Promise.all(calls.slice(from, from + replaysAtOnce).map((call, i) => faultOf(call, from + i)))
      faults.push(...found.filter((fault) => fault !== null))
    }
    const keyless = traffic.takeKeyless()
    const known = keyless.flatMap(({ chargeId }) => chargeId ?? [])
    faults.push(...(await notSettled(known)).map((chargeId) => `${chargeId} was answered and is not settled`))
    const sql = "SELECT count(*) AS n FROM charges WHERE state IN ('settled', 'manual_review')"
    const charged = await count(sql)
    const newly = charged - knownCharged
    knownCharged = charged
    const repeated: string[] = []
    for (; seenCalls < site.upstream.calls.length; seenCalls += 1) {
      const prompt = JSON.parse(site.upstream.calls[seenCalls]!.body).messages.at(-1).content as string
      if (prompts.has(prompt)) repeated.push(`forwarded twice: ${prompt}`)
      prompts.add(prompt)
    }
    faults.push(...(await withStore(site, (store) => paymentFaults(store, site.wechat))))
    return {
      answered: calls.length,
      reviews: calls.filter(({ status }) => status === 202).length,
      keyless: keyless.length,
      payments: site.wechat.orders.size,
      lost: Math.max(faults.length, calls.length + known.length - newly),
      // A call without a key that got no response was charged once, or not at all.
      chargedTwice: Math.max(newly - calls.length - keyless.length, 0),
      forwardedTwice: repeated.length,
      examples: [...faults, ...repeated].slice(0, maxExamples),
    }
  }
}

export const reconcileSite = (site: Site): Promise<Report> => withStore(site, reconcile)

/** Keeps the checkpoints that the gateways serve, as payers do, and finds those that the store's tree does not begin with. */
export function createWitness(site: Site) {
  const seen = new Map<string, Published>()

  /** Returns how many it has seen so far. */
  async function look(): Promise<number> {
    for (const { port } of site.gateways) {
      const { statusCode, body } = await request(`http://127.0.0.1:${port}/transparency/checkpoint`, {
        headers: { host: new URL(origin).host },
      })
      const note = await body.text()
      if (statusCode === 200) seen.set(note, publishedOf(note)!)
    }
    return seen.size
  }

  return {
    look,
    contradicted: (): Promise<{ readonly seen: number; readonly contradicted: readonly string[] }> =>
      withStore(site, (store) =>
        store.read(async (tx) => {
          const contradicted: string[] = []
          for (const { note, size, root } of seen.values()) {
            if (!(await rootOf(tileReader(tx, 1), size)).equals(root)) contradicted.push(note)
          }
          return { seen: seen.size, contradicted }
        }),
      ),
  }
}

function withStore<T>({ database, dataDir }: Site, work: (store: Store) => Promise<T>): Promise<T> {
  return persistently(async () => {
    const store = await openDatabase(
      { databaseUrl: database.primary().url, dataDir, remove: async () => {} },
      { exclusive: false },
    )
    return work(store).finally(() => store.close())
  })
}

/** The database may be away for a moment, as while a lost node comes back. */
async function persistently<T>(work: () => Promise<T>): Promise<T> {
  for (const deadline = performance.now() + endLimitMs; ; await delay(500)) {
    try {
      return await work()
    } catch (error) {
      if (performance.now() > deadline) throw error
    }
  }
}
