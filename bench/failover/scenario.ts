import { setTimeout as delay } from 'node:timers/promises'
import type { DatabasePair } from '../../testkit/store/database-pair.ts'
import type { Site, SiteDatabase } from '../../testkit/storms/failover/site.ts'
import type { Worker } from '../../testkit/storms/failover/success-log.ts'
import type { Traffic } from '../../testkit/storms/failover/traffic.ts'

export interface Stage<Database extends SiteDatabase = DatabasePair> {
  readonly site: Site<Database>
  readonly traffic: Traffic
}

/** What one round of a fault showed, in addition to what the verifier finds. */
export interface Measured {
  /** From the promotion, or the end of the fault, until every gateway has answered a call. */
  readonly secondsWithoutService?: number
  /** Rate of the projects and gateways that the fault does not concern, of what it was before; the lowest gateway. */
  readonly ratio?: number
  /** The longest that a call took, with its repetitions. */
  readonly slowestCallSeconds?: number
  readonly failedRequests?: number
  /** Rate of paid calls during a flood, of that without one. */
  readonly floodedRate?: number
}

/** A fault that the benchmark causes while traffic runs. */
export interface Scenario<Database extends SiteDatabase = DatabasePair> {
  readonly kind: string
  readonly run: (stage: Stage<Database>) => Promise<Measured>
  /** After the check of a round: brings the servers into the state in which the next one begins. */
  readonly restore?: (database: Database) => Promise<void>
}

export const goals = { secondsWithoutService: 5, ratio: 0.8, failedRequests: 0, floodedRate: 2 / 3 } as const

const serviceLimitMs = 60_000

const newCallMs = 200

/** Resolves with the seconds until the slowest gateway has answered a call. New calls arrive all the time, and so do repeated ones. */
export async function untilService({ site, traffic }: Stage<SiteDatabase>, since: number): Promise<number> {
  for (let calledAt = since; performance.now() < since + serviceLimitMs; ) {
    const firsts = site.gateways.map((_, gateway) => traffic.successes.firstAfter(since, gateway))
    if (firsts.every((at) => at !== undefined)) return (Math.max(...firsts) - since) / 1000
    if (performance.now() - calledAt > newCallMs) {
      calledAt = performance.now()
      const waiting = firsts.keys().filter((gateway) => firsts[gateway] === undefined)
      for (const gateway of waiting) traffic.callNow({ gateway, payer: Math.floor(Math.random() * site.payers.length) })
    }
    await Promise.race([delay(20), traffic.failed])
  }
  return serviceLimitMs / 1000
}

export interface RatioOptions {
  readonly beforeMs: number
  readonly duringMs: number
  /** Gateways that the fault leaves alone. */
  readonly gateways: readonly number[]
  /** Projects that the fault leaves alone. */
  readonly isUntouched: (worker: Worker) => boolean
}

/** Measures a while, causes the fault, measures again; the lowest ratio of a gateway. */
export async function ratioDuring(
  { traffic }: Stage,
  cause: () => Promise<unknown>,
  { beforeMs, duringMs, gateways, isUntouched }: RatioOptions,
): Promise<number> {
  const from = performance.now()
  await delay(beforeMs)
  const to = performance.now()
  await cause()
  const causedAt = performance.now()
  await delay(duringMs)
  const now = performance.now()
  const ratios = gateways.map((gateway) => {
    const concerns = (worker: Worker) => worker.gateway === gateway && isUntouched(worker)
    const before = traffic.successes.rate({ from, to }, concerns)
    return traffic.successes.rate({ from: causedAt, to: now }, concerns) / before
  })
  return Math.min(...ratios)
}
