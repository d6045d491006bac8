import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { ask } from '../../api/ask.ts'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { orderQuery, queryClient, refreshProjectData } from '../../api/queries.ts'
import type { Payment } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { useCreditsText } from '../../design/figures.tsx'
import { Notice, Problem } from '../../design/notice.tsx'
import { Sheet } from '../../design/page.tsx'
import { QrCode } from '../../design/qr-code.tsx'
import { useExtraText } from '../../design/tables.tsx'
import { newIdempotencyKey } from '../../format/code-samples.ts'
import { useFormat } from '../../format/format.ts'
import styles from './payment.module.css'

const pollMs = 1500
/** A late payment, or an operator, still changes one that has ended. */
const endedPollMs = 5000

export const methodsQuery = queryOptions({
  queryKey: ['payment-methods'],
  queryFn: () => ask(() => gateway.GET('/console/payment-methods')),
  staleTime: Number.POSITIVE_INFINITY,
})

const newestQuery = queryOptions({
  queryKey: ['payments', 'newest'],
  queryFn: () => ask(() => gateway.GET('/console/payments', { params: { query: { limit: 1 } } })),
})

const paymentQuery = (paymentId: string) =>
  queryOptions({
    queryKey: ['payments', paymentId],
    queryFn: () => ask(() => gateway.GET('/console/payments/{paymentId}', { params: { path: { paymentId } } })),
    refetchInterval: ({ state: { data } }) => (data === undefined || isOpen(data) ? pollMs : endedPollMs),
    refetchIntervalInBackground: true,
  })

const isOpen = ({ state }: Payment) => state === 'created' || state === 'waiting'

/** A page of the provider is easier to pay on than a code that is shown on the same screen. */
const isPhone = () => matchMedia('(pointer: coarse) and (max-width: 760px)').matches

interface Wanted {
  readonly amountFen: number
  readonly method: string
  readonly idempotencyKey: string
}

/** The open payment. Kept by the gateway, so a reload or a second tab finds it again. */
export function usePayment() {
  const [, navigate] = useLocation()
  const [chosen, setChosen] = useState<null | undefined>(undefined)
  const { data: newest } = useQuery(newestQuery)
  const found = newest?.items[0]
  const paymentId = chosen === undefined ? (found && isOpen(found) ? found.paymentId : null) : chosen
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
      navigate(`/recharge/${payment.orderId}`)
      void refreshProjectData()
    },
  })
  return {
    paymentId,
    isCreating: creating.isPending,
    method: creating.variables?.method,
    error: creating.error,
    create(amountFen: number, method: string) {
      // The same key until the outcome is known, so that a repeat is no second payment.
      const isSame = wanted?.amountFen === amountFen && wanted.method === method
      const next = isSame ? wanted : { amountFen, method, idempotencyKey: newIdempotencyKey() }
      setWanted(next)
      creating.mutate(next)
    },
    startOver() {
      setChosen(null)
      navigate('/recharge')
    },
  }
}

export type PaymentFlow = ReturnType<typeof usePayment>

export function PaymentProgress({ paymentId, onStartOver }: { paymentId: string; onStartOver: () => void }) {
  const { t } = useTranslation()
  const { data: payment, error, refetch } = useQuery(paymentQuery(paymentId))
  const state = payment?.state
  // The list of orders says the same as this box.
  useEffect(() => {
    if (state !== undefined) void refreshProjectData()
  }, [state])
  return (
    <Sheet title={t('payment.title')} actions={<code>{paymentId}</code>}>
      {error && !payment && <Problem error={error} onRetry={() => void refetch()} />}
      {payment && (isOpen(payment) ? <OpenPayment payment={payment} /> : <EndedPayment payment={payment} />)}
      {payment && !isOpen(payment) && (
        <div className={styles.buttons}>
          <Button variant="default" onClick={onStartOver}>
            {t('payment.again')}
          </Button>
        </div>
      )}
    </Sheet>
  )
}

