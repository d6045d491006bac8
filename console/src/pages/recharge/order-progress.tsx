import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { orderMinutes } from '../../../../src/contract/choices.ts'
import { ask, isRefused, isUnanswered } from '../../api/ask.ts'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { orderQuery, queryClient, refreshProjectData } from '../../api/queries.ts'
import type { Order } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { useCreditsText } from '../../design/figures.tsx'
import { Notice, Problem } from '../../design/notice.tsx'
import { Sheet } from '../../design/page.tsx'
import { type Step, Steps } from '../../design/steps.tsx'
import { newIdempotencyKey } from '../../format/code-samples.ts'
import { useFormat } from '../../format/format.ts'
import { NextStep } from './next-step.tsx'
import styles from './recharge.module.css'

/** The order as steps; a lost response is a step that says how to continue safely. */
export function OrderProgress({ flow, takesFocus }: { flow: RechargeFlow; takesFocus: boolean }) {
  const { t } = useTranslation()
  const progress = useRef<HTMLDivElement>(null)
  // It replaces the form or appears above the list, so it takes the focus.
  useEffect(() => {
    if (takesFocus) progress.current?.focus()
  }, [takesFocus])
  return (
    <div ref={progress} tabIndex={-1} className={styles.progress}>
      <Sheet title={t('recharge.timeline')} actions={flow.order && <code>{flow.order.orderId}</code>}>
        <Steps steps={useSteps(flow)} />
        <div className={styles.next}>
          {flow.isCreateUnknown ? <UnknownCreate flow={flow} /> : flow.order && <NextMove flow={flow} />}
        </div>
      </Sheet>
    </div>
  )
}

function useSteps({ order, isCreateUnknown, isConfirmUnknown }: RechargeFlow): Step[] {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  const isCredited = order?.state === 'credited'
  const isPending = order?.state === 'pending'
  return [
    {
      key: 'created',
      title: t('recharge.stepCreated'),
      state: order ? 'done' : isCreateUnknown ? 'wait' : 'now',
      time: order && format.dateTime(order.createdAt),
      hint:
        order &&
        t('recharge.stepCreatedHint', {
          yuan: format.yuanOfFen(order.amountFen),
          credits: creditsText(order.creditAmount),
          version: order.pricingVersion,
        }),
    },
    {
      key: 'paid',
      title: t('recharge.stepPaid'),
      state: isCredited ? 'done' : isPending ? (isConfirmUnknown ? 'wait' : 'now') : 'later',
      time: order?.paidAt && format.dateTime(order.paidAt),
      hint: order && isPending && t('recharge.stepPaidHint'),
    },
    {
      key: 'credited',
      title: t('recharge.stepCredited'),
      state: isCredited ? 'done' : 'later',
      time: order?.creditedAt && format.dateTime(order.creditedAt),
      hint: isCredited && t('recharge.stepCreditedHint', { credits: creditsText(order.creditAmount) }),
    },
  ]
}

interface UnknownCreateProps {
  readonly flow: Pick<RechargeFlow, 'isCreating'> & { readonly createAgain: () => unknown }
}

/** After a lost response: the repeat has the same Idempotency-Key. */
export function UnknownCreate({ flow }: UnknownCreateProps) {
  const { t } = useTranslation()
  return (
    <Notice
      tone="wait"
      isNews
      title={t('recharge.unknownCreateTitle')}
      actions={
        <Button loading={flow.isCreating} onClick={flow.createAgain}>
          {t('recharge.checkAgain')}
        </Button>
      }
    >
      {t('recharge.unknownCreate')}
    </Notice>
  )
}

function NextMove({ flow }: { flow: RechargeFlow }) {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  const order = flow.order!
  if (order.state === 'credited') {
    return (
      <Notice
        tone="good"
        isNews
        title={t('recharge.credited', { credits: creditsText(order.creditAmount) })}
        actions={
          <>
            <NextStep />
            <Button size="md" variant="default" onClick={flow.startOver}>
              {t('recharge.startOver')}
            </Button>
          </>
        }
      />
    )
  }
  if (order.state === 'cancelled' || order.state === 'expired') {
    return (
      <Notice
        isNews
        title={t(`recharge.${order.state}`)}
        actions={<Button onClick={flow.startOver}>{t('recharge.startOver')}</Button>}
      >
        {t('recharge.nothingPaid')}
      </Notice>
    )
  }
  if (flow.isConfirmUnknown) {
    return (
      <>
        <Notice
          tone="wait"
          isNews
          title={t('recharge.unknownConfirmTitle')}
          actions={
            <Button loading={flow.isChecking} onClick={flow.check}>
              {t('recharge.checkAgain')}
            </Button>
          }
        >
          {t('recharge.unknownConfirm')}
        </Notice>
        {flow.checkError && <Problem error={flow.checkError} />}
      </>
    )
  }
  return (
    <>
      {flow.wasStillPending && <Notice isNews>{t('recharge.stillPending')}</Notice>}
      {flow.confirmError && <Problem error={flow.confirmError} />}
      {flow.cancelError && <Problem error={flow.cancelError} />}
      <p>{t('recharge.payBy', { time: format.dateTime(order.expiresAt) })}</p>
      <div className={styles.buttons}>
        <Button size="md" loading={flow.isConfirming || flow.isChecking} onClick={flow.confirm}>
          {t('recharge.confirm')}
        </Button>
        <Button size="md" variant="default" onClick={flow.startOver}>
          {t('recharge.payLater')}
        </Button>
        <Button size="md" variant="default" loading={flow.isCancelling} onClick={flow.cancel}>
          {t('recharge.cancelOrder')}
        </Button>
      </div>
    </>
  )
}

