import type { Command } from 'commander'
import {
  forkTransparency,
  proveAuditDay,
  resumeTransparency,
  rotateReceiptKey,
} from '../features/records/transparency/operator.ts'
import { keptCheckpointFile, readKept } from '../features/records/transparency/publisher.ts'
import { readKeyring } from '../ops/secrets.ts'
import { addAction, type CommandLine } from './acting.ts'
import { parseDay } from './terminal.ts'

export function addReceipts(program: Command, line: CommandLine): void {
  const receipts = program.command('receipts').description('the key that signs receipts and checkpoints')
  addAction(
    receipts
      .command('rotate-key')
      .description('sign with a new key; the old one stays public')
      .option('--leaked [kid]', 'the old key, or an older one, has leaked: revoke it, and with it all that it signed'),
    line,
    async (engine, actor, reason, options) => {
      const config = line.config()
      const { overlapHours } = config.receipts
      const deps = { engine, clock: line.clock, readKeyring: () => readKeyring(config) }
      return {
        ...(await rotateReceiptKey(deps, actor, { reason, overlapHours, leaked: leakedOf(options) })),
        overlapHours,
      }
    },
    ({ before, after, revoked, overlapHours }) =>
      [
        `${after} signs from now on.`,
        ...(revoked === before ? [] : [`${before} also signs checkpoints for another ${overlapHours} hours.`]),
        ...(revoked === null ? [] : [`${revoked} is revoked.`]),
      ].join(' '),
  )
}

const leakedOf = ({ leaked }: { leaked?: unknown }): string | true | undefined =>
  leaked === true || typeof leaked === 'string' ? leaked : undefined

export function addTransparency(program: Command, line: CommandLine): void {
  const transparency = program.command('transparency').description('the public log of the ledger')
  const description = 'announce that the log does not continue what was published, and start a new one'
  addAction(
    transparency.command('fork').description(description),
    line,
    (engine, actor, reason) => {
      const kept = readKept(keptCheckpointFile(line.config().dataDir))
      return forkTransparency({ engine, clock: line.clock }, actor, { reason, kept })
    },
    ({ before, after, checkpoints }) =>
      `Log ${after} has started. What was published of log ${before} (checkpoints: ${checkpoints.length}) stays at /transparency/forks/${before}.`,
  )
  addAction(
    transparency
      .command('resume')
      .description(
        'sign after a change of the database server, although not every instance has checked its checkpoint',
      ),
    line,
    (engine, actor, reason) => resumeTransparency({ engine, clock: line.clock }, actor, { reason }),
    ({ waived }) => `No longer waiting for ${waived.map(({ host }) => host).join(', ')}.`,
  )
}

/** A command of `audit`. */
export function addAuditProof(audit: Command, line: CommandLine): void {
  audit
    .command('proof')
    .description('show where the last audit log entry of a day is in the public tree')
    .requiredOption('--day <day>', 'such as 2026-09-03, Beijing time', parseDay)
    .option('--json', 'print JSON')
    .action(async ({ day, json }: { day: string; json?: true }) => {
      const found = await line.withStore((engine) => proveAuditDay({ engine }, day))
      if (json) return line.terminal.printJson(found)
      const { count, hash } = found.entry
      await line.terminal.print(
        `On ${day} the audit log had ${count} entries, the last ${hash || 'none'}: leaf ${found.index} of\n${found.checkpoint}`,
      )
    })
}
