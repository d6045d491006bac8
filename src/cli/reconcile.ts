import type { Command } from 'commander'
import { dayMs } from '../base/time.ts'
import type { ArchiveFiles } from '../features/archives/page.ts'
import { type Report, reconcile } from '../reconcile/reconcile.ts'
import type { Engine } from '../storage/engine.ts'
import { type Terminal, table } from './terminal.ts'

export interface ReconcileDeps {
  readonly withStore: <T>(work: (engine: Engine) => Promise<T>) => Promise<T>
  readonly terminal: Terminal
  readonly clock: () => number
  /** How long stored responses are kept. */
  readonly resultDays: () => number
  readonly archives: () => ArchiveFiles
}

export function addReconcile(
  program: Command,
  { withStore, terminal, clock, resultDays, archives }: ReconcileDeps,
): void {
  program
    .command('reconcile')
    .description('recompute the books from their rows; exit code 1 when anything differs')
    .option('--without-archives', 'do not read the archive files, such as where they are on another machine')
    .option('--json', 'print JSON')
    .action(async ({ json, withoutArchives }: { json?: true; withoutArchives?: true }) => {
      const onProgress = terminal.drawProgress
      const report = await withStore((engine) =>
        reconcile(engine, {
          resultsKeptSince: clock() - resultDays() * dayMs,
          ...(!withoutArchives && { archives: archives() }),
          ...(onProgress && { onProgress }),
        }),
      )
      if (!report.isSound) terminal.finish(1)
      return json ? terminal.printJson(report) : terminal.print(formatReport(report, withoutArchives === true))
    })
}

function formatReport(
  { isSound, size, archives, differences, differenceCount }: Report,
  withoutArchives: boolean,
): string {
  const { projects, charges, orders, entries } = size
  const read = `${projects} projects, ${charges} charges, ${orders} orders, ${entries} entries`
  const files = formatArchives(archives, withoutArchives)
  if (isSound) return `The books are sound: ${read}.\n${files}`
  const rows = differences.map(({ invariant, projectId, at, what, expected, found }) => [
    invariant,
    projectId,
    at,
    what,
    String(expected),
    String(found),
  ])
  const more = differenceCount > differences.length ? `, of which the first ${differences.length} are listed` : ''
  return `${table(['rule', 'project', 'at', 'what', 'expected', 'found'], rows)}\n${differenceCount} differences${more}, in ${read}.\n${files}`
}

function formatArchives({ files, missing, entries }: Report['archives'], withoutArchives: boolean): string {
  if (files === 0) return ''
  if (withoutArchives) return `${files} archive files were not read.\n`
  if (missing.length === 0) return `${files} archive files, ${entries} archived entries.\n`
  return `${missing.length} of ${files} archive files were not found. Copy them to the data directory, or leave them out with --without-archives.\n`
}
