import { newSortableId } from '../../../../base/ids.ts'
import { operatorRefusal } from '../../../../contract/error-codes/operators.ts'
import { currency, fenOfCredits, recharge } from '../../../../contract/prices.ts'
import { type Actor, checkReason, noteOf } from '../../../../operator-kit/actor.ts'
import {
  type ApprovalHandler,
  type ApprovalRow,
  type ApprovedMovement,
  requestApproval,
} from '../../../../operator-kit/approvals.ts'
import { differenceId, isOpen } from '../differences.ts'
import type { ComparisonRow } from '../store/comparisons.ts'
import type { PaymentRow } from '../store/payments.ts'
import { creditsFor, type UncreditedRow } from '../store/uncredited.ts'
import { needsSecondOperator, type PaymentActionDeps, type PaymentActionWriter, paymentActions } from './store.ts'

export type PaymentOutcome = 'credit' | 'refund'

export interface PaymentEnd {
  readonly paymentId: string
  readonly outcome: PaymentOutcome
  readonly reason: string
}

export interface EndedPayment {
  readonly amountFen: number
  /** What is carried out now; empty while it waits for a second operator. */
  readonly decided: readonly string[]
  readonly approvalId: string | null
}

const kinds = { credit: 'grant', refund: 'withdraw' } as const

/** Decides what happens to money that was received and not credited, and settles its differences. The worker carries it out. */
export async function endPayment(
  deps: PaymentActionDeps,
  actor: Actor,
  { paymentId, outcome, reason: given }: PaymentEnd,
): Promise<EndedPayment> {
  const reason = checkReason(given)
  const at = deps.clock()
  return paymentActions(deps).write(async (tx) => {
    const money = await openMoney(tx, { paymentId, outcome, until: Number.MAX_SAFE_INTEGER })
    const { projectId } = money.payment
    const pending = { subject: 'payment_end', subjectId: paymentId, kind: kinds[outcome] } as const
    const earlier = await tx.pendingApproval(pending)
    if (earlier) return { amountFen: money.amountFen, decided: [], approvalId: earlier.approvalId }
    const move = { kind: kinds[outcome], by: actor.name, projectId, credits: money.credits }
    if (!(await needsSecondOperator(tx, { ...move, limit: deps.approvalAboveCredits, at })))
      return carryOut(tx, actor, { money, outcome, reason, at, action: `payments.end.${outcome}` })
    const reference = `${money.rows[0]!.transactionId}:${at}`
    const requested = { ...pending, projectId, reference, amount: money.credits, reason }
    const approvalId = await requestApproval(tx, actor, { ...requested, action: `payments.end.${outcome}.request` }, at)
    return { amountFen: money.amountFen, decided: [], approvalId }
  })
}

interface OpenMoney {
  readonly payment: PaymentRow
  /** Whether another transaction of it is being credited. */
  readonly isCrediting: boolean
  readonly rows: readonly UncreditedRow[]
  readonly amountFen: number
  readonly credits: number
  readonly days: readonly ComparisonRow[]
}

/** What can be ended of a payment, as far as it was known at a time; locked until the commit. */
async function openMoney(
  tx: PaymentActionWriter,
  { paymentId, outcome, until }: Pick<PaymentEnd, 'paymentId' | 'outcome'> & { readonly until: number },
): Promise<OpenMoney> {
  const found = await tx.paymentBy(paymentId)
  if (!found) throw operatorRefusal('PAYMENT_NOT_FOUND', `There is no payment ${paymentId}.`)
  // Serializes this with other decisions, and with batches that credit the order.
  await tx.lockBalance(found.projectId)
  const payment = (await tx.paymentBy(paymentId))!
  const open = await tx.openUncreditedOf(payment, until)
  const isCrediting = (await tx.uncreditedOf(paymentId)).some(({ state }) => state === 'crediting')
  const isOwn = ({ transactionId }: UncreditedRow) =>
    payment.state === 'review' && !isCrediting && transactionId === payment.transactionId
  const rows = outcome === 'refund' ? open : open.filter(isOwn)
  if (rows.length === 0)
    throw operatorRefusal('PAYMENT_NOT_IN_REVIEW', `${paymentId} is ${payment.state}: there is nothing to ${outcome}.`)
  if (outcome === 'credit') checkCreditable(rows[0]!)
  const amountFen = rows.reduce((sum, row) => sum + row.amountFen, 0)
  const credits = rows.reduce((sum, row) => sum + creditsFor(row.amountFen), 0)
  return { payment, isCrediting, rows, amountFen, credits, days: await tx.lockOpenDays(payment.method, paymentId) }
}

