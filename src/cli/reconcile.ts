import type { Command } from 'commander'
import { dayMs } from '../base/time.ts'
import { archivesOf } from '../features/records/archives/feature.ts'
import { type Report, reconcile } from '../features/records/reconcile/reconcile.ts'
import { keptCheckpointFile, readKept } from '../features/records/transparency/publisher.ts'
import { type CommandLine, longRead } from './acting.ts'
import { table } from './terminal.ts'

export function addReconcile(program: Command, { withStore, config, terminal, clock }: CommandLine): void {
  program
    .command('reconcile')
    .description('recompute the books from their rows; exit code 1 if anything differs')
    .option('--without-archives', 'do not read the archive files, for example because they are on another machine')
    .option('--backup', 'the store is a backup, so checkpoints kept in the data directory may be newer')
    .option('--json', 'print JSON')
    .action(async ({ json, withoutArchives, backup }: { json?: true; withoutArchives?: true; backup?: true }) => {
      const onProgress = terminal.drawProgress
      const report = await withStore(
        (engine) =>
          reconcile(engine, {
            resultsKeptSince: clock() - config().charges.resultDays * dayMs,
            kept: backup ? null : readKept(keptCheckpointFile(config().dataDir)),
            ...(!withoutArchives && { archives: archivesOf(config()) }),
            ...(onProgress && { onProgress }),
          }),
        longRead,
      )
      if (!report.isSound) terminal.finish(1)
      return json ? terminal.printJson(report) : terminal.print(formatReport(report, withoutArchives === true))
    })
}

function formatReport({ isSound, size, archives, differences, differenceCount }: Report, withoutArchives: boolean) {
  const { projects, charges, orders, entries } = size
  const read = `${projects} projects, ${charges} charges, ${orders} orders, ${entries} entries`
  const files = formatArchives(archives, withoutArchives)
  if (isSound) return `The books balance: ${read}.\n${files}`
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
