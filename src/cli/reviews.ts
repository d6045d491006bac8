import type { Command } from 'commander'
import {
  type ActionOptions,
  type AdministrationCommandDeps,
  actorOf,
  addActionOptions,
  table,
  wholeNumber,
} from './terminal.ts'

export function addReviews(program: Command, deps: AdministrationCommandDeps): void {
  const reviews = program.command('reviews').description('decide charges whose outcome is unknown')
  addList(reviews, deps)
  addDecision(reviews, deps, 'settle', 'settled', 'charge the held credits: the provider did the work')
  addDecision(reviews, deps, 'release', 'released', 'give the held credits back: the provider did not do the work')
}

const maxListed = 1000

function addList(reviews: Command, { withAdministration, terminal, clock }: AdministrationCommandDeps): void {
  reviews
    .command('list')
    .description('list the charges in manual_review, oldest first')
    .option('--limit <count>', `how many, at most ${maxListed}`, wholeNumber(1, maxListed), 50)
    .option('--after <chargeId>', 'continue after this charge')
    .option('--json', 'print JSON')
    .action(async ({ limit, after = '', json }: { limit: number; after?: string; json?: true }) => {
      const { rows, next } = await withAdministration((operate) => operate.listReviews({ after, limit }))
      if (json) {
        const waiting = rows.map(({ reservedAt, ...row }) => ({
          ...row,
          reservedAt: new Date(reservedAt).toISOString(),
          ageSeconds: ageSeconds(clock(), reservedAt),
        }))
        return terminal.printJson({ reviews: waiting, next })
      }
      if (rows.length === 0) return terminal.print('No charge is waiting for a decision.\n')
      await terminal.print(
        table(
          ['charge', 'project', 'operation', 'credits', 'age', 'reason'],
          rows.map((row) => [
            row.chargeId,
            row.projectId,
            row.operation,
            row.credits,
            age(ageSeconds(clock(), row.reservedAt)),
            row.reason,
          ]),
        ),
      )
      if (next) terminal.note(`There are more: add --after ${next}`)
    })
}

function addDecision(
  reviews: Command,
  { withAdministration, terminal, userName }: AdministrationCommandDeps,
  name: 'settle' | 'release',
  to: 'settled' | 'released',
  description: string,
): void {
  addActionOptions(reviews.command(`${name} <chargeId>`).description(description)).action(
    async (chargeId: string, { reason, by = userName(), json }: ActionOptions) => {
      const { charge, at } = await withAdministration((operate) =>
        operate.decideReview(actorOf(by), { chargeId, to, reason }),
      )
      const { projectId, credits } = charge
      const decidedAt = new Date(at).toISOString()
      if (json) return terminal.printJson({ chargeId, projectId, credits, state: to, by, reason, decidedAt })
      await terminal.print(`${chargeId} is ${to}: ${credits} credits of ${projectId}, decided by ${by}.\n`)
    },
  )
}

const ageSeconds = (now: number, since: number) => Math.max(0, Math.floor((now - since) / 1000))

function age(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`
}