function OpenPayment({ payment }: { payment: Payment }) {
  const { t } = useTranslation()
  const format = useFormat()
  const secondsLeft = useSecondsLeft(payment.expiresAt)
  const params = { path: { paymentId: payment.paymentId } }
  const onSuccess = (changed: Payment) => queryClient.setQueryData(paymentQuery(payment.paymentId).queryKey, changed)
  const checking = useMutation({
    mutationFn: () => askToWrite(() => gateway.POST('/console/payments/{paymentId}/check', { params, body: {} })),
    onSuccess,
  })
  const cancelling = useMutation({
    mutationFn: () => askToWrite(() => gateway.POST('/console/payments/{paymentId}/cancel', { params, body: {} })),
    onSuccess(changed) {
      onSuccess(changed)
      void refreshProjectData()
    },
  })
  const address = payment.redirectUrl ?? (payment.method === 'simulated' ? payment.qrText : null)
  return (
    <div className={styles.payment}>
      {payment.qrText !== null && (
        <>
          <p>{t('payment.scan', { yuan: format.yuanOfFen(payment.amountFen) })}</p>
          <QrCode text={payment.qrText} label={t('payment.code')} />
        </>
      )}
      {address !== null && (
        <p>
          <a href={address} target="_blank" rel="noreferrer">
            {t('payment.open')}
          </a>
        </p>
      )}
      {payment.qrText === null && payment.redirectUrl === null && <Notice isNews>{t('payment.preparing')}</Notice>}
      <p role="timer">{secondsLeft > 0 ? `${t('payment.left')}: ${clockText(secondsLeft)}` : t('payment.ended')}</p>
      {checking.isSuccess && <Notice isNews>{t('payment.checking')}</Notice>}
      {(checking.error ?? cancelling.error) && <Problem error={(checking.error ?? cancelling.error)!} />}
      <div className={styles.buttons}>
        <Button size="md" loading={checking.isPending} onClick={() => checking.mutate()}>
          {t('payment.check')}
        </Button>
        <Button size="md" variant="default" loading={cancelling.isPending} onClick={() => cancelling.mutate()}>
          {t('payment.cancel')}
        </Button>
      </div>
    </div>
  )
}

function EndedPayment({ payment }: { payment: Payment }) {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  const extraText = useExtraText()
  const { data: order } = useQuery(orderQuery(payment.orderId))
  const state = payment.state as Exclude<Payment['state'], 'created' | 'waiting'>
  const { refundedFen = 0, extraPayments = [] } = order ?? {}
  const refunded = t('recharge.refunded', { yuan: format.yuanOfFen(refundedFen) })
  const extra = extraPayments.length > 0 && <Notice tone="wait" isNews title={extraText(extraPayments)} />
  if (state === 'failed' && refundedFen > 0) return <Notice isNews title={refunded} />
  const title = t(`payment.states.${state}`, { credits: creditsText(payment.credits) })
  if (state === 'paid') {
    return (
      <>
        <Notice tone="good" isNews title={title}>
          {refundedFen > 0 && refunded}
        </Notice>
        {extra}
      </>
    )
  }
  return (
    <Notice tone="wait" isNews title={title}>
      {t(state === 'review' ? 'payment.reviewHint' : 'payment.late')}
    </Notice>
  )
}

function useSecondsLeft(expiresAt: string): number {
  const left = () => Math.max(0, Math.ceil((Date.parse(expiresAt) - Date.now()) / 1000))
  const [seconds, setSeconds] = useState(left)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(left()), 500)
    return () => clearInterval(timer)
  })
  return seconds
}

const clockText = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

export function PayWith({ flow, amountFen }: { flow: PaymentFlow; amountFen: number | null }) {
  const { t, i18n } = useTranslation()
  const { data } = useQuery(methodsQuery)
  if (!data || data.methods.length === 0) return null
  const nameOf = (method: string) =>
    i18n.exists(`payment.methods.${method}`) ? t(`payment.methods.${method as 'wechat'}`) : method
  return (
    <fieldset className={styles.methods}>
      <legend>{t('payment.payWith')}</legend>
      {data.methods.map((method) => (
        <Button
          key={method}
          size="md"
          variant="default"
          disabled={amountFen === null}
          loading={flow.isCreating && flow.method === method}
          onClick={() => amountFen !== null && flow.create(amountFen, method)}
        >
          {nameOf(method)}
        </Button>
      ))}
      {flow.error && <Problem error={flow.error} />}
    </fieldset>
  )
}
