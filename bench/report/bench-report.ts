import { addedMs, type Goal, judgeGoals, shareOf } from '../goals.ts'
import type { Measured, Sample } from '../measure.ts'
import type { Options } from '../options.ts'
import { median, medianOf, spread } from '../statistics.ts'
import { type Machine, machineLines } from './machine.ts'
import { resultName } from './publish.ts'
import { fixed, number, table, verdict } from './table.ts'

export interface BenchRun {
  readonly measured: readonly Measured[]
  readonly machine: Machine
  readonly notes: readonly string[]
  readonly options: Options
}

const judgedLevel = 64

/** The whole run as one page. */
export function benchReport({ measured, machine, notes, options }: BenchRun): string {
  const { rounds, seconds, connections } = options
  return `# Speed, side by side

Written by \`npm run bench\`. Every figure is the median of ${rounds} interleaved round${rounds === 1 ? '' : 's'} of ${seconds} s; the percentage behind a
throughput is how far its rounds lie apart. All servers and the load generator share this one machine.

${[...machineLines(machine), ...notes.map((line) => `- ${line}`)].join('\n')}

## Goals

${goalTable(judgeGoals(measured, machine.syncMs))}

## Throughput, calls a second

${throughputTable(measured, connections)}

![Throughput at 64 connections](${resultName}.svg)

## Latency, p50 / p99 in ms

${latencyTable(measured, connections)}

## What a call costs

At ${judgedLevel} connections. CPU is user and system time of all threads, and of the thread of the event loop
alone, which is what one process can never spread over cores; the database's is that of the PostgreSQL server. Added
latency is the p50 of calls one by one less that of the upstream alone. The lag of the event loop is measured with timers
of 10 ms, which are in the figure: an idle process shows about 10.

${costTable(measured)}

## Checks

${checks(measured)}
`
}

export const goalTable = (goals: readonly Goal[]): string =>
  table(
    ['goal, at 64 connections', 'target', 'measured', ''],
    goals.map(({ text, target, measured, isMet, unit }) => [
      text,
      `${target} ${unit}`.trim(),
      `${fixed(measured, unit === 'ms' ? 1 : 2)} ${measured === null ? '' : unit}`.trim(),
      verdict(isMet),
    ]),
  )

function throughputTable(all: readonly Measured[], levels: readonly number[]): string {
  return table(
    ['', ...levels.map((level) => `${level} conn.`), 'of Fastify echo', 'body bytes'],
    all.map((one) => [
      one.contestant.name,
      ...levels.map((level) => {
        const speeds = at(one, level).map(({ callsPerSecond }) => callsPerSecond)
        return `${number(median(speeds))} ±${Math.round(spread(speeds) * 50)}%`
      }),
      fixed(shareOf(all, one.contestant.id, 'fastify-echo'), 2),
      String(one.responseBytes),
    ]),
  )
}

function latencyTable(all: readonly Measured[], levels: readonly number[]): string {
  return table(
    ['', ...levels.map((level) => `${level} conn.`)],
    all.map((one) => [
      one.contestant.name,
      ...levels.map((level) => {
        const samples = at(one, level)
        return `${median(samples.map(({ p50Ms }) => p50Ms)).toFixed(2)} / ${median(samples.map(({ p99Ms }) => p99Ms)).toFixed(2)}`
      }),
    ]),
  )
}

function costTable(all: readonly Measured[]): string {
  return table(
    ['', 'CPU µs', 'event loop µs', 'database CPU µs', 'memory MB', 'added latency ms', 'loop lag p99 ms'],
    all.map((one) => {
      const samples = at(one, judgedLevel)
      const micros = (pick: (sample: Sample) => number | null) => {
        const ms = medianOf(samples.map(pick))
        return ms === null ? '–' : number(ms * 1000)
      }
      const memory = one.samples.map(({ residentMb }) => residentMb ?? 0)
      return [
        one.contestant.name,
        micros(({ cpuMsPerCall }) => cpuMsPerCall),
        micros(({ loopCpuMsPerCall }) => loopCpuMsPerCall),
        micros(({ databaseCpuMsPerCall }) => databaseCpuMsPerCall),
        number(Math.max(...memory)),
        fixed(addedMs(all, one.contestant.id), 2),
        fixed(medianOf(samples.map(({ loopLagP99Ms }) => loopLagP99Ms)), 1),
      ]
    }),
  )
}

function checks(all: readonly Measured[]): string {
  const total = all.reduce((sum, { tally }) => sum + tally.answered, 0)
  const busiest = Math.max(...all.flatMap(({ samples }) => samples).map(generatorShare))
  const faults = all.flatMap((one) => one.faults.map((fault) => `- **${one.contestant.name}**: ${fault}`))
  const generator = `The load generator used at most ${Math.round(busiest * 100)}% of one core${busiest > saturated ? ': **it may have been the bottleneck**' : ''}.`
  if (faults.length > 0) return `${faults.join('\n')}\n\n${generator}`
  return `All ${number(total)} answers had the right status and length. In every store each answered call is one settled charge under its own
Idempotency-Key, the credits left are those bought less 3 for each, nothing is reserved, and reconcile finds no difference.
${generator}`
}

/** Share of one core. A busier generator would measure itself as much as the servers. */
const saturated = 0.9

const generatorShare = ({ generatorCpuSeconds, seconds }: Sample) => (generatorCpuSeconds ?? 0) / seconds

const at = ({ samples }: Measured, level: number) => samples.filter(({ connections }) => connections === level)
