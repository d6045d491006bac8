import type { Command } from 'commander'
import type { Engine } from '../../storage/engine.ts'
import { type Report, reconcile } from '../reconcile.ts'
import { table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export interface ReconcileDeps {
  readonly withStore: <T>(work: (engine: Engine) => Promise<T>) => Promise<T>
  readonly terminal: Terminal
  readonly clock: () => number
  /** How long stored responses are kept. */
  readonly resultDays: () => number
}

const dayMs = 86_400_000

export function addReconcile(program: Command, { withStore, terminal, clock, resultDays }: ReconcileDeps): void {
  program
    .command('reconcile')
    .description('recompute the books from their rows; exit code 1 when anything differs')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const onProgress = terminal.drawProgress
      const report = await withStore((engine) =>
        reconcile(engine, {
          resultsKeptSince: clock() - resultDays() * dayMs,
          ...(onProgress && { onProgress }),
        }),
      )
      if (!report.isSound) terminal.finish(1)
      return json ? terminal.printJson(report) : terminal.print(formatReport(report))
    })
}

function formatReport({ isSound, size, differences, differenceCount }: Report): string {
  const { projects, charges, orders, entries } = size
  const read = `${projects} projects, ${charges} charges, ${orders} orders, ${entries} entries`
  if (isSound) return `The books are sound: ${read}.\n`
  const rows = differences.map(({ invariant, projectId, at, what, expected, found }) => [
    invariant,
    projectId,
    at,
    what,
    String(expected),
    String(found),
  ])
  const more = differenceCount > differences.length ? `, of which the first ${differences.length} are listed` : ''
  return `${table(['rule', 'project', 'at', 'what', 'expected', 'found'], rows)}\n${differenceCount} differences${more}, in ${read}.\n`
}
