import { type Command, Option } from 'commander'
import { isoOf } from '../base/time.ts'
import { listReviews } from '../features/calls/reviews/reviews.ts'
import { createReviewStore } from '../features/calls/reviews/store.ts'
import { listApprovals, publicApproval } from '../features/operators/approvals/approvals.ts'
import { createAdministrationStore } from '../features/operators/store.ts'
import { addListOptions, type CommandLine, type ListOptions, noteMore } from './acting.ts'

const approvalStates = ['pending', 'approved', 'rejected', 'all'] as const

export function addApprovals(program: Command, line: CommandLine): void {
  const { terminal } = line
  const command = program
    .command('approvals')
    .description('grants and withdrawals waiting for a second operator')
    .command('list')
    .description('list them, oldest first')
    .addOption(new Option('--state <state>', 'which').choices(approvalStates).default('pending'))
  addListOptions(command, 50, 'id', 'one').action(
    async ({ state, limit, after = '', json }: ListOptions & { readonly state: (typeof approvalStates)[number] }) => {
      const wanted = state === 'all' ? null : state
      const { rows, next } = await line.withStore((engine) =>
        listApprovals({ store: createAdministrationStore(engine) }, { state: wanted, after, limit }),
      )
      const items = rows.map(publicApproval)
      if (json) return terminal.printJson({ items, nextAfter: next })
      const names = Object.keys(items[0] ?? {})
      await terminal.printTable(names, items.map(Object.values), 'Nothing is waiting for approval.\n')
      noteMore(terminal, next)
    },
  )
}

export function addReviews(program: Command, line: CommandLine): void {
  const { terminal, clock } = line
  const reviews = program.command('reviews').description('decide charges whose outcome is unknown')
  const command = reviews.command('list').description('list the charges in manual_review, oldest first')
  addListOptions(command, 50, 'chargeId', 'charge').action(async ({ limit, after = '', json }: ListOptions) => {
    const { rows, next } = await line.withStore((engine) =>
      listReviews({ reviews: createReviewStore(engine) }, { after, limit }),
    )
    const ageOf = (reservedAt: number) => Math.max(0, Math.floor((clock() - reservedAt) / 1000))
    if (json) {
      const waiting = rows.map(({ reservedAt, ...row }) => ({
        ...row,
        reservedAt: isoOf(reservedAt),
        ageSeconds: ageOf(reservedAt),
      }))
      return terminal.printJson({ reviews: waiting, nextAfter: next })
    }
    await terminal.printTable(
      ['charge', 'project', 'operation', 'credits', 'age', 'reason'],
      rows.map(({ chargeId, projectId, operation, credits, reservedAt, reason }) => [
        chargeId,
        projectId,
        operation,
        credits,
        ageText(ageOf(reservedAt)),
        reason,
      ]),
      'No charges are waiting for a decision.\n',
    )
    noteMore(terminal, next)
  })
}

function ageText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`
}
