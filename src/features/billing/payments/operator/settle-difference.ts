import { isoOf } from '../../../../base/time.ts'
import { type OperatorErrorCode, operatorRefusal } from '../../../../contract/error-codes/operators.ts'
import type { Refusal } from '../../../../contract/errors.ts'
import { type Actor, noteOf } from '../../../../operator-kit/actor.ts'
import { differenceId as idOf, isOpen, type PaymentDifference } from '../differences.ts'
import { type PaymentActionDeps, paymentActions } from './store.ts'

export interface DifferenceToSettle {
  readonly date: string
  readonly method: string
  readonly differenceId: string
  readonly reason: string
}

/** Marks a difference between the payments here and a bill as settled, until something about it changes. */
export function settleDifference(
  { engine, clock }: Pick<PaymentActionDeps, 'engine' | 'clock'>,
  actor: Actor,
  { date, method, differenceId, reason }: DifferenceToSettle,
): Promise<{ readonly difference: PaymentDifference; readonly openDifferences: number }> {
  const at = clock()
  const note = noteOf(actor, { action: 'payments.difference.settle', object: `${date}.${method}`, reason }, at)
  return paymentActions({ engine }).write(async (tx) => {
    const compared = await tx.lockComparison(date, method)
    if (!compared) throw operatorRefusal('COMPARISON_NOT_FOUND')
    const isMeant = (one: PaymentDifference) => idOf(one) === differenceId
    const difference = compared.differences.find(isMeant)
    if (!difference) throw operatorRefusal('DIFFERENCE_NOT_FOUND')
    if (!isOpen(difference)) throw notOpen(difference)
    const settled = { by: actor.name, at, reason: note.reason }
    const { kind, paymentId, transactionId, outcome } = difference
    const before = { differenceId, kind, paymentId, transactionId, outcome }
    await tx.audit({ ...note, at, before, after: { ...before, outcome: 'settled' } })
    const differences = compared.differences.map((one) => (isMeant(one) ? { ...one, settled } : one))
    const { openDifferences } = await tx.changeDifferences(compared, differences)
    return { difference: { ...difference, settled }, openDifferences }
  })
}

function notOpen({ settled }: PaymentDifference): Refusal<OperatorErrorCode> {
  if (!settled) return operatorRefusal('DIFFERENCE_NOT_OPEN')
  const { by, at, reason } = settled
  return operatorRefusal('DIFFERENCE_NOT_OPEN', `It was settled by ${by} at ${isoOf(at)}: ${reason}`)
}
