import { type Command, Option } from 'commander'
import { isoOf } from '../base/time.ts'
import type { MovedCredits } from '../features/billing/credits/credits.ts'
import { publicApproval } from '../features/operators/approvals/approvals.ts'
import { referenceLimit } from '../operator-kit/actor.ts'
import {
  addActionOptions,
  addListOptions,
  addOptionalReason,
  type CommandLine,
  type ListOptions,
  noteMore,
  onAction,
  withAdministration,
} from './acting.ts'
import { singleLine } from './terminal.ts'

export function addCredits(program: Command, line: CommandLine): void {
  const credits = program.command('credits').description('grant credits to a project, or take them back')
  addMovement(credits, line, 'grant', 'add credits, such as for a bank transfer')
  addMovement(credits, line, 'withdraw', 'take available credits back, such as after a mistaken grant')
}

function addMovement(credits: Command, line: CommandLine, kind: 'grant' | 'withdraw', description: string): void {
  const command = addActionOptions(credits.command(`${kind} <project> <credits>`).description(description))
    .requiredOption(
      '--reference <text>',
      'such as the number of a bank transfer; used once per project',
      singleLine('a reference', referenceLimit),
    )
    .option('--again', 'this is a different payment, although a similar reference was used before')
  onAction<{ reason: string; reference: string; again?: true }>(
    command,
    line,
    async (operate, { actor, ...given }, projectId, amount) => {
      const request = { ...given, kind, projectId: projectId!, credits: numberIn(amount!) }
      const moved = await operate.moveCredits(actor, request)
      return { json: moved, text: sentence(kind, moved) }
    },
  )
}

/** Not a number unless it is written as a plain decimal; the action judges the rest. */
const numberIn = (text: string) => (/^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : Number.NaN)

function sentence(kind: 'grant' | 'withdraw', moved: MovedCredits): string {
  if ('approval' in moved) return `A second operator must approve this: approvals approve ${moved.approval.id}\n`
  const { projectId, credits, reference, replayed, balance } = moved
  const done = kind === 'grant' ? 'granted to' : 'withdrawn from'
  const when = replayed ? 'had already been' : 'were'
  return `${credits} credits ${when} ${done} ${projectId} (${reference}): ${balance.available} available, ${balance.reserved} reserved.\n`
}

const approvalStates = ['pending', 'approved', 'rejected', 'all'] as const

export function addApprovals(program: Command, line: CommandLine): void {
  const approvals = program.command('approvals').description('grants and withdrawals waiting for a second operator')
  addApprovalList(approvals, line)
  const decide = (name: 'approve' | 'reject', state: 'approved' | 'rejected', description: string) =>
    onAction<{ reason?: string }>(
      addOptionalReason(approvals.command(`${name} <id>`).description(description)),
      line,
      async (operate, { actor, reason }, approvalId) => {
        const decided = await operate[name](actor, { approvalId: approvalId!, reason })
        const moved = name === 'approve' ? decided : {}
        return { json: { approval: { id: approvalId, state }, ...moved }, text: `${approvalId} is ${state}.\n` }
      },
    )
  decide('approve', 'approved', 'carry it out')
  decide('reject', 'rejected', 'discard it')
}

function addApprovalList(approvals: Command, line: CommandLine): void {
  const { terminal } = line
  const command = approvals
    .command('list')
    .description('list them, oldest first')
    .addOption(new Option('--state <state>', 'which').choices(approvalStates).default('pending'))
  addListOptions(command, 50, 'id', 'one').action(
    async ({ state, limit, after = '', json }: ListOptions & { readonly state: (typeof approvalStates)[number] }) => {
      const wanted = state === 'all' ? null : state
      const { rows, next } = await withAdministration(line, (operate) =>
        operate.listApprovals({ state: wanted, after, limit }),
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
  const reviews = program.command('reviews').description('decide charges whose outcome is unknown')
  addReviewList(reviews, line)
  const decide = (name: string, to: 'settled' | 'released', description: string) =>
    onAction(
      addActionOptions(reviews.command(`${name} <chargeId>`).description(description)),
      line,
      async (operate, { actor, reason }, chargeId) => {
        const { charge, at } = await operate.decideReview(actor, { chargeId: chargeId!, to, reason })
        const { projectId, credits } = charge
        const by = actor.name
        return {
          json: { chargeId, projectId, credits, state: to, by, reason, decidedAt: isoOf(at) },
          text: `${chargeId} is ${to}: ${credits} credits of ${projectId}, decided by ${by}.\n`,
        }
      },
    )
  decide('settle', 'settled', 'charge the reserved credits: the provider did the work')
  decide('release', 'released', 'release the reserved credits: the provider did not do the work')
}

function addReviewList(reviews: Command, line: CommandLine): void {
  const { terminal, clock } = line
  const command = reviews.command('list').description('list the charges in manual_review, oldest first')
  addListOptions(command, 50, 'chargeId', 'charge').action(async ({ limit, after = '', json }: ListOptions) => {
    const { rows, next } = await withAdministration(line, (operate) => operate.listReviews({ after, limit }))
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
