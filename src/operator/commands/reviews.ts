import { type Command, InvalidArgumentError } from 'commander'
import type { Ledger } from '../../ledger/ledger.ts'
import type { ReviewedCharge, ReviewStore } from '../../storage/stores/review-store.ts'
import { decideReview } from '../decide-review.ts'
import { table } from '../table.ts'
import { CommandFailure, type Terminal } from '../terminal.ts'
import { wholeNumber } from './arguments.ts'

export interface ReviewsDeps {
  readonly withReviews: <T>(work: (reviews: ReviewStore, ledger: Ledger) => Promise<T>) => Promise<T>
  readonly terminal: Terminal
  readonly clock: () => number
  /** The default of `--by`. */
  readonly userName: () => string
}

export function addReviews(program: Command, deps: ReviewsDeps): void {
  const reviews = program.command('reviews').description('decide charges whose outcome is unknown')
  addList(reviews, deps)
  addDecision(reviews, deps, 'settle', 'settled', 'charge the held credits: the provider did the work')
  addDecision(reviews, deps, 'release', 'released', 'give the held credits back: the provider did not do the work')
}

const maxListed = 1000

function addList(reviews: Command, { withReviews, terminal, clock }: ReviewsDeps): void {
  reviews
    .command('list')
    .description('list the charges in manual_review, oldest first')
    .option('--limit <count>', `how many, at most ${maxListed}`, wholeNumber(1, maxListed), 50)
    .option('--after <chargeId>', 'continue after this charge')
    .option('--json', 'print JSON')
    .action(async ({ limit, after = '', json }: { limit: number; after?: string; json?: true }) => {
      const page = await withReviews((store) => store.waiting(after, limit + 1))
      const rows = page.slice(0, limit)
      const next = page.length > limit ? rows.at(-1)!.chargeId : null
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

interface DecisionOptions {
  readonly reason: string
  readonly by?: string
  readonly json?: true
}

function addDecision(
  reviews: Command,
  { withReviews, terminal, clock, userName }: ReviewsDeps,
  name: 'settle' | 'release',
  to: 'settled' | 'released',
  description: string,
): void {
  reviews
    .command(`${name} <chargeId>`)
    .description(description)
    .requiredOption('--reason <text>', 'why; kept with the decision', singleLine('a reason', 500))
    .option('--by <name>', 'who decided; the system user by default', singleLine('a name', 100))
    .option('--json', 'print JSON')
    .action(async (chargeId: string, { reason, by = userName(), json }: DecisionOptions) => {
      const result = await withReviews((store, ledger) =>
        decideReview({ reviews: store, ledger, clock }, { chargeId, to, by, reason }),
      )
      if (result.kind === 'unknown') throw new CommandFailure(`there is no charge ${chargeId}`)
      if (result.kind === 'not_in_review') throw new CommandFailure(whyNot(result.charge))
      const { projectId, credits } = result.charge
      const decidedAt = new Date(result.at).toISOString()
      if (json) return terminal.printJson({ chargeId, projectId, credits, state: to, by, reason, decidedAt })
      await terminal.print(`${chargeId} is ${to}: ${credits} credits of ${projectId}, decided by ${by}.\n`)
    })
}

function whyNot({ chargeId, state, decision }: ReviewedCharge): string {
  if (!decision) return `${chargeId} is ${state}, not in review; there is nothing to decide`
  const { by, at, reason } = decision
  return `${chargeId} is already ${state}, decided by ${by} at ${new Date(at).toISOString()}: ${reason}`
}

const singleLine = (what: string, max: number) => (value: string) => {
  const trimmed = value.trim()
  if (trimmed === '' || [...trimmed].length > max || /[\x00-\x1f\x7f]/.test(trimmed)) {
    throw new InvalidArgumentError(`Give ${what} of 1 to ${max} characters on one line.`)
  }
  return trimmed
}

const ageSeconds = (now: number, since: number) => Math.max(0, Math.floor((now - since) / 1000))

function age(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`
}
