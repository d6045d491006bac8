import { type Command, InvalidArgumentError } from 'commander'
import { keptCheckpointFile, readKept } from '../features/records/transparency/publisher.ts'
import { addActionOptions, type CommandLine, onAction, withAdministration } from './acting.ts'

export function addReceipts(program: Command, line: CommandLine): void {
  const receipts = program.command('receipts').description('the key that signs receipts and checkpoints')
  onAction(
    addActionOptions(receipts.command('rotate-key').description('sign with a new key; the old one stays public')),
    line,
    async (operate, { actor, reason }) => {
      const { overlapHours } = line.config().receipts
      const { before, after } = await operate.rotateReceiptKey(actor, { reason, overlapHours })
      return {
        json: { before, after, overlapHours },
        text: `${after} signs from now on. ${before} also signs checkpoints for another ${overlapHours} hours.\n`,
      }
    },
  )
}

export function addTransparency(program: Command, line: CommandLine): void {
  const transparency = program.command('transparency').description('the public log of the ledger')
  onAction(
    addActionOptions(
      transparency
        .command('fork')
        .description('announce that the log does not continue what was published, and start a new one'),
    ),
    line,
    async (operate, { actor, reason }) => {
      const kept = readKept(keptCheckpointFile(line.config().dataDir))
      const fork = await operate.forkTransparency(actor, { reason, kept })
      return {
        json: fork,
        text: `Log ${fork.after} has started. The last checkpoint of log ${fork.before} stays at /transparency/forks/${fork.before}.\n`,
      }
    },
  )
}

/** A command of `audit`. */
export function addAuditProof(audit: Command, line: CommandLine): void {
  audit
    .command('proof')
    .description('show where the last audit log entry of a day is in the public tree')
    .requiredOption('--day <day>', 'such as 2026-09-03, Beijing time', dayIn)
    .option('--json', 'print JSON')
    .action(async ({ day, json }: { day: string; json?: true }) => {
      const found = await withAdministration(line, (operate) => operate.proveAuditDay(day))
      if (json) return line.terminal.printJson(found)
      const { count, hash } = found.entry
      await line.terminal.print(
        `On ${day} the audit log had ${count} entries, the last ${hash || 'none'}: leaf ${found.index} of\n${found.checkpoint}`,
      )
    })
}

function dayIn(text: string): string {
  if (/^20\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(text)) return text
  throw new InvalidArgumentError('Enter a day as YYYY-MM-DD.')
}
