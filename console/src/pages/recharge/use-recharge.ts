import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ask } from '../../api/ask.ts'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { refreshBooks } from '../../api/queries.ts'
import { isRefused, Refused, Unreachable } from '../../api/refusal.ts'
import type { Order } from '../../api/types.ts'
import { newIdempotencyKey } from '../../format/idempotency-key.ts'

/** What somebody wants to buy. Its key stays the same until the outcome is known: asking again makes no second order. */
interface Intent {
  readonly amountFen: number
  readonly idempotencyKey: string
}

/** One recharge from the amount to the credits, with a safe way on from every lost answer. */
export function useRecharge() {
  const [intent, setIntent] = useState<Intent | null>(null)
  const [order, setOrder] = useState<Order | null>(null)

  const creating = useMutation({
    mutationFn: ({ amountFen, idempotencyKey }: Intent) =>
      askToWrite(() =>
        gateway.POST('/orders', {
          params: { header: { 'Idempotency-Key': idempotencyKey } },
          body: { amountFen },
        }),
      ),
    onSuccess(created) {
      setIntent(null)
      setOrder(created)
      void refreshBooks()
    },
  })

  const confirming = useMutation({
    mutationFn: ({ orderId }: Order) =>
      askToWrite(() => gateway.POST('/orders/{orderId}/confirm', { params: { path: { orderId } }, body: {} })),
    onSuccess(confirmed) {
      setOrder(confirmed)
      void refreshBooks()
    },
    onError(error, asked) {
      // It was confirmed before, perhaps by an attempt whose answer got lost: look, never pay again.
      if (isRefused(error, 'ORDER_NOT_PAYABLE', 'ORDER_CONFIRM_CONFLICT')) checking.mutate(asked)
    },
  })

  const checking = useMutation({
    mutationFn: ({ orderId }: Order) =>
      ask(() => gateway.GET('/console/orders/{orderId}', { params: { path: { orderId } } })),
    onSuccess(found) {
      setOrder(found)
      confirming.reset()
      void refreshBooks()
    },
  })

  return {
    order,
    isCreating: creating.isPending,
    isConfirming: confirming.isPending,
    isChecking: checking.isPending,
    createError: creating.error,
    confirmError: confirming.error,
    checkError: checking.error,
    /** The answer got lost: whether there is an order now is not known. */
    isCreateUnknown: intent !== null && isUnknown(creating.error),
    isConfirmUnknown: isUnknown(confirming.error),
    wasStillPending: checking.isSuccess && checking.data?.state === 'pending',

    create(amountFen: number) {
      const wanted = { amountFen, idempotencyKey: newIdempotencyKey() }
      setIntent(wanted)
      creating.mutate(wanted)
    },
    createAgain: () => intent && creating.mutate(intent),
    confirm() {
      checking.reset()
      if (order) confirming.mutate(order)
    },
    check: () => order && checking.mutate(order),
    resume(pending: Order) {
      startOver()
      setOrder(pending)
    },
    startOver,
  }

  function startOver() {
    setIntent(null)
    setOrder(null)
    for (const mutation of [creating, confirming, checking]) mutation.reset()
  }
}

const isUnknown = (error: unknown) => error instanceof Unreachable || (error instanceof Refused && error.status >= 500)

export type RechargeFlow = ReturnType<typeof useRecharge>
