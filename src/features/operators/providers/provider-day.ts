import { hourMs } from '../../../base/time.ts'
import { emptyTally, type ProviderTally, providerLatencies } from '../../../providers/provider-watch.ts'
import type { Engine } from '../../../storage/engine.ts'
import { integer, rowMapper, text } from '../../../storage/row-mapper.ts'
import type { ProviderDay } from './contract.ts'
import { keyOf, type SwitchableProvider } from './provider-states.ts'

const hours = rowMapper('provider_hours', {
  provider: text(),
  hour: integer(),
  instanceId: text(),
  confirmed: integer(),
  rejected: integer(),
  failed: integer(),
  uncertain: integer(),
  latencies: {
    encode: (buckets: readonly number[]) => buckets.join(' '),
    decode: (stored: string) => stored.split(' ').map(Number),
  },
})

const dayHours = 24
/** Yesterday and the day before; a little longer, because clocks differ. */
const keptHours = 3 * dayHours + 2

interface ProviderDayDeps {
  readonly engine: Engine
  readonly providers: readonly (Pick<SwitchableProvider, 'kind' | 'name'> & {
    readonly watch: { readonly take: () => ProviderTally }
  })[]
  readonly instanceId: string
  readonly clock: () => number
}

/**
 * How each provider did in the last 24 hours, over all instances: one small row for each instance and hour. Figures to look at; a
 * crash loses those of its last minute.
 */
export function createProviderDay({ engine, providers, instanceId, clock }: ProviderDayDeps) {
  /** What could not be stored yet. */
  const pending = new Map<string, ProviderTally>()
  const hourNow = () => Math.floor(clock() / hourMs)

  /** Adds what was counted since the last time to the row of this hour, and deletes old rows. */
  async function store(): Promise<void> {
    for (const provider of providers) {
      const key = keyOf(provider)
      const counted = sumOf([pending.get(key) ?? emptyTally(), provider.watch.take()])
      if (callsOf(counted) > 0) pending.set(key, counted)
    }
    if (pending.size === 0) return
    const stored = [...pending]
    pending.clear()
    const hour = hourNow()
    try {
      await engine.write(async (tx) => {
        for (const [provider, counted] of stored) {
          const where = 'WHERE hour = $1 AND provider = $2 AND instance_id = $3'
          const earlier = await hours.get(tx, where, [hour, provider, instanceId])
          const row = { provider, hour, instanceId, ...sumOf(earlier ? [earlier, counted] : [counted]) }
          await hours.upsert(tx, row, ['hour', 'provider', 'instanceId'])
        }
        await tx.run('DELETE FROM provider_hours WHERE hour < $1', [hour - keptHours])
      })
    } catch (error) {
      for (const [key, counted] of stored) pending.set(key, sumOf([counted, pending.get(key) ?? emptyTally()]))
      throw error
    }
  }

  return {
    store,
    async list(): Promise<ProviderDay[]> {
      await store()
      const rows = await engine.read((tx) => hours.all(tx, 'WHERE hour > $1', [hourNow() - dayHours]))
      return providers.map((provider) => {
        const day = sumOf(rows.filter((row) => row.provider === keyOf(provider)))
        const { confirmed, rejected, failed, uncertain } = day
        return {
          kind: provider.kind,
          name: provider.name,
          ...{ calls: callsOf(day), confirmed, rejected, failed, uncertain },
          latency: latencyOf(day.latencies),
        }
      })
    },
  }
}

export type ProviderDays = ReturnType<typeof createProviderDay>

const callsOf = ({ confirmed, rejected, failed, uncertain }: ProviderTally) => confirmed + rejected + failed + uncertain

function sumOf(tallies: readonly ProviderTally[]): ProviderTally {
  const sum = emptyTally()
  for (const tally of tallies) {
    for (const name of ['confirmed', 'rejected', 'failed', 'uncertain'] as const) sum[name] += tally[name]
    for (const [bucket, calls] of tally.latencies.entries())
      sum.latencies[bucket] = (sum.latencies[bucket] ?? 0) + calls
  }
  return sum
}

function latencyOf(buckets: readonly number[]): ProviderDay['latency'] {
  const p50Ms = providerLatencies.percentile(buckets, 0.5)
  const p95Ms = providerLatencies.percentile(buckets, 0.95)
  return p50Ms === null || p95Ms === null ? null : { p50Ms, p95Ms }
}

/** Calls of all providers that failed or have an unknown outcome. */
export const failuresBetween = (engine: Pick<Engine, 'read'>, from: number, to: number): Promise<number> =>
  engine.read(async (tx) => {
    const sql =
      'SELECT COALESCE(SUM(failed + uncertain), 0) AS count FROM provider_hours WHERE hour >= $1 AND hour < $2'
    return Number(
      (await tx.get<{ count: number }>(
        sql,
        [from, to].map((at) => Math.floor(at / hourMs)),
      ))!.count,
    )
  })
