import type { Command } from 'commander'
import type { ArchiveResult, Archiver } from '../features/archives/archiver.ts'
import { refusalText } from '../features/archives/archiver.ts'
import { CommandFailure, Misuse, type Terminal, table } from './terminal.ts'

export interface ArchiveDeps {
  /** Null if `charges.retentionDays` is not set. */
  readonly withArchiver: <T>(work: (archiver: Archiver | null) => Promise<T>) => Promise<T>
  readonly terminal: Terminal
}

interface ArchiveFlags {
  readonly dryRun?: true
  readonly json?: true
}

export function addArchive(program: Command, { withArchiver, terminal }: ArchiveDeps): void {
  program
    .command('archive')
    .description('move charges and ledger entries that are older than charges.retentionDays to archive files')
    .option('--dry-run', 'only say what would be moved')
    .option('--json', 'print JSON')
    .action(async ({ dryRun, json }: ArchiveFlags) => {
      const result = await withArchiver((archiver) => {
        if (!archiver) throw new Misuse('charges.retentionDays is not set, so nothing is ever archived')
        return dryRun ? archiver.plan() : archiver.run()
      })
      if (result.refusal) throw new CommandFailure(refusalText(result.refusal))
      if (json) return terminal.printJson(toJson(result))
      await terminal.print(formatResult(result, dryRun === true))
    })
}

const toJson = ({ refusal: _, ...result }: ArchiveResult) => result

function formatResult({ projects, charges, entries, heldUp }: ArchiveResult, isDryRun: boolean): string {
  const moved = `${charges} charges and ${entries} ledger entries of ${projects} projects`
  const first = isDryRun ? `Would move ${moved}.\n` : `Moved ${moved} to archive files.\n`
  if (heldUp.length === 0) return first
  const rows = heldUp.map(({ projectId, because, seq, chargeId }) => [projectId, because, seq, chargeId])
  return `${first}These ledgers cannot be archived further:\n${table(['project', 'because of', 'entry', 'charge'], rows)}`
}
