import { setTimeout as delay } from 'node:timers/promises'
import { type Report, reconcile } from '../../../../src/reconcile/reconcile.ts'
import { countOn } from '../../store/database-pair.ts'
import { openDatabase } from '../../store/engines.ts'
import type { Site } from './site.ts'
import type { AnsweredCall, Traffic } from './traffic.ts'

/** What was found wrong since the last check; all numbers are 0 if the promises were kept. */
export interface Verdict {
  readonly answered: number
  /** Of them, calls that went to review. */
  readonly reviews: number
  readonly lost: number
  readonly chargedTwice: number
  readonly forwardedTwice: number
  /** The first few, in words. */
  readonly examples: readonly string[]
}

const replaysAtOnce = 32
const endLimitMs = 90_000
const maxExamples = 5

/** Compares what clients were told with what the store and the provider know. Traffic must be paused. */
export function createVerifier(site: Site, traffic: Traffic) {
  let [knownAnswered, knownCharged, seenCalls] = [0, 0, 0]
  const prompts = new Set<string>()

  /** Recovery may end some charges only after a lease has run out. */
  async function untilNoneIsReserved(): Promise<void> {
    const sql = "SELECT count(*) AS n FROM charges WHERE state = 'reserved'"
    for (const deadline = performance.now() + endLimitMs; performance.now() < deadline; await delay(250)) {
      if ((await countOn(site.database.primary(), sql)) === 0) return
    }
    throw new Error('charges stayed reserved')
  }

  /** A replay that differs, or that is none, means that the store has lost the call. */
  async function faultOf(call: AnsweredCall, place: number): Promise<string | null> {
    const { port } = site.gateways[place % site.gateways.length]!
    const response = await traffic.post(port, call)
    if (response.isReplay && response.status === call.status && response.text === call.text) return null
    return `${call.key}: ${call.status} ${call.text} became ${response.status} ${response.text}`
  }

  return async function verify(): Promise<Verdict> {
    await untilNoneIsReserved()
    const calls = traffic.takeAnswered()
    const faults: string[] = []
    for (let from = 0; from < calls.length; from += replaysAtOnce) {
      const found = await Promise.all(calls.slice(from, from + replaysAtOnce).map((call, i) => faultOf(call, from + i)))
      faults.push(...found.filter((fault) => fault !== null))
    }
    const sql = "SELECT count(*) AS n FROM charges WHERE state IN ('settled', 'manual_review')"
    const charged = await countOn(site.database.primary(), sql)
    const excess = charged - knownCharged - calls.length
    ;[knownAnswered, knownCharged] = [knownAnswered + calls.length, charged]
    const repeated: string[] = []
    for (; seenCalls < site.upstream.calls.length; seenCalls += 1) {
      const prompt = JSON.parse(site.upstream.calls[seenCalls]!.body).messages.at(-1).content as string
      if (prompts.has(prompt)) repeated.push(`forwarded twice: ${prompt}`)
      prompts.add(prompt)
    }
    return {
      answered: calls.length,
      reviews: calls.filter(({ status }) => status === 202).length,
      lost: Math.max(faults.length, -excess),
      chargedTwice: Math.max(excess, 0),
      forwardedTwice: repeated.length,
      examples: [...faults, ...repeated].slice(0, maxExamples),
    }
  }
}

export async function reconcileSite({ database, dataDir }: Site): Promise<Report> {
  const store = await openDatabase(
    { databaseUrl: database.primary().url, dataDir, remove: async () => {} },
    { exclusive: false },
  )
  return reconcile(store).finally(() => store.close())
}
