import { type Machine, machineLines } from '../report/machine.ts'
import { table } from '../report/table.ts'
import { type Load, throttling } from './measure-load.ts'
import { type BenchedPage, middle } from './pages.ts'

export interface PageResult {
  readonly page: BenchedPage
  readonly loads: readonly Load[]
}

interface Run {
  readonly results: readonly PageResult[]
  readonly rounds: number
  readonly machine: Machine
}

const shown: Record<keyof Load, (value: number) => string> = {
  firstPaintMs: (ms) => (ms / 1000).toFixed(1),
  readyMs: (ms) => (ms / 1000).toFixed(1),
  layoutShift: (shift) => shift.toFixed(3),
  blockedMs: (ms) => (ms / 1000).toFixed(2),
  bytes: (bytes) => Math.round(bytes / 1000).toString(),
  requests: (count) => count.toFixed(0),
}
const names = Object.keys(shown) as (keyof Load)[]
const heads = ['page', 'first paint s', 'ready s', 'layout shift', 'blocked s', 'transfer KB', 'requests']

export function consoleReport(run: Run): string {
  const { results, rounds } = run
  const { latencyMs, downKbps, cpuSlowdown } = throttling
  return `# How fast the pages open

Written by \`npm run bench:console\`. Each page is opened with an empty cache on a phone's screen, over a slow 4G network
(${latencyMs} ms a request, ${downKbps} kbit/s) with the processor slowed down ${cpuSlowdown} times: the values that Lighthouse applies. The project has
twenty days of calls. Every figure is the median of ${rounds} visits; bold misses its goal.

Goals of the console: first paint ${goals(results, '/console')}.
Goals of the public pages: first paint ${goals(results, '/pricing')}.
Goals of the docs page: first paint ${goals(results, '/docs')}.

${consoleFigures(run)}

Ready: the heading stands and nothing is loading any more. Blocked: the time beyond 50 ms of each task after the first
paint. Transfer: everything that was asked for until then, compressed and with headers.
`
}

/** The machine and the table, which docs/performance.md shows too. */
export function consoleFigures({ results, machine }: Run): string {
  const rows = results.map(({ page, loads }) => [page.path, ...names.map((name) => cell(page, loads, name))])
  return `${machineLines(machine).join('\n')}\n\n${table(heads, rows)}`
}

function cell({ goals }: BenchedPage, loads: readonly Load[], name: keyof Load): string {
  const value = middle(loads, name)
  const text = shown[name](value)
  return value > (goals[name] ?? Number.POSITIVE_INFINITY) ? `**${text}**` : text
}

function goals(results: readonly PageResult[], prefix: string): string {
  const found = results.find(({ page }) => page.path.startsWith(prefix))
  if (!found) return 'not measured'
  const { firstPaintMs, readyMs, layoutShift, blockedMs, bytes } = found.page.goals as Load
  return `under ${firstPaintMs / 1000} s, ready under ${readyMs / 1000} s, layout shift under ${layoutShift}, blocked under ${blockedMs / 1000} s, transfer under ${bytes / 1000} KB`
}
