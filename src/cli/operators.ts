import { type Command, InvalidArgumentError, Option } from 'commander'
import { isoOf } from '../base/time.ts'
import { publicOperator } from '../features/operators/access/handlers.ts'
import type { FirstCredentials } from '../features/operators/access/operators.ts'
import type { OperatorRow } from '../features/operators/access/store.ts'
import type { NotedEntry } from '../features/operators/audit/audit-log.ts'
import { publicAuditEntry } from '../features/operators/audit/handlers.ts'
import { ownReasons } from '../operator-kit/own-reasons.ts'
import { type OperatorRole, operatorRoles } from '../operator-kit/roles.ts'
import {
  addListOptions,
  addOptionalReason,
  type CommandLine,
  type ListOptions,
  noteMore,
  onAction,
  withAdministration,
} from './acting.ts'
import { table } from './terminal.ts'
import { addAuditProof } from './transparency.ts'

const noReason = ownReasons.none

interface OptionalReason {
  readonly reason?: string
}

export function addOperators(program: Command, line: CommandLine): void {
  const operators = program.command('operators').description('who can use the operator console')
  const command = (usage: string, description: string) =>
    addOptionalReason(operators.command(usage).description(description))
  const roles = new Option('--role <role>', 'what they are allowed to do').choices(operatorRoles).makeOptionMandatory()
  onAction<OptionalReason & { readonly role: OperatorRole }>(
    command('add <name>', 'add an operator and print a first password').addOption(roles),
    line,
    async (operate, { actor, role, reason = noReason }, name) =>
      firstCredentials(await operate.addOperator(actor, { name: name!, role, reason })),
  )
  addOperatorList(operators, line)
  onAction<OptionalReason>(
    command('disable <name>', 'end their sessions and refuse every sign-in'),
    line,
    async (operate, { actor, reason = noReason }, name) => {
      const operator = await operate.disableOperator(actor, { name: name!, reason })
      return { json: listed(operator), text: `${operator.name} is disabled.\n` }
    },
  )
  onAction<OptionalReason>(
    command('reset <name>', 'print a new first password, and enable the operator again'),
    line,
    async (operate, { actor, reason = noReason }, name) =>
      firstCredentials(await operate.resetOperator(actor, { name: name!, reason })),
  )
  const decide = (name: 'approve' | 'reject', description: string) =>
    onAction<OptionalReason>(
      command(`${name} <name>`, description),
      line,
      async (operate, { actor, reason }, operatorName) => {
        const shown = listed(await operate[`${name}Operator`](actor, { name: operatorName!, reason }))
        return { json: shown, text: `${shown.name} is ${shown.state}.\n` }
      },
    )
  decide('approve', 'let a new or reset operator sign in')
  decide('reject', 'disable an operator who is waiting for approval')
}

function addOperatorList(operators: Command, line: CommandLine): void {
  const { terminal } = line
  operators
    .command('list')
    .description('list the operators')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const items = (await withAdministration(line, (operate) => operate.listOperators())).map(listed)
      if (json) return terminal.printJson({ items })
      const names = ['name', 'role', 'state', 'created']
      await terminal.printTable(names, items.map(Object.values), 'There are no operators yet.\n')
    })
}

function listed(row: OperatorRow) {
  const { name, role, state, createdAt } = publicOperator(row)
  return { name, role, state, createdAt }
}

function firstCredentials(first: FirstCredentials) {
  const { name, role, password, totpUri } = first
  const text = `${name} can sign in as ${role}. This is shown only once:\n\npassword  ${password}\ntotp      ${totpUri}\n`
  return { json: first, text }
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
    const { rows, next } = await withAdministration(line, (operate) => operate.listAudit({ limit, after }))
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
      const report = await withAdministration(line, (operate) => operate.verifyAudit(contains))
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
