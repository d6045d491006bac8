import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ordersQuery, overviewQuery, pricingQuery } from '../../api/queries.ts'
import type { Order, Pricing } from '../../api/types.ts'
import { Button, RowButton } from '../../design/button.tsx'
import { TextInput } from '../../design/field.tsx'
import { Amount } from '../../design/figures.tsx'
import { Notice, Problem } from '../../design/notice.tsx'
import { PageHead, PageSkeleton, Sheet } from '../../design/page.tsx'
import { OrderTable } from '../../design/tables.tsx'
import { useFormat } from '../../format/format.ts'
import { methodsQuery, type PaymentFlow, PaymentProgress, PayWith, paymentOf, usePayment } from '../payment/payment.tsx'
import { OrderProgress, type RechargeFlow, useRecharge } from './order-progress.tsx'
import styles from './recharge.module.css'

export function Recharge() {
  const { t } = useTranslation()
  const { data: pricing, error, refetch } = useQuery(pricingQuery)
  const flow = useRecharge()
  const payment = usePayment()
  const { data: offered } = useQuery(methodsQuery)
  const resuming = useMutation({
    // An order with a payment cannot be confirmed by hand.
    mutationFn: async (order: Order) => ({ order, payment: await paymentOf(order.orderId) }),
    onSuccess({ order, payment: found }) {
      if (!found) return flow.resume(order)
      flow.startOver()
      payment.show(found.paymentId)
      scrollTo({ top: 0 })
    },
  })
  if (!pricing && !error) return <PageSkeleton label={t('common.loading')} />
  const isOpen = pricing?.paymentMode === 'local-simulated'
  const canPay = (offered?.methods.length ?? 0) > 0
  const isOrdering = flow.order !== null || flow.isCreateUnknown || flow.isCreating
  return (
    <div>
      <PageHead title={t('recharge.title')} lead={t('recharge.lead')} />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {pricing && !isOpen && !canPay && <Notice title={t('recharge.disabledTitle')}>{t('recharge.disabled')}</Notice>}
      {pricing && isOpen && <Notice title={t('recharge.simulatedTitle')}>{t('recharge.simulated')}</Notice>}
      {isOrdering && <OrderProgress key={flow.order?.orderId} flow={flow} />}
      {!isOrdering && payment.paymentId !== null && (
        <PaymentProgress key={payment.paymentId} paymentId={payment.paymentId} onStartOver={payment.startOver} />
      )}
      {pricing && (isOpen || canPay) && !isOrdering && payment.paymentId === null && (
        <AmountForm pricing={pricing} flow={flow} payment={payment} canOrder={isOpen} />
      )}
      {resuming.error && <Problem error={resuming.error} />}
      <OrderList {...((isOpen || canPay) && { onResume: resuming.mutate })} />
    </div>
  )
}

const presets = [10, 50, 100, 500, 1000]
const fenPerYuan = 100

/** Any whole amount; shows what it buys while typing. */
interface AmountFormProps {
  pricing: Pricing
  flow: RechargeFlow
  payment: PaymentFlow
  /** Whether an order can be confirmed without a payment. */
  canOrder: boolean
}

function AmountForm({ pricing, flow, payment, canOrder }: AmountFormProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { data: overview } = useQuery(overviewQuery)
  const [text, setText] = useState('50')
  const [isFaultShown, setFaultShown] = useState(false)

  const yuan = /^[0-9]{1,6}$/.test(text) ? Number(text) : Number.NaN
  const amountFen = yuan * fenPerYuan
  const isValid = amountFen >= pricing.minAmountFen && amountFen <= pricing.maxAmountFen
  const range = {
    min: format.number(pricing.minAmountFen / fenPerYuan),
    max: format.number(pricing.maxAmountFen / fenPerYuan),
  }
  const credits = isValid ? yuan * pricing.creditsPerYuan : 0

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isValid && canOrder) return flow.create(amountFen)
    if (isValid) return
    setFaultShown(true)
    event.currentTarget.querySelector('input')?.focus()
  }

  return (
    <Sheet>
      <form onSubmit={submit} noValidate className={styles.form}>
        <div className={styles.choose}>
          <TextInput
            label={t('recharge.amount')}
            description={t('recharge.amountHint', range)}
            inputMode="numeric"
            autoComplete="off"
            size="lg"
            leftSection="¥"
            name="amount"
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value.trim())
              setFaultShown(false)
            }}
            onBlur={() => setFaultShown(text !== '' && !isValid)}
            error={isFaultShown && !isValid && t('recharge.amountWrong', range)}
          />
          <fieldset className={styles.presets}>
            <legend>{t('recharge.presets')}</legend>
            {presets.map((preset) => (
              <Button
                key={preset}
                size="compact-md"
                variant={yuan === preset ? 'filled' : 'default'}
                aria-pressed={yuan === preset}
                onClick={() => setText(String(preset))}
              >
                ¥{format.number(preset)}
              </Button>
            ))}
          </fieldset>
        </div>
        <dl className={styles.result} aria-live="polite">
          <div>
            <dt>{t('recharge.youGet')}</dt>
            <dd>
              <Amount credits={credits} size="xl" />
            </dd>
          </div>
          {overview && (
            <div>
              <dt>{t('recharge.afterwards')}</dt>
              <dd>
                <Amount credits={overview.credits.available + credits} />
              </dd>
            </div>
          )}
        </dl>
        {flow.createError && <Problem error={flow.createError} />}
        <PayWith flow={payment} amountFen={isValid ? amountFen : null} />
        {canOrder && (
          <div>
            <Button type="submit" size="md" loading={flow.isCreating}>
              {t('recharge.create')}
            </Button>
          </div>
        )}
      </form>
    </Sheet>
  )
}

function OrderList({ onResume }: { onResume?: (order: Order) => void }) {
  const { t } = useTranslation()
  return (
    <Sheet title={t('recharge.orders')}>
      <OrderTable
        query={ordersQuery}
        action={(order) =>
          order.state === 'pending' &&
          onResume && <RowButton onClick={() => onResume(order)}>{t('recharge.continue')}</RowButton>
        }
      />
    </Sheet>
  )
}
