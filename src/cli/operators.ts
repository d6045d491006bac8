import { type Command, InvalidArgumentError } from 'commander'
import { isoOf } from '../base/time.ts'
import { publicOperator } from '../features/operators/access/handlers.ts'
import { listOperators } from '../features/operators/access/operators.ts'
import type { OperatorRow } from '../features/operators/access/store.ts'
import { listAudit, type NotedEntry, verifyAudit } from '../features/operators/audit/audit-log.ts'
import { publicAuditEntry } from '../features/operators/audit/handlers.ts'
import { createAdministrationStore } from '../features/operators/store.ts'
import type { OpenedEngine } from '../storage/open-store.ts'
import { addListOptions, type CommandLine, type ListOptions, noteMore } from './acting.ts'
import { table } from './terminal.ts'
import { addAuditProof } from './transparency.ts'

const storeOn = (engine: OpenedEngine) => ({ store: createAdministrationStore(engine) })

export function addOperators(program: Command, line: CommandLine): void {
  const { terminal } = line
  program
    .command('operators')
    .description('who can use the operator console')
    .command('list')
    .description('list the operators')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const items = (await line.withStore((engine) => listOperators(storeOn(engine)))).map(listed)
      if (json) return terminal.printJson({ items })
      const names = ['name', 'role', 'state', 'created']
      await terminal.printTable(names, items.map(Object.values), 'There are no operators yet.\n')
    })
}

function listed(row: OperatorRow) {
  const { name, role, state, createdAt } = publicOperator(row)
  return { name, role, state, createdAt }
}

export function addAudit(program: Command, line: CommandLine): void {
  const audit = program.command('audit').description('what operators did, and whether the record is intact')
  addAuditList(audit, line)
  addVerify(audit, line)
  addAuditProof(audit, line)
}

function addAuditList(audit: Command, line: CommandLine): void {
  const { terminal } = line
  const command = audit.command('list').description('list the entries, oldest first')
  addListOptions(command, 100, 'id', 'entry').action(async ({ limit, after, json }: ListOptions) => {
    const { rows, next } = await line.withStore((engine) => listAudit(storeOn(engine), { limit, after }))
    if (json) return terminal.printJson({ items: rows.map(publicAuditEntry), nextAfter: next })
    await terminal.printTable(
      ['time', 'by', 'via', 'action', 'object', 'reason', 'before', 'after'],
      rows.map(({ at, by, via, action, object, reason, before, after: since }) => [
        isoOf(at),
        by,
        via,
        action,
        object,
        reason,
        before,
        since,
      ]),
      'There are no entries.\n',
    )
    noteMore(terminal, next)
  })
}

function addVerify(audit: Command, line: CommandLine): void {
  const { terminal } = line
  audit
    .command('verify')
    .description('rehash the whole audit log and compare it with the books; exit code 1 if anything differs')
    .option('--contains <seq:hash>', 'an entry that was noted down and must still be there; repeatable', notedEntry, [])
    .option('--json', 'print JSON')
    .action(async ({ contains, json }: { contains: NotedEntry[]; json?: true }) => {
      const report = await line.withStore((engine) => verifyAudit(storeOn(engine), contains))
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
  throw new InvalidArgumentError('Enter the number and hash of an entry, as audit verify prints them.')
}
