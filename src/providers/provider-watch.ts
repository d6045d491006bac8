import { monotonicMs as clockMs } from '../base/clock.ts'
import { histogram } from '../base/histogram.ts'
import { minuteMs } from '../base/time.ts'
import { type ErrorCode, errors } from '../contract/errors.ts'
import { failureOf, type Outcome, type ProviderKind } from './outcome.ts'

/** What an operator sees of a provider on this instance, and the switch that takes it out of service. */
export interface ProviderWatch {
  /** Set when an operator took the provider out of service. Read before each call. */
  isOut: boolean
  underWay: number
  /** The call, counted by its outcome, and refused while the provider is out of service. */
  readonly watched: <A extends unknown[], R>(
    method: WatchedMethod<R>,
    call: (...args: A) => Promise<R>,
  ) => (...args: A) => Promise<R>
  readonly recent: () => RecentOutcomes
  /** Since the start. */
  readonly totals: Readonly<CallCounts>
  /** What was counted since the last call, for storage. */
  readonly take: () => ProviderTally
}

/** How the calls of a method are counted. */
export interface WatchedMethod<R> {
  readonly outcomeOf: (result: R) => Outcome<unknown>
  /** The result while the provider is out of service. */
  readonly whenOut: R
}

/** A method that ends in an `Outcome`. */
export const byOutcome = <T>(kind: ProviderKind): WatchedMethod<Outcome<T>> => ({
  outcomeOf: (outcome) => outcome,
  whenOut: failureOf(kind, 'disabled'),
})

/** The methods that call the provider: all that return a promise, but `close`. */
type CallsOf<P> = {
  [K in keyof P as K extends 'close' ? never : P[K] extends (...args: never[]) => Promise<unknown> ? K : never]: P[K]
}

/** Says for each call of a provider how it is counted; a call that is missing here does not compile. */
export type WatchedCalls<P> = {
  readonly [K in keyof CallsOf<P>]: CallsOf<P>[K] extends (...args: never[]) => Promise<infer R>
    ? WatchedMethod<R> | 'uncounted'
    : never
}

/** The provider with all of its calls watched. */
export function watchProvider<P extends object>(provider: P, watch: ProviderWatch, calls: WatchedCalls<P>): P {
  const methods = provider as Record<string, (...args: unknown[]) => Promise<unknown>>
  const counted = Object.entries<WatchedMethod<unknown> | 'uncounted'>(calls as never)
  const watched = counted.flatMap(([name, method]) =>
    method === 'uncounted' ? [] : [[name, watch.watched(method, methods[name]!)]],
  )
  return { ...provider, ...Object.fromEntries(watched) }
}

/** Calls by how they ended. Those that were refused for what their caller sent are not the provider's failures. */
export interface CallCounts {
  confirmed: number
  rejected: number
  failed: number
  uncertain: number
}

const noCalls = (): CallCounts => ({ confirmed: 0, rejected: 0, failed: 0, uncertain: 0 })

/** Codes that are always the caller's affair, or an operator's decision: neither says that something is broken. */
export const isRejection = (code: string): boolean =>
  code === 'PROVIDER_DISABLED' || (code in errors && errors[code as ErrorCode].status < 500)

export interface ProviderTally extends CallCounts {
  /** By `providerLatencies`. */
  readonly latencies: number[]
}

/** In milliseconds, each bound half as much again as the one before. Stored by hour, so the bounds must not change. */
export const providerLatencies = histogram(Array.from({ length: 24 }, (_, i) => Math.round(10 * 1.5 ** i)))

export const emptyTally = (): ProviderTally => ({
  ...noCalls(),
  latencies: Array<number>(providerLatencies.size).fill(0),
})

export interface RecentOutcomes {
  readonly kinds: Readonly<Record<Outcome<unknown>['kind'], number>>
  /** Calls that were not confirmed, without those that were rejected. */
  readonly failed: number
  /** Error codes and reasons of failed calls. */
  readonly codes: ReadonlyMap<string, number>
}

export const watchedMinutes = 15

interface WatchedMinute {
  readonly minute: number
  readonly kinds: Record<Outcome<unknown>['kind'], number>
  failed: number
  readonly codes: Map<string, number>
}

function countIn(minute: WatchedMinute, outcome: Outcome<unknown>): void {
  const { kinds, codes } = minute
  kinds[outcome.kind] += 1
  if (outcome.kind === 'confirmed') return
  if (resultOf(outcome) !== 'rejected') minute.failed += 1
  const code = outcome.kind === 'uncertain' ? outcome.reason : outcome.code
  codes.set(code, (codes.get(code) ?? 0) + 1)
}

function resultOf(outcome: Outcome<unknown>): keyof CallCounts {
  if (outcome.kind === 'confirmed' || outcome.kind === 'uncertain') return outcome.kind
  return isRejection(outcome.code) || (outcome.kind === 'refused' && outcome.isRejection) ? 'rejected' : 'failed'
}

export function createProviderWatch(monotonicMs: () => number = clockMs): ProviderWatch {
  /** The newest last; at most `watchedMinutes`. */
  const minutes: WatchedMinute[] = []

  let tally = emptyTally()
  const totals = noCalls()

  function countInTally(outcome: Outcome<unknown>, tookMs: number): void {
    const result = resultOf(outcome)
    tally[result] += 1
    totals[result] += 1
    tally.latencies[providerLatencies.bucketOf(tookMs)]! += 1
  }

  function count(outcome: Outcome<unknown>, tookMs: number): void {
    countInTally(outcome, tookMs)
    const minute = Math.floor(monotonicMs() / minuteMs)
    let last = minutes.at(-1)
    if (last?.minute !== minute) {
      last = { minute, kinds: noOutcomes(), failed: 0, codes: new Map() }
      minutes.push(last)
      if (minutes.length > watchedMinutes) minutes.shift()
    }
    countIn(last, outcome)
  }

  const watch: ProviderWatch = {
    isOut: false,
    underWay: 0,
    totals,
    take() {
      const taken = tally
      tally = emptyTally()
      return taken
    },
    watched:
      ({ outcomeOf, whenOut }, call) =>
      async (...args) => {
        if (watch.isOut) return whenOut
        watch.underWay += 1
        const startedAt = monotonicMs()
        try {
          const result = await call(...args)
          count(outcomeOf(result), monotonicMs() - startedAt)
          return result
        } finally {
          watch.underWay -= 1
        }
      },
    recent() {
      const first = Math.floor(monotonicMs() / minuteMs) - watchedMinutes
      return sumOf(minutes.filter(({ minute }) => minute > first))
    },
  }
  return watch
}

function sumOf(minutes: readonly WatchedMinute[]): RecentOutcomes {
  const kinds = noOutcomes()
  const codes = new Map<string, number>()
  let failed = 0
  for (const seen of minutes) {
    for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) kinds[kind] += seen.kinds[kind]
    failed += seen.failed
    for (const [code, calls] of seen.codes) codes.set(code, (codes.get(code) ?? 0) + calls)
  }
  return { kinds, failed, codes }
}

const noOutcomes = () => ({ confirmed: 0, refused: 0, unavailable: 0, uncertain: 0 })
