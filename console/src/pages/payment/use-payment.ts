import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { isUnanswered } from '../../api/ask.ts'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { orderQuery, ordersQuery, queryClient, refreshProjectData } from '../../api/queries.ts'
import { newIdempotencyKey } from '../../format/code-samples.ts'
import { paymentQuery } from './queries.ts'

/** A code on the screen of a phone cannot be scanned with it; a page of the provider opens the app. */
const isPhone = () => matchMedia('(pointer: coarse) and (max-width: 760px)').matches

interface Wanted {
  readonly amountFen: number
  readonly method: string
  readonly idempotencyKey: string
}

/** From an amount and a method to the order that the payment pays. */
export function usePayment() {
  const [, navigate] = useLocation()
  // Says where the payer came from, for the way back.
  const state = useHistoryState<object | null>()
  const [wanted, setWanted] = useState<Wanted | null>(null)
  const creating = useMutation({
    mutationFn: ({ idempotencyKey, amountFen, method }: Wanted) =>
      askToWrite(() =>
        gateway.POST('/console/payments', {
          params: { header: { 'Idempotency-Key': idempotencyKey } },
          body: { amountFen, method, display: isPhone() ? 'redirect' : 'qr' },
        }),
      ),
    onSuccess(payment) {
      setWanted(null)
      queryClient.setQueryData(paymentQuery(payment.paymentId).queryKey, payment)
      navigate(`/recharge/${payment.orderId}`, { state })
      void refreshProjectData()
    },
  })
  return {
    isCreating: creating.isPending,
    createError: creating.error,
    /** The response was lost: the payment may or may not exist. */
    isCreateUnknown: wanted !== null && isUnanswered(creating.error),
    create(amountFen: number, method: string) {
      const next = { amountFen, method, idempotencyKey: newIdempotencyKey() }
      setWanted(next)
      creating.mutate(next)
    },
    /** With the same key, so that a repeat is no second payment. */
    createAgain: () => wanted && creating.mutate(wanted),
    startOver() {
      setWanted(null)
      creating.reset()
      navigate('/recharge', { state })
    },
  }
}

export type PaymentFlow = ReturnType<typeof usePayment>

/** The newest order while its payment is open, so that a reload or a second tab finds it again. */
export function useOpenPayment(): string | null {
  const { data, isFetchedAfterMount } = useInfiniteQuery({ ...ordersQuery, refetchOnMount: 'always' })
  const newest = data?.pages[0]?.items[0]
  if (!isFetchedAfterMount || newest?.state !== 'pending' || newest.paymentId === null) return null
  // The list may be older than what is known about the order.
  const known = queryClient.getQueryData(orderQuery(newest.orderId).queryKey)
  return known && known.state !== 'pending' ? null : newest.orderId
}
