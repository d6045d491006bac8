import { histogram } from '../../../base/histogram.ts'
import { isoOf, minuteMs } from '../../../base/time.ts'
import { type ChargedOperation, chargedOperations, mediaOperation } from '../../../contract/prices.ts'
import { isRejection } from '../../../providers/provider-watch.ts'
import { createJobId } from '../../calls/media/operations.ts'
import { completionId } from '../../calls/openai/contract.ts'
import { type ActivityNow, rememberedMinutes, summedMinutes } from './contract.ts'

export type Activity = ReturnType<typeof createActivity>

/** In milliseconds: bounds about a tenth apart, up to a minute. */
const bounds = Array.from({ length: 116 }, (_, index) => 0.5 * 1.107 ** index)
const latencies = histogram(bounds)

interface Tally {
  calls: number
  failed: number
  rejected: number
  /** Of the rejected, those whose provider an operator had taken out of service. */
  disabled: number
  /** Their outcome is uncertain. */
  uncertain: number
  credits: number
  /** Calls by latency bucket; the last is for all slower ones. */
  readonly succeeded: Uint32Array
  readonly others: Uint32Array
}

interface Minute {
  readonly minute: number
  readonly operations: Map<ChargedOperation, Tally>
  readonly codes: Map<string, number>
}

/** What a call of each operation of the API is charged as. */
const charged = new Map<string, ChargedOperation>([
  ...chargedOperations.map((operation) => [operation, operation] as const),
  [createJobId, mediaOperation],
  [completionId, 'model.chat'],
])

/** What a minute says about an operation to those who may not see calls. */
export interface MinuteOutcomes {
  readonly minute: number
  readonly operation: ChargedOperation
  /** Failed here or at a provider, uncertain, or refused while the provider was out of service. */
  readonly failed: number
  /** Those that succeeded, by their longest time. */
  readonly succeeded: readonly { readonly latencyMs: number; readonly calls: number }[]
}

interface ObservedCall {
  readonly operationId: string
  readonly status: number
  readonly code: string | null
  readonly durationMs: number
  readonly isReplay?: true
  readonly isRejection?: true
}

/** Remembers the billable calls of the last hour on this instance: one small record per minute. */
export function createActivity(clock: () => number) {
  const startedAt = clock()
  /** The newest last. */
  let minutes: Minute[] = []

  function current(): Minute {
    const minute = Math.floor(clock() / minuteMs)
    const last = minutes.at(-1)
    if (last?.minute === minute) return last
    const begun: Minute = { minute, operations: new Map(), codes: new Map() }
    // Also drops minutes ahead of a clock that was set back.
    minutes = [...minutes.filter((seen) => seen.minute > minute - rememberedMinutes && seen.minute < minute), begun]
    return begun
  }

  function tallyOf({ operations }: Minute, operation: ChargedOperation): Tally {
    const known = operations.get(operation)
    if (known) return known
    const tally = newTally()
    operations.set(operation, tally)
    return tally
  }

  return {
    observe({ operationId, status, code, durationMs, isReplay, isRejection: isRejected }: ObservedCall) {
      const operation = charged.get(operationId)
      if (!operation) return
      const minute = current()
      const tally = tallyOf(minute, operation)
      // Accepting a media job is a success; any other 202 is a review.
      const isUncertain = status === 202 && operation !== mediaOperation
      tally.calls += 1
      tally[code === null && !isUncertain && !isReplay ? 'succeeded' : 'others'][latencies.bucketOf(durationMs)]! += 1
      // A replay says how the service was, not how it is.
      if (isReplay) return
      if (isUncertain) tally.uncertain += 1
      if (code === null) return
      tally[isRejected || isRejection(code) ? 'rejected' : 'failed'] += 1
      if (code === 'PROVIDER_DISABLED') tally.disabled += 1
      minute.codes.set(code, (minute.codes.get(code) ?? 0) + 1)
    },
    settled({ operation, credits }: { operation: ChargedOperation; credits: number }) {
      tallyOf(current(), operation).credits += credits
    },
    /** The minutes after this one, without the current one, which is not over. */
    ended: (after: number, before = Math.floor(clock() / minuteMs)): MinuteOutcomes[] =>
      minutes.filter(({ minute }) => minute > after && minute < before).flatMap(outcomesOf),
    now: () => summary(minutes, Math.floor(clock() / minuteMs), startedAt),
  }
}

