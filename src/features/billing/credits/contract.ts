import { type Static, Type } from '../../../base/schema.ts'
import { Choice, failsWith, named, request } from '../../../contract/field.ts'
import { response } from '../../../contract/operation.ts'
import { Count, operatorAction, projectIdPattern, Reason, Reference, Text } from '../../../operator-kit/operation.ts'

export const maxGrantedCredits = 100_000

const moveRequest = (title: string, maximum: number) =>
  request(title, {
    projectId: Type.String({ pattern: projectIdPattern, ...failsWith('PROJECT_NOT_FOUND') }),
    credits: Type.Integer({ minimum: 1, maximum, ...failsWith('CREDITS_INVALID') }),
    reference: Reference(),
    reason: Reason(),
    again: Type.Optional(
      Type.Boolean({
        description:
          'True if you know about the earlier movement with a similar reference and this is a different payment.',
      }),
    ),
  })
const requests = {
  grant: moveRequest('GrantCreditsRequest', maxGrantedCredits),
  withdraw: moveRequest('WithdrawCreditsRequest', Number.MAX_SAFE_INTEGER),
}

export const moved = {
  projectId: Type.String({ pattern: projectIdPattern }),
  credits: Type.Integer({ minimum: 1 }),
  reference: Text(),
  replayed: Type.Boolean({ description: 'True if this reference was already booked; nothing was moved again.' }),
  balance: named('BalanceAfter', { available: Count(), reserved: Count() }),
}
const CreditsMoved = named('CreditsMoved', moved)

export const approvalIdPattern = '^apv_[A-Za-z0-9]+$'
export const approvalStates = ['pending', 'approved', 'rejected'] as const

export const ApprovalPending = named('ApprovalPending', {
  approval: named('ApprovalReference', {
    id: Type.String({ pattern: approvalIdPattern }),
    state: Choice(approvalStates),
  }),
})
type MovedOrPending = Static<typeof CreditsMoved> | Static<typeof ApprovalPending>

const sentenceOf = (kind: 'grant' | 'withdraw') => (shown: MovedOrPending) => {
  if ('approval' in shown) return `A second operator must approve this: approvals approve ${shown.approval.id}`
  const { projectId, credits, reference, replayed, balance } = shown
  const done = kind === 'grant' ? 'granted to' : 'withdrawn from'
  const when = replayed ? 'had already been' : 'were'
  return `${credits} credits ${when} ${done} ${projectId} (${reference}): ${balance.available} available, ${balance.reserved} reserved.`
}

const move = <const Kind extends 'grant' | 'withdraw'>(kind: Kind, description: string) =>
  operatorAction({
    id: `operator.credits.${kind}`,
    tag: 'Credits',
    path: `/api/credits/${kind}` as const,
    summary: kind === 'grant' ? 'Grant credits' : 'Withdraw credits',
    description: `${description} A repeat with the same reference and number is answered with the first result; with another number it is refused. A reference that was used before in another project or spelling is refused and the earlier movement named, unless \`again\` is true. Above \`operators.approvalAboveCredits\` it waits for a second operator (202); so does one with which the operator, or all operators in the project, would move more than that in this direction within 24 hours without an approval, refunds and ends of payments included.`,
    permission: 'credits',
    commands: [{ usage: `credits ${kind} <projectId> <credits>`, says: sentenceOf(kind) }],
    request: requests[kind],
    responses: [
      response(200, 'Carried out, now or before.', CreditsMoved),
      response(202, 'It waits for a second operator.', ApprovalPending),
    ],
    ownErrors: [
      'PROJECT_NOT_FOUND',
      'CREDITS_INVALID',
      'REASON_INVALID',
      'REFERENCE_INVALID',
      'REFERENCE_ALREADY_USED',
      'REFERENCE_SEEN_BEFORE',
      ...(kind === 'withdraw' ? (['AVAILABLE_CREDITS_EXCEEDED'] as const) : []),
    ],
  })

export const creditOperations = [
  move('grant', 'Adds credits to a project: for a bank transfer, or as goodwill.'),
  move('withdraw', 'Takes available credits back: after a mistaken grant, or for a refund made elsewhere.'),
]

export type MoveCreditsRequest = Static<typeof requests.grant>
