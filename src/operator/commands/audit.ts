import type { Command } from 'commander'
import type { AuditEntry } from '../../audit/audit-entry.ts'
import { table } from '../table.ts'
import type { AdministrationCommandDeps } from './administration-deps.ts'
import { wholeNumber } from './arguments.ts'

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

const publicEntry = ({ auditId, at, by, via, action, object, reason, before, after }: AuditEntry) => ({
  id: auditId,
  at: new Date(at).toISOString(),
  by,
  via,
  action,
  object,
  reason,
  before: before === null ? null : JSON.parse(before),
  after: after === null ? null : JSON.parse(after),
})

function addVerify(audit: Command, { withAdministration, terminal }: AdministrationCommandDeps): void {
  audit
    .command('verify')
    .description('hash the whole audit log again; exit code 1 when anything differs')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const report = await withAdministration((operate) => operate.verifyAudit())
      if (!report.isSound) terminal.finish(1)
      if (json) return terminal.printJson(report)
      const { entries, lastHash, faults, faultCount } = report
      if (report.isSound) {
        return terminal.print(`The audit log is intact: ${entries} entries${lastHash && `, last hash ${lastHash}`}.\n`)
      }
      const rows = faults.map(({ at, what, expected, found }) => [at, what, String(expected), String(found)])
      await terminal.print(
        `${table(['at', 'what', 'expected', 'found'], rows)}\n${faultCount} faults in ${entries} entries.\n`,
      )
    })
}
