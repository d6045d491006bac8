import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Redirect, useParams } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { ordersQuery, overviewQuery, pricingQuery, refreshProjectData } from '../../api/queries.ts'
import type { Order, Pricing } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { TextInput } from '../../design/field.tsx'
import { Amount } from '../../design/figures.tsx'
import { Notice, Problem, useSecondsUntil } from '../../design/notice.tsx'
import { PageHead, PageSkeleton, Sheet } from '../../design/page.tsx'
import { OrderTable } from '../../design/tables.tsx'
import { plainDigits } from '../../format/digits.ts'
import { useFormat } from '../../format/format.ts'
import { addWords } from '../../i18n/i18n.ts'
import { Cashier } from '../payment/cashier.tsx'
import { Methods, useMethod } from '../payment/methods.tsx'
import { methodsQuery, type PaidOrder } from '../payment/queries.ts'
import { type PaymentFlow, useOpenPayment, usePayment } from '../payment/use-payment.ts'
import * as words from '../payment/words.ts'
import { VerifyButton } from '../proof/verify-button.tsx'
import { OrderProgress, type RechargeFlow, UnknownCreate, useRecharge } from './order-progress.tsx'
import styles from './recharge.module.css'

addWords(words)

export function Recharge() {
  const { t } = useTranslation()
  const { data: pricing, error, refetch } = useQuery(pricingQuery)
  const { data: offered, error: methodsError, refetch: readMethods } = useQuery(methodsQuery)
  const { orderId = null } = useParams()
  const [openedWith] = useState(orderId)
  const flow = useRecharge(orderId)
  const payment = usePayment()
  const openOrderId = useOpenPayment()
  const state = useHistoryState<object | null>()
  useNewsOf(flow.order)
  if ((!pricing && !error) || (!offered && !methodsError)) return <PageSkeleton label={t('common.loading')} />
  if (orderId === null && openOrderId !== null && !payment.isCreateUnknown)
    return <Redirect to={`/recharge/${openOrderId}`} state={state} replace />

  const methods = offered?.methods ?? []
  const isOpen = pricing?.paymentMode === 'local-simulated'
  const isSimulated = isOpen && methods.every((method) => method === 'simulated')
  const isOrdering = orderId !== null || flow.isCreateUnknown || flow.isCreating
  const isKnown = pricing !== undefined && offered !== undefined
  const takesFocus = orderId !== openedWith
  return (
    <div>
      <PageHead title={t('recharge.title')} lead={t('recharge.lead')} />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {methodsError && !offered && <Problem error={methodsError} onRetry={() => void readMethods()} />}
      {isKnown && !isOpen && methods.length === 0 && (
        <Notice title={t('recharge.disabledTitle')}>{t('recharge.disabled')}</Notice>
      )}
      {isKnown && isSimulated && <Notice title={t('recharge.simulatedTitle')}>{t('recharge.simulated')}</Notice>}
      {flow.readError && !flow.order && <Problem error={flow.readError} onRetry={flow.readAgain} />}
      {flow.order && hasPayment(flow.order) ? (
        <Cashier key={orderId} order={flow.order} takesFocus={takesFocus} onStartOver={payment.startOver} />
      ) : (
        isOrdering &&
        (orderId === null || flow.order) && <OrderProgress key={orderId} flow={flow} takesFocus={takesFocus} />
      )}
      {orderId === null && payment.isCreateUnknown && <UnknownCreate flow={payment} />}
      {isKnown && (isOpen || methods.length > 0) && !isOrdering && !payment.isCreateUnknown && (
        <AmountForm pricing={pricing} flow={flow} payment={payment} methods={methods} />
      )}
      <OrderList canPay={isOpen} shown={flow.order} />
    </div>
  )
}

const hasPayment = (order: Order): order is PaidOrder => order.paymentId !== null

/** Refreshes the balance and the list when the order that is shown changes. */
function useNewsOf(order: Order | null): void {
  const news = order && `${order.state} ${order.refundedFen} ${order.extraPayments.length}`
  const seen = useRef({ orderId: order?.orderId, news })
  useEffect(() => {
    const isNews = seen.current.orderId === order?.orderId && seen.current.news !== news
    seen.current = { orderId: order?.orderId, news }
    if (isNews) void refreshProjectData()
  }, [order?.orderId, news])
}

const presets = [10, 50, 100, 500, 1000]
const fenPerYuan = 100

/** Any whole amount; shows what it buys while typing. */
interface AmountFormProps {
  pricing: Pricing
  flow: RechargeFlow
  payment: PaymentFlow
  /** Without any, an order is confirmed without a payment. */
  methods: readonly string[]
}

function AmountForm({ pricing, flow, payment, methods }: AmountFormProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { data: overview } = useQuery(overviewQuery)
  const [text, setText] = useState('50')
  const [isFaultShown, setFaultShown] = useState(false)
  const [method, setMethod] = useMethod(methods)

  const yuan = /^[0-9]{1,6}$/.test(text) ? Number(text) : Number.NaN
  const amountFen = yuan * fenPerYuan
  const isValid = amountFen >= pricing.minAmountFen && amountFen <= pricing.maxAmountFen
  const range = {
    min: format.number(pricing.minAmountFen / fenPerYuan),
    max: format.number(pricing.maxAmountFen / fenPerYuan),
  }
  const createError = flow.createError ?? payment.createError
  const credits = isValid ? yuan * pricing.creditsPerYuan : 0

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isValid) return method === null ? flow.create(amountFen) : payment.create(amountFen, method)
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
        {createError && <Problem error={createError} />}
        {method !== null && <Methods methods={methods} value={method} onChoose={setMethod} />}
        <div className={styles.pay}>
          <Button type="submit" size="md" loading={flow.isCreating || payment.isCreating}>
            {method === null
              ? t('recharge.create')
              : isValid
                ? t('payment.pay', { yuan: format.yuanOfFen(amountFen) })
                : t('payment.payNothing')}
          </Button>
        </div>
      </form>
    </Sheet>
  )
}

/** Each order has its own address, where it is paid or cancelled. */
function OrderList({ canPay, shown }: { canPay: boolean; shown: Order | null }) {
  const { t } = useTranslation()
  return (
    <Sheet title={t('recharge.orders')}>
      <OrderTable
        query={ordersQuery}
        newest={shown}
        name={({ orderId }) => (
          <Link href={`/recharge/${orderId}`}>
            <code>{orderId}</code>
          </Link>
        )}
        action={(order) => <OrderAction order={order} canPay={canPay} />}
      />
    </Sheet>
  )
}

function OrderAction({ order: { orderId, state, paymentId, expiresAt }, canPay }: { order: Order; canPay: boolean }) {
  const { t } = useTranslation()
  // After its time only the provider can say how a payment ended.
  const isInTime = useSecondsUntil(state === 'pending' ? Date.parse(expiresAt) : null) > 0
  if (state === 'credited') return <VerifyButton of={{ orderId }} isInRow />
  if (!isInTime || (!canPay && paymentId === null)) return null
  return (
    <Link href={`/recharge/${orderId}`} aria-label={t('recharge.continueLabel', { orderId })}>
      {t('recharge.continue')}
    </Link>
  )
}
