import { atLeast, below, type Goal } from '../goals.ts'
import type { Measured } from '../measure.ts'
import type { Options } from '../options.ts'
import type { Finding } from '../scale/by-size.ts'
import type { InstancesResult } from '../scale/instances.ts'
import type { EngineName } from '../scale/site.ts'
import { median, medianOf, pairedRatio, spread } from '../statistics.ts'
import { barChart } from './bar-chart.ts'
import { instancesSection } from './instances-report.ts'
import { isBusy, type Machine, machineLines } from './machine.ts'
import { fixed, number, table, verdict } from './table.ts'

export interface ScaleRun {
  readonly findings: readonly Finding[]
  /** Further calls of the first gateway. */
  readonly longRun: Measured
  readonly instances: readonly InstancesResult[]
  readonly instanceFaults: readonly string[]
  readonly machine: Machine
  readonly options: Options
}

/** The whole run as one page. */
export function scaleReport(run: ScaleRun, notes: readonly string[]): string {
  const { rounds, seconds, projects } = run.options
  return `# Speed by size

Written by \`npm run bench:scale\`. Billable calls with the local adapter at 64 connections, spread over ${number(projects)} projects. Every
figure is the median of ${rounds} interleaved round${rounds === 1 ? '' : 's'} of ${seconds} s, one engine after the other; the percentage is how far the
rounds lie apart.

${[...machineLines(run.machine), ...notes.map((line) => `- ${line}`)].join('\n')}

## Goals

${scaleSummary(run)}

## By the number of stored charges

Start-up is the time from the start of the process to its first answer, the median of three starts. Memory is resident.

${sizeTable(run)}

![Throughput by stored charges](scale.svg)

## A long run

${longRunLine(run)}

## One project that takes all calls

${hotTable(run)}

${instancesSection(run.instances)}

## Checks

${checks(run)}
`
}

export const scaleSummary = (run: ScaleRun): string =>
  table(
    ['goal', 'target', 'measured', ''],
    goals(run).map(({ text, target, measured, isMet }) => [text, target, fixed(measured, 2), verdict(isMet)]),
  )

export function scaleChart({ findings, machine }: ScaleRun): string {
  const colors: Record<EngineName, string> = { SQLite: '#2f81f7', PostgreSQL: '#a371f7' }
  return barChart({
    title: 'Billable calls a second at 64 connections, by charges stored',
    subtitle: `${machine.cpu}, ${machine.date} UTC${isBusy(machine) ? '; others were at work' : ''}`,
    legend: Object.entries(colors).map(([label, color]) => ({ label, color })),
    bars: bySize(findings).map(({ site, measured }) => {
      const speed = median(speeds(measured))
      return {
        label: `${site.engine}, ${number(site.size.charges)} charges`,
        value: speed,
        text: number(speed),
        color: colors[site.engine],
      }
    }),
  })
}

function goals({ findings, longRun, options }: ScaleRun): Goal[] {
  const engines: EngineName[] = ['SQLite', 'PostgreSQL']
  const share = engines.map((engine) => {
    const sizes = bySize(findings).filter(({ site }) => site.engine === engine)
    const [least, most] = [sizes.at(0)!, sizes.at(-1)!]
    const charges = number(most.site.size.charges)
    const ratio = pairedRatio(speeds(most.measured), speeds(least.measured))
    return atLeast(`throughput with ${charges} charges, of that with none, ${engine}`, 0.9, ratio)
  })
  const starts = findings.map(({ site }) => site.startedInMs / 1000)
  const memory = memoryOf(longRun).filter((value) => value !== null)
  return [
    ...share,
    below('start-up in seconds, the slowest', 2, Math.max(...starts)),
    below(
      `resident memory in MB after ${number(options.longRunCalls)} calls, the most on the way`,
      250,
      memory.length > 0 ? Math.max(...memory) : null,
    ),
  ]
}

const sizeTable = ({ findings }: ScaleRun) =>
  table(
    [
      '',
      'charges',
      'calls a second',
      'of none',
      'p50 ms',
      'p99 ms',
      'start-up s',
      'memory at start MB',
      'after',
      'calls',
    ],
    bySize(findings).map(({ site, measured: many }) => {
      const none = firstOf(findings, site.engine).measured
      return [
        site.engine,
        number(site.size.charges),
        `${number(median(speeds(many)))} ±${Math.round(spread(speeds(many)) * 50)}%`,
        fixed(pairedRatio(speeds(many), speeds(none)), 2),
        median(many.samples.map(({ p50Ms }) => p50Ms)).toFixed(1),
        median(many.samples.map(({ p99Ms }) => p99Ms)).toFixed(1),
        (site.startedInMs / 1000).toFixed(2),
        fixed(site.idleMb, 0),
        fixed(medianOf(memoryOf(many).slice(-1)), 0),
        number(many.tally.answered),
      ]
    }),
  )

/** A long run of the gateway and store in the first line of the table. */
function longRunLine({ longRun, options }: ScaleRun): string {
  const memory = memoryOf(longRun).filter((value) => value !== null)
  const [first, last] = [longRun.samples.at(0), longRun.samples.at(-1)].map((sample) => sample?.callsPerSecond ?? 0)
  return `The first gateway of that table went on until it had answered ${number(options.longRunCalls)} calls: ${number(first!)} a second at first, ${number(last!)}
at the end. Its resident memory, looked at every 20 s, was ${fixed(Math.min(...memory), 0)} to ${fixed(Math.max(...memory), 0)} MB, ${fixed(memory.at(-1) ?? null, 0)} at the end.`
}

const hotTable = ({ findings }: ScaleRun) =>
  table(
    ['', 'many projects, calls a second', 'one project', 'of many', 'p99 ms, many', 'p99 ms, one'],
    findings
      .filter(({ traffic }) => traffic === 'hot')
      .map(({ site, measured: hot }) => {
        const many = firstOf(findings, site.engine).measured
        return [
          site.engine,
          number(median(speeds(many))),
          number(median(speeds(hot))),
          fixed(pairedRatio(speeds(hot), speeds(many)), 2),
          ...[many, hot].map(({ samples }) => median(samples.map(({ p99Ms }) => p99Ms)).toFixed(1)),
        ]
      }),
  )

function checks({ findings, longRun, instanceFaults }: ScaleRun): string {
  const faults = [
    ...longRun.faults.map((fault) => `long run: ${fault}`),
    ...findings.flatMap(({ measured }) => measured.faults.map((fault) => `${measured.contestant.name}: ${fault}`)),
    ...instanceFaults,
  ]
  if (faults.length > 0) return faults.map((fault) => `- **wrong** ${fault}`).join('\n')
  return `No call was refused. In every store each answered call is one settled charge, the credits left are those bought less 3 for
each, nothing is reserved, and reconcile finds no difference, in the rows stored beforehand neither.`
}

const bySize = (findings: readonly Finding[]) => findings.filter(({ traffic }) => traffic === 'many')
/** The smallest store of an engine. */
const firstOf = (findings: readonly Finding[], engine: EngineName) =>
  bySize(findings).find(({ site }) => site.engine === engine)!

const speeds = ({ samples }: Measured) => samples.map(({ callsPerSecond }) => callsPerSecond)
const memoryOf = ({ samples }: Measured) => samples.map(({ residentMb }) => residentMb)
