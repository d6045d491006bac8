import type { Administration } from '../../administration/administration.ts'
import { actorAt } from '../../administration/operator-sessions.ts'
import type { ApprovalRow } from '../../administration/ports.ts'
import { NotInReview } from '../../administration/reviews.ts'
import type { Approval, ApprovalParameters, MoveCreditsRequest } from '../../contract/operator/credits.ts'
import { OperatorRefusal } from '../../contract/operator/errors.ts'
import type { ListParameters } from '../../contract/operator/fields.ts'
import type { DecidedReviews, DecideReviewsRequest, OpenReviewPage } from '../../contract/operator/reviews.ts'
import { reasonOf } from '../../reporting/public-charge.ts'
import type { Route } from '../route.ts'
import { isoOf, isoOrNull, ok, operatorEndpoint } from './endpoint.ts'
import type { OperatorGuard } from './guard.ts'

export interface CreditRouteDeps {
  readonly guard: OperatorGuard
  readonly operate: Administration
}

/** Credits that operators move, and those that a review holds. */
export function creditRoutes({ guard, operate }: CreditRouteDeps): Route[] {
  const move = (kind: 'grant' | 'withdraw') =>
    operatorEndpoint<MoveCreditsRequest>(guard, `operator.credits.${kind}`, async ({ operator, body }) => {
      const moved = await operate.moveCredits(actorAt(operator), { kind, ...body })
      return ok(moved, 'approval' in moved ? 202 : 200)
    })
  const decided = (id: string, state: Approval['state']) => ({ approval: { id, state } })
  return [
    move('grant'),
    move('withdraw'),
    operatorEndpoint<unknown, ApprovalParameters>(guard, 'operator.approvals.list', async ({ query }) => {
      const { state = null, after = '', limit } = query
      const page = await operate.listApprovals({ state, after, limit })
      return ok({ items: page.rows.map(publicApproval), nextAfter: page.next })
    }),
    operatorEndpoint<{ reason?: string }>(guard, 'operator.approvals.approve', async ({ operator, at, body }) => {
      const approvalId = at('approvalId')
      const moved = await operate.approve(actorAt(operator), { approvalId, ...body })
      return ok({ ...decided(approvalId, 'approved'), ...moved })
    }),
    operatorEndpoint<{ reason?: string }>(guard, 'operator.approvals.reject', async ({ operator, at, body }) => {
      const approvalId = at('approvalId')
      await operate.reject(actorAt(operator), { approvalId, ...body })
      return ok(decided(approvalId, 'rejected'))
    }),
    operatorEndpoint<unknown, ListParameters>(
      guard,
      'operator.reviews.list',
      async ({ query: { after = '', limit } }) => {
        const { rows, next } = await operate.listReviews({ after, limit })
        const items = rows.map(({ reservedAt, reason, operation, ...row }) => ({
          ...row,
          operation: operation as OpenReviewPage['items'][number]['operation'],
          reservedAt: isoOf(reservedAt),
          reason: reasonOf(reason),
        }))
        return ok({ items, nextAfter: next } satisfies OpenReviewPage)
      },
    ),
    operatorEndpoint<DecideReviewsRequest>(guard, 'operator.reviews.decide', async ({ operator, body }) => {
      const { chargeIds, decision, reason } = body
      const items: DecidedReviews['items'] = []
      for (const chargeId of chargeIds) {
        const refusal = await operate
          .decideReview(actorAt(operator), { chargeId, to: decision, reason })
          .then(() => null, refusalOnly)
        items.push({
          chargeId,
          decision: refusal ? null : decision,
          error: refusal && { code: refusal.code, message: refusal.message },
          earlier: refusal && earlierDecision(refusal),
        })
      }
      return ok({ items } satisfies DecidedReviews)
    }),
  ]
}

/** What an operator did wrong belongs to its charge; a failing store fails the whole request. */
function refusalOnly(error: unknown): OperatorRefusal {
  if (!(error instanceof OperatorRefusal) || error.code === 'REASON_INVALID') throw error
  return error
}

const publicApproval = (row: ApprovalRow): Approval => ({
  id: row.approvalId,
  state: row.state,
  kind: row.kind,
  projectId: row.projectId,
  credits: row.amount,
  reference: row.reference,
  reason: row.reason,
  requestedBy: row.requestedBy,
  requestedAt: isoOf(row.requestedAt),
  decidedBy: row.decidedBy,
  decidedAt: isoOrNull(row.decidedAt),
})

function earlierDecision(refusal: OperatorRefusal): DecidedReviews['items'][number]['earlier'] {
  if (!(refusal instanceof NotInReview) || refusal.charge.decision === null) return null
  const { state, decision } = refusal.charge
  const { by, at, reason } = decision
  return { decision: state === 'settled' ? 'settled' : 'released', by, at: isoOf(at), reason }
}