/** A purchase. Its Idempotency-Key stays the same until the outcome is known, so a retry creates no second order. */
interface Intent {
  readonly amountFen: number
  readonly idempotencyKey: string
}

/** One recharge from the amount to the credits, recoverable after every lost response. The order is the one in the address. */
export function useRecharge(orderId: string | null) {
  const [, navigate] = useLocation()
  // Says where the payer came from, for the way back.
  const state = useHistoryState<object | null>()
  const [intent, setIntent] = useState<Intent | null>(null)
  const reading = useQuery(orderQuery(orderId))
  const order = orderId === null ? null : (reading.data ?? null)
  const show = (shown: Order) => queryClient.setQueryData(orderQuery(shown.orderId).queryKey, shown)

  const creating = useMutation({
    mutationFn: ({ amountFen, idempotencyKey }: Intent) =>
      askToWrite(() =>
        gateway.POST('/orders', {
          params: { header: { 'Idempotency-Key': idempotencyKey } },
          body: { amountFen },
        }),
      ),
    onSuccess({ idempotentReplay: _, ...created }) {
      setIntent(null)
      const expiresAt = new Date(Date.parse(created.createdAt) + orderMinutes * 60_000).toISOString()
      const nothingPaid = { paidFen: null, paidCurrency: null, paidAt: null, refundedFen: 0, extraPayments: [] }
      show({ ...created, ...nothingPaid, expiresAt, paymentId: null })
      navigate(`/recharge/${created.orderId}`, { state })
      void refreshProjectData()
    },
  })

  const confirming = useMutation({
    mutationFn: ({ orderId }: Order) =>
      askToWrite(() => gateway.POST('/orders/{orderId}/confirm', { params: { path: { orderId } }, body: {} })),
    onSuccess({ state, amountFen, currency, simulatedPaidAt, creditedAt }, asked) {
      const paid = { paidFen: amountFen, paidCurrency: currency, paidAt: simulatedPaidAt }
      show({ ...asked, ...paid, state, simulatedPaidAt, creditedAt })
      void refreshProjectData()
    },
    onError(error, asked) {
      // Already confirmed, perhaps by an attempt whose response was lost: read the order, never pay again.
      if (isRefused(error, 'ORDER_NOT_PAYABLE', 'ORDER_CONFIRM_CONFLICT')) checking.mutate(asked)
    },
  })

  const checking = useMutation({
    mutationFn: ({ orderId }: Order) =>
      ask(() => gateway.GET('/console/orders/{orderId}', { params: { path: { orderId } } })),
    onSuccess(found) {
      show(found)
      confirming.reset()
      void refreshProjectData()
    },
  })

  const cancelling = useMutation({
    mutationFn: ({ orderId }: Order) =>
      askToWrite(() => gateway.POST('/console/orders/{orderId}/cancel', { params: { path: { orderId } }, body: {} })),
    onSuccess(cancelled) {
      show(cancelled)
      void refreshProjectData()
    },
    onError(error, asked) {
      if (isRefused(error, 'ORDER_NOT_PAYABLE')) checking.mutate(asked)
    },
  })

  return {
    order,
    readError: orderId === null ? null : reading.error,
    readAgain: () => void reading.refetch(),
    isCreating: creating.isPending,
    isConfirming: confirming.isPending,
    isCancelling: cancelling.isPending,
    isChecking: checking.isPending,
    createError: creating.error,
    confirmError: confirming.error,
    cancelError: cancelling.error,
    checkError: checking.error,
    /** The response was lost: the order may or may not exist. */
    isCreateUnknown: intent !== null && isUnanswered(creating.error),
    isConfirmUnknown: isUnanswered(confirming.error),
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
    cancel: () => order && cancelling.mutate(order),
    check: () => order && checking.mutate(order),
    startOver() {
      setIntent(null)
      for (const mutation of [creating, confirming, cancelling, checking]) mutation.reset()
      navigate('/recharge', { state })
    },
  }
}

export type RechargeFlow = ReturnType<typeof useRecharge>
