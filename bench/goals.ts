import type { Measured, Sample } from './measure.ts'
import { median, medianOf, pairedRatio } from './statistics.ts'

export interface Goal {
  readonly text: string
  readonly target: string
  /** Null when a contestant it compares did not run. */
  readonly measured: number | null
  readonly isMet: boolean | null
  readonly unit: '' | 'ms' | 'MB'
}

const level = 64

/**
 * Performance goals, as ratios within one run, chosen so that they hold on arm64 and x64 alike. Throughput would not: on x64 the
 * bare echo takes half the CPU time of arm64, while the store's pages, syncs and wake-ups cost the same on both.
 */
export function judgeGoals(all: readonly Measured[], syncMs: number): Goal[] {
  const speed = (id: string, other: string) => ratioOf(all, [id, other], ({ callsPerSecond }) => callsPerSecond)
  const cpu = (id: string, other: string) => cpuRatio(all, [id, other])
  return [
    atMost('CPU of a billable call on SQLite, of the echo', 2.3, cpu('local-sqlite', 'fastify-echo')),
    atMost(
      'CPU of a billable call on PostgreSQL with its server, of the echo',
      3.6,
      cpu('local-postgres', 'fastify-echo'),
    ),
    atMost('CPU of a call with a budget, of one without, SQLite', 1.15, cpu('budget-sqlite', 'local-sqlite')),
    atMost('CPU of a call with a budget, of one without, PostgreSQL', 1.15, cpu('budget-postgres', 'local-postgres')),
    atMost('CPU of a replay, of the echo', 1.4, cpu('replay', 'fastify-echo')),
    atMost('CPU of a relayed call on SQLite, of the bare relay', 1.8, cpu('relay-sqlite', 'fastify-relay')),
    atLeast('rate of relayed calls on SQLite, of Portkey', 4.2, speed('relay-sqlite', 'portkey')),
    atLeast('rate of media submissions on SQLite, of billable calls', 0.8, speed('media-sqlite', 'local-sqlite')),
    atLeast(
      'rate of media submissions on PostgreSQL, of billable calls',
      0.8,
      speed('media-postgres', 'local-postgres'),
    ),
    atMost('latency added one by one on SQLite, in syncs of the disk', 10, inSyncs(all, syncMs)),
    atMost('p99 of a billable call on SQLite, of its p50', 2.3, tailRatio(all, 'local-sqlite', level)),
    atMost('the same with one client alone', 4, tailRatio(all, 'local-sqlite', 1)),
    { ...below('event-loop lag p99 of billable calls, the worst of them', 15, worstLag(all)), unit: 'ms' },
    { ...atMost('memory under load, the most of billable calls', 230, mostMemory(all)), unit: 'MB' },
  ]
}

/** The CPU time of one call, of another's in the same round. */
export const cpuRatio = (all: readonly Measured[], ids: [string, string]): number | null => ratioOf(all, ids, cpuOfCall)

/** The gateway's and its database server's. */
const cpuOfCall = ({ cpuMsPerCall, databaseCpuMsPerCall }: Sample) =>
  cpuMsPerCall === null ? null : cpuMsPerCall + (databaseCpuMsPerCall ?? 0)

/** Median latency of sequential calls minus that of the upstream alone; null for servers that call no upstream. */
export function addedMs(all: readonly Measured[], id: string): number | null {
  const own = find(all, id)?.samples.filter(isOneByOne).map(latency)
  const direct = find(all, 'upstream')?.samples.filter(isOneByOne).map(latency)
  if (!own?.length || !direct?.length || !relays.has(id)) return null
  return median(own.map((ms, round) => ms - direct[round]!))
}

const relays = new Set(['fastify-relay', 'portkey', 'nginx', 'relay-sqlite', 'relay-postgres'])

export const find = (all: readonly Measured[], id: string) => all.find(({ contestant }) => contestant.id === id)

/** Throughput at 64 connections relative to another contestant. */
export const shareOf = (all: readonly Measured[], id: string, other: string): number | null =>
  ratioOf(all, [id, other], ({ callsPerSecond }) => callsPerSecond)

const isOneByOne = ({ connections }: Sample) => connections === 1
const latency = ({ p50Ms }: Sample) => p50Ms

function ratioOf(
  all: readonly Measured[],
  ids: [string, string],
  pick: (sample: Sample) => number | null,
): number | null {
  const [own, other] = ids.map(
    (id) =>
      find(all, id)
        ?.samples.filter(({ connections }) => connections === level)
        .map(pick)
        .filter((value) => value !== null) ?? [],
  )
  return own!.length > 0 && own!.length === other!.length ? pairedRatio(own!, other!) : null
}

function inSyncs(all: readonly Measured[], syncMs: number): number | null {
  const added = addedMs(all, 'relay-sqlite')
  return added === null ? null : added / syncMs
}

/** The 99th percentile over the median. */
function tailRatio(all: readonly Measured[], id: string, clients: number): number | null {
  const samples = find(all, id)?.samples.filter(({ connections }) => connections === clients) ?? []
  return medianOf(samples.map(({ p50Ms, p99Ms }) => p99Ms / p50Ms))
}

function worstLag(all: readonly Measured[]): number | null {
  const lags = ['local-sqlite', 'local-postgres', 'relay-sqlite', 'relay-postgres'].map((id) => {
    const samples = find(all, id)?.samples.filter(({ connections }) => connections === level) ?? []
    return medianOf(samples.map(({ loopLagP99Ms }) => loopLagP99Ms))
  })
  const known = lags.filter((lag) => lag !== null)
  return known.length === 0 ? null : Math.max(...known)
}

function mostMemory(all: readonly Measured[]): number | null {
  const known = ['local-sqlite', 'local-postgres']
    .flatMap((id) => find(all, id)?.samples ?? [])
    .map(({ residentMb }) => residentMb)
    .filter((mb) => mb !== null)
  return known.length === 0 ? null : Math.max(...known)
}

type Judge = (text: string, target: number, measured: number | null) => Goal

export const atLeast: Judge = (text, target, measured) =>
  judged(text, `at least ${target}`, measured, (m) => m >= target)
export const atMost: Judge = (text, target, measured) => judged(text, `at most ${target}`, measured, (m) => m <= target)
export const below: Judge = (text, target, measured) => judged(text, `below ${target}`, measured, (m) => m < target)

const judged = (text: string, target: string, measured: number | null, isMet: (measured: number) => boolean): Goal => ({
  text,
  target,
  measured,
  isMet: measured === null ? null : isMet(measured),
  unit: '',
})