const newTally = (): Tally => ({
  ...{ calls: 0, failed: 0, rejected: 0, disabled: 0, uncertain: 0, credits: 0 },
  ...{ succeeded: new Uint32Array(latencies.size), others: new Uint32Array(latencies.size) },
})

const outcomesOf = ({ minute, operations }: Minute): MinuteOutcomes[] =>
  [...operations].map(([operation, { failed, disabled, uncertain, succeeded }]) => ({
    minute,
    operation,
    failed: failed + disabled + uncertain,
    succeeded: [...succeeded].flatMap((calls, bucket) =>
      calls === 0 ? [] : { latencyMs: bounds[Math.min(bucket, bounds.length - 1)]!, calls },
    ),
  }))

function summary(minutes: readonly Minute[], now: number, startedAt: number): Omit<ActivityNow, 'instanceId'> {
  const byMinute = new Map(minutes.map((minute) => [minute.minute, minute]))
  const first = Math.max(now - rememberedMinutes + 1, Math.floor(startedAt / minuteMs))
  const shown = Array.from({ length: Math.max(1, now - first + 1) }, (_, index) => first + index)
  const summed = minutes.filter(({ minute }) => minute > now - summedMinutes && minute <= now)
  const operations = chargedOperations.flatMap((operation) => {
    const tallies = summed.flatMap((minute) => minute.operations.get(operation) ?? [])
    if (tallies.length === 0) return []
    return {
      operation,
      calls: sum(tallies, 'calls'),
      failed: sum(tallies, 'failed'),
      rejected: sum(tallies, 'rejected'),
      credits: sum(tallies, 'credits'),
      latency: percentiles(tallies),
    }
  })
  const codes = new Map<string, number>()
  for (const minute of summed) for (const [code, calls] of minute.codes) codes.set(code, (codes.get(code) ?? 0) + calls)
  return {
    startedAt: isoOf(startedAt),
    minutes: shown.map((minute) => {
      const tallies = [...(byMinute.get(minute)?.operations.values() ?? [])]
      return {
        at: isoOf(minute * minuteMs),
        calls: sum(tallies, 'calls'),
        failed: sum(tallies, 'failed'),
        rejected: sum(tallies, 'rejected'),
        credits: sum(tallies, 'credits'),
      }
    }),
    sumMinutes: summedMinutes,
    operations,
    codes: mostFrequent(codes, 100),
    latency: percentiles(summed.flatMap((minute) => [...minute.operations.values()])),
  }
}

export const mostFrequent = (codes: ReadonlyMap<string, number>, limit: number) =>
  [...codes]
    .map(([code, calls]) => ({ code, calls }))
    .sort((a, b) => b.calls - a.calls || (a.code < b.code ? -1 : 1))
    .slice(0, limit)

const sum = (tallies: readonly Tally[], what: 'calls' | 'failed' | 'rejected' | 'credits') =>
  tallies.reduce((total, tally) => total + tally[what], 0)

function percentiles(tallies: readonly Tally[]) {
  const buckets = new Array<number>(latencies.size).fill(0)
  for (const counted of tallies.flatMap(({ succeeded, others }) => [succeeded, others])) {
    for (const [index, calls] of counted.entries()) buckets[index]! += calls
  }
  const at = (share: number) => Math.round(latencies.percentile(buckets, share)! * 10) / 10
  return buckets.some((calls) => calls > 0) ? { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) } : null
}
