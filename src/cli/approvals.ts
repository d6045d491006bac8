import { type Command, Option } from 'commander'
import { isoOrNull } from '../base/time.ts'
import type { ApprovalRow } from '../features/operators/administration/ports.ts'
import { type AdministrationCommandDeps, actorOf, addOptionalReason, table, wholeNumber } from './terminal.ts'

const maxListed = 1000
const states = ['pending', 'approved', 'rejected', 'all'] as const

export function addApprovals(program: Command, deps: AdministrationCommandDeps): void {
  const approvals = program.command('approvals').description('grants and withdrawals that wait for a second operator')
  addList(approvals, deps)
  addDecision(approvals, deps, 'approve', 'carry it out')
  addDecision(approvals, deps, 'reject', 'end it without effect')
}

interface ApprovalListOptions {
  readonly state: (typeof states)[number]
  readonly limit: number
  readonly after?: string
  readonly json?: true
}

function addList(approvals: Command, { withAdministration, terminal }: AdministrationCommandDeps): void {
  approvals
    .command('list')
    .description('list them, oldest first')
    .addOption(new Option('--state <state>', 'which').choices(states).default('pending'))
    .option('--limit <count>', `how many, at most ${maxListed}`, wholeNumber(1, maxListed), 50)
    .option('--after <id>', 'continue after this one')
    .option('--json', 'print JSON')
    .action(async ({ state, limit, after = '', json }: ApprovalListOptions) => {
      const wanted = state === 'all' ? null : state
      const page = await withAdministration((operate) => operate.listApprovals({ state: wanted, after, limit }))
      const items = page.rows.map(publicApproval)
      if (json) return terminal.printJson({ items, nextAfter: page.next })
      if (items.length === 0) return terminal.print('Nothing is waiting for an approval.\n')
      await terminal.print(
        table(
          Object.keys(items[0]!),
          items.map((item) => Object.values(item)),
        ),
      )
      if (page.next) terminal.note(`There are more: add --after ${page.next}`)
    })
}

interface DecideOptions {
  readonly reason?: string
  readonly by?: string
  readonly json?: true
}

function addDecision(
  approvals: Command,
  { withAdministration, terminal, userName }: AdministrationCommandDeps,
  name: 'approve' | 'reject',
  description: string,
): void {
  addOptionalReason(approvals.command(`${name} <id>`).description(description)).action(
    async (approvalId: string, { reason, by = userName(), json }: DecideOptions) => {
      const decision = { approvalId, reason }
      const state = name === 'approve' ? 'approved' : 'rejected'
      const result = await withAdministration(async (operate) =>
        name === 'approve'
          ? operate.approve(actorOf(by), decision)
          : void (await operate.reject(actorOf(by), decision)),
      )
      if (json) return terminal.printJson({ approval: { id: approvalId, state }, ...result })
      await terminal.print(`${approvalId} is ${state}.\n`)
    },
  )
}

const publicApproval = (row: ApprovalRow) => ({
  id: row.approvalId,
  state: row.state,
  kind: row.kind,
  projectId: row.projectId,
  credits: row.amount,
  reference: row.reference,
  reason: row.reason,
  requestedBy: row.requestedBy,
  requestedAt: new Date(row.requestedAt).toISOString(),
  decidedBy: row.decidedBy,
  decidedAt: isoOrNull(row.decidedAt),
})
