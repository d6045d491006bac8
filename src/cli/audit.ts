import { type Command, InvalidArgumentError } from 'commander'
import type { NotedEntry } from '../features/operators/administration/audit-log.ts'
import type { AuditEntry } from '../ledger/audit.ts'
import { type AdministrationCommandDeps, table, wholeNumber } from './terminal.ts'

const maxListed = 1000

export function addAudit(program: Command, deps: AdministrationCommandDeps): void {
  const audit = program.command('audit').description('what operators did, and whether the record is intact')
  addList(audit, deps)
  addVerify(audit, deps)
}

interface AuditListOptions {
  readonly limit: number
  readonly after?: string
  readonly json?: true
}

function addList(audit: Command, { withAdministration, terminal }: AdministrationCommandDeps): void {
  audit
    .command('list')
    .description('list the entries, oldest first')
    .option('--limit <count>', `how many, at most ${maxListed}`, wholeNumber(1, maxListed), 100)
    .option('--after <id>', 'continue after this entry')
    .option('--json', 'print JSON')
    .action(async ({ limit, after, json }: AuditListOptions) => {
      const { entries, nextAfter } = await withAdministration((operate) => operate.listAudit({ limit, after }))
      if (json) return terminal.printJson({ items: entries.map(publicEntry), nextAfter })
      if (entries.length === 0) return terminal.print('There is no entry.\n')
      await terminal.print(
        table(
          ['time', 'by', 'via', 'action', 'object', 'reason', 'before', 'after'],
          entries.map((entry) => [
            new Date(entry.at).toISOString(),
            entry.by,
            entry.via,
            entry.action,
            entry.object,
            entry.reason,
            entry.before,
            entry.after,
          ]),
        ),
      )
      if (nextAfter) terminal.note(`There are more: add --after ${nextAfter}`)
    })
}

const publicEntry = ({ auditId, at, by, via, action, object, reason, before, after, seq, hash }: AuditEntry) => ({
  id: auditId,
  at: new Date(at).toISOString(),
  by,
  via,
  action,
  object,
  reason,
  before: before === null ? null : JSON.parse(before),
  after: after === null ? null : JSON.parse(after),
  seq,
  hash,
})

function addVerify(audit: Command, { withAdministration, terminal }: AdministrationCommandDeps): void {
  audit
    .command('verify')
    .description('hash the whole audit log again and compare it with the books; exit code 1 when anything differs')
    .option('--contains <seq:hash>', 'an entry that was noted down and must still be there; repeatable', notedEntry, [])
    .option('--json', 'print JSON')
    .action(async ({ contains, json }: { contains: NotedEntry[]; json?: true }) => {
      const report = await withAdministration((operate) => operate.verifyAudit(contains))
      if (!report.isSound) terminal.finish(1)
      if (json) return terminal.printJson(report)
      const { entries, lastHash, faults, faultCount } = report
      if (report.isSound) {
        const last = lastHash && `, the last is ${entries}:${lastHash}. Note it down elsewhere; --contains checks it`
        return terminal.print(`The audit log is intact: ${entries} entries${last}.\n`)
      }
      const rows = faults.map(({ at, what, expected, found }) => [at, what, String(expected), String(found)])
      await terminal.print(
        `${table(['at', 'what', 'expected', 'found'], rows)}\n${faultCount} faults in ${entries} entries.\n`,
      )
    })
}

function notedEntry(text: string, earlier: readonly NotedEntry[]): NotedEntry[] {
  const [, seq, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? []
  if (seq && hash) return [...earlier, { seq: Number(seq), hash }]
  throw new InvalidArgumentError('Give the number and the hash of an entry, as audit verify prints them.')
}