/** Credits are whole, bought with yuan, and within the limits of an order. */
function checkCreditable({ amountFen, returnedFen, currency: paidIn }: UncreditedRow): void {
  const isAmount =
    amountFen % fenOfCredits(1) === 0 && amountFen >= recharge.minAmountFen && amountFen <= recharge.maxAmountFen
  const why =
    (paidIn !== currency && `it was paid in ${paidIn}`) ||
    (returnedFen !== 0 && 'it was refunded at the provider') ||
    (!isAmount && `${amountFen} fen make no whole credits, or are outside the limits of an order`)
  if (why) throw operatorRefusal('PAYMENT_NOT_CREDITABLE', `It can only be refunded: ${why}.`)
}

interface DecidedEnd {
  readonly money: OpenMoney
  readonly outcome: PaymentOutcome
  readonly reason: string
  readonly at: number
  readonly action: `payments.end.${PaymentOutcome}${'' | '.approve'}`
}

/** Writes the decision with its audit entry, and settles the differences of the money that it is about. */
async function carryOut(
  tx: PaymentActionWriter,
  actor: Actor,
  { money, outcome, reason, at, action }: DecidedEnd,
): Promise<EndedPayment> {
  const { payment, isCrediting, rows, days, amountFen, credits } = money
  const decided = { decidedBy: actor.name, decidedAt: at, reason, nextQueryAt: at }
  for (const { uncreditedId } of rows)
    await tx.decideUncredited(uncreditedId, {
      ...decided,
      ...(outcome === 'credit'
        ? { state: 'crediting', refundId: null }
        : { state: 'refunding', refundId: newSortableId('rfd', at) }),
    })
  if (outcome === 'credit') await tx.setPaid(payment, rows[0]!.amountFen)
  else if (payment.state === 'review' && !isCrediting) await tx.stopOrder(payment, at)
  await settleDays(tx, rows, days, { by: actor.name, at, reason })
  const { paymentId, projectId, state } = payment
  const transactions = rows.map(({ transactionId }) => transactionId).join(' ')
  const before = { state, amountFen: payment.amountFen, credits: payment.credits }
  const after = { outcome, amountFen, credits, transactions, projectId }
  await tx.audit({ ...noteOf(actor, { action, object: paymentId, reason }, at), at, before, after })
  return { amountFen, decided: rows.map(({ uncreditedId }) => uncreditedId), approvalId: null }
}

async function settleDays(
  tx: PaymentActionWriter,
  rows: readonly UncreditedRow[],
  days: readonly ComparisonRow[],
  settled: { readonly by: string; readonly at: number; readonly reason: string },
): Promise<void> {
  const isAbout = (paymentId: string | null, transactionId: string | null) =>
    rows.some((row) => row.paymentId === paymentId && row.transactionId === transactionId)
  for (const day of days) {
    const ended = new Set(
      day.differences.filter((one) => isOpen(one) && isAbout(one.paymentId, one.transactionId)).map(differenceId),
    )
    if (ended.size === 0) continue
    await tx.changeDifferences(
      day,
      day.differences.map((one) => (ended.has(differenceId(one)) ? { ...one, settled } : one)),
    )
  }
}

export const paymentEndApprovals = (deps: Omit<PaymentActionDeps, 'approvalAboveCredits'>): ApprovalHandler => ({
  subject: 'payment_end',
  approve: (actor, approval) => approveEnd(deps, actor, approval),
  async describe({ subjectId, reference, amount, kind, requestedAt }) {
    const rows = await paymentActions(deps).read((tx) => tx.uncreditedOf(subjectId!))
    const [transactionId = ''] = reference.split(':')
    const isMeant = (row: UncreditedRow) =>
      row.state === 'open' && row.foundAt <= requestedAt && (kind === 'withdraw' || row.transactionId === transactionId)
    const openFen = rows.filter(isMeant).reduce((sum, row) => sum + row.amountFen, 0)
    return { paymentId: subjectId!, amountFen: openFen || fenOfCredits(amount), reference: transactionId }
  },
})

/** Decides as another operator requested, in one commit with the approval. What was received since is not part of it. */
function approveEnd(
  deps: Omit<PaymentActionDeps, 'approvalAboveCredits'>,
  actor: Actor,
  { approvalId, subjectId, kind, reference, reason, requestedAt, amount }: ApprovalRow,
): Promise<ApprovedMovement> {
  const outcome = kind === 'grant' ? 'credit' : 'refund'
  const at = deps.clock()
  return paymentActions(deps).write(async (tx) => {
    const money = await openMoney(tx, { paymentId: subjectId!, outcome, until: requestedAt })
    if (money.credits !== amount) throw operatorRefusal('PAYMENT_NOT_IN_REVIEW')
    if ((await tx.approveApproval(approvalId, actor.name, at)) === 0) throw operatorRefusal('APPROVAL_NOT_PENDING')
    await carryOut(tx, actor, { money, outcome, reason, at, action: `payments.end.${outcome}.approve` })
    const { projectId } = money.payment
    const { available, reserved } = (await tx.lockBalance(projectId))!
    return { projectId, credits: amount, reference, replayed: false, balance: { available, reserved } }
  })
}
