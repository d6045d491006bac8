import type { Measured, Sample } from './measure.ts'
import { median, medianOf, pairedRatio } from './statistics.ts'

export interface Goal {
  readonly text: string
  readonly target: string
  /** Null when a contestant it compares did not run. */
  readonly measured: number | null
  readonly isMet: boolean | null
  readonly unit: '' | 'ms'
}

const level = 64

/** Performance goals, as ratios within one run: only ratios carry over to other machines. */
export function judgeGoals(all: readonly Measured[]): Goal[] {
  const speed = (id: string, other: string) =>
    ratioOf(all, [id, other], (sample) => sample.connections === level && sample.callsPerSecond)
  return [
    atLeast('billable call on SQLite, of the bare Fastify echo', 0.6, speed('local-sqlite', 'fastify-echo')),
    atLeast('billable call on PostgreSQL, of the bare Fastify echo', 0.4, speed('local-postgres', 'fastify-echo')),
    atLeast('HTTP relay with books on SQLite, of the bare relay', 0.75, speed('relay-sqlite', 'fastify-relay')),
    atLeast('HTTP relay with books on SQLite, of Portkey', 4, speed('relay-sqlite', 'portkey')),
    atMost('latency added one by one, of what Portkey adds', 0.19, addedRatio(all)),
    atLeast('media submission on SQLite, of a billable call', 0.7, speed('media-sqlite', 'local-sqlite')),
    atLeast('media submission on PostgreSQL, of a billable call', 0.7, speed('media-postgres', 'local-postgres')),
    atLeast('replay of a stored answer, of the bare Fastify echo', 0.75, speed('replay', 'fastify-echo')),
    atMost('p99 of a billable call on SQLite, of its p50', 2.2, tailRatio(all, 'local-sqlite')),
    { ...below('event-loop lag p99 of billable calls, the worst of them', 20, worstLag(all)), unit: 'ms' },
  ]
}

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
  ratioOf(all, [id, other], (sample) => sample.connections === level && sample.callsPerSecond)

const isOneByOne = ({ connections }: Sample) => connections === 1
const latency = ({ p50Ms }: Sample) => p50Ms

function ratioOf(
  all: readonly Measured[],
  ids: [string, string],
  pick: (sample: Sample) => number | false,
): number | null {
  const [own, other] = ids.map(
    (id) =>
      find(all, id)
        ?.samples.map(pick)
        .filter((value) => value !== false) ?? [],
  )
  return own!.length > 0 && own!.length === other!.length ? pairedRatio(own!, other!) : null
}

function addedRatio(all: readonly Measured[]): number | null {
  const [own, other] = [addedMs(all, 'relay-sqlite'), addedMs(all, 'portkey')]
  return own === null || other === null ? null : own / other
}

/** The 99th percentile minus the median. */
function tailRatio(all: readonly Measured[], id: string): number | null {
  const samples = find(all, id)?.samples.filter(({ connections }) => connections === level) ?? []
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
