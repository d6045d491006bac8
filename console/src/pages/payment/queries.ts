import { queryOptions } from '@tanstack/react-query'
import { ask } from '../../api/ask.ts'
import { gateway } from '../../api/gateway.ts'
import type { Order, Payment } from '../../api/types.ts'

export interface PaidOrder extends Order {
  readonly paymentId: string
}

export const methodsQuery = queryOptions({
  queryKey: ['payment-methods'],
  queryFn: () => ask(() => gateway.GET('/console/payment-methods')),
  staleTime: Number.POSITIVE_INFINITY,
})

const codeMs = 1500

/** How a payment is paid. Whether it was paid is known from its order. */
export const paymentQuery = (paymentId: string) =>
  queryOptions({
    queryKey: ['payments', paymentId],
    queryFn: () => ask(() => gateway.GET('/console/payments/{paymentId}', { params: { path: { paymentId } } })),
    refetchInterval: ({ state: { data } }) => (data === undefined || isPreparing(data) ? codeMs : false),
  })

/** The provider has not responded yet. */
export const isPreparing = ({ state, qrText, redirectUrl }: Payment) =>
  state === 'created' && qrText === null && redirectUrl === null
