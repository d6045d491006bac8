import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'wouter'
import { ordersQuery, overviewQuery, pricingQuery } from '../../api/queries.ts'
import type { Pricing } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { TextInput } from '../../design/field.tsx'
import { Amount } from '../../design/figures.tsx'
import { Notice, Problem } from '../../design/notice.tsx'
import { PageHead, PageSkeleton, Sheet } from '../../design/page.tsx'
import { OrderTable } from '../../design/tables.tsx'
import { plainDigits } from '../../format/digits.ts'
import { useFormat } from '../../format/format.ts'
import { methodsQuery, type PaymentFlow, PaymentProgress, PayWith, usePayment } from '../payment/payment.tsx'
import { VerifyButton } from '../proof/verify-button.tsx'
import { OrderProgress, type RechargeFlow, useRecharge } from './order-progress.tsx'
import styles from './recharge.module.css'

export function Recharge() {
  const { t } = useTranslation()
  const { data: pricing, error, refetch } = useQuery(pricingQuery)
  const { orderId = null } = useParams()
  const [openedWith] = useState(orderId)
  const flow = useRecharge(orderId)
  const payment = usePayment()
  const { data: offered } = useQuery(methodsQuery)
  if (!pricing && !error) return <PageSkeleton label={t('common.loading')} />
  const isOpen = pricing?.paymentMode === 'local-simulated'
  const canPay = (offered?.methods.length ?? 0) > 0
  const paymentId = orderId === null ? payment.paymentId : (flow.order?.paymentId ?? null)
  const isOrdering = orderId !== null || flow.isCreateUnknown || flow.isCreating
  return (
    <div>
      <PageHead title={t('recharge.title')} lead={t('recharge.lead')} />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {pricing && !isOpen && !canPay && <Notice title={t('recharge.disabledTitle')}>{t('recharge.disabled')}</Notice>}
      {pricing && isOpen && <Notice title={t('recharge.simulatedTitle')}>{t('recharge.simulated')}</Notice>}
      {flow.readError && !flow.order && <Problem error={flow.readError} onRetry={flow.readAgain} />}
      {paymentId !== null && <PaymentProgress key={paymentId} paymentId={paymentId} onStartOver={payment.startOver} />}
      {paymentId === null && isOrdering && (orderId === null || flow.order) && (
        <OrderProgress key={orderId} flow={flow} takesFocus={orderId !== openedWith} />
      )}
      {pricing && (isOpen || canPay) && !isOrdering && paymentId === null && (
        <AmountForm pricing={pricing} flow={flow} payment={payment} canOrder={isOpen} />
      )}
      <OrderList canPay={isOpen} />
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
              setText(plainDigits(event.currentTarget.value))
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

/** Each order has its own address, where it is paid or cancelled. */
function OrderList({ canPay }: { canPay: boolean }) {
  const { t } = useTranslation()
  return (
    <Sheet title={t('recharge.orders')}>
      <OrderTable
        query={ordersQuery}
        name={({ orderId }) => (
          <Link href={`/recharge/${orderId}`}>
            <code>{orderId}</code>
          </Link>
        )}
        action={({ orderId, state, paymentId }) =>
          state === 'credited' ? (
            <VerifyButton of={{ orderId }} isInRow />
          ) : (
            state === 'pending' &&
            (canPay || paymentId !== null) && (
              <Link href={`/recharge/${orderId}`} aria-label={t('recharge.continueLabel', { orderId })}>
                {t('recharge.continue')}
              </Link>
            )
          )
        }
      />
    </Sheet>
  )
}
