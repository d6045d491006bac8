import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Unreachable } from '../../api/ask.ts'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { pricingQuery, refreshProjectData } from '../../api/queries.ts'
import type { Order, Payment } from '../../api/types.ts'
import { Button, buttonLook } from '../../design/button.tsx'
import { useCreditsText } from '../../design/figures.tsx'
import { Notice, Problem, useSecondsUntil } from '../../design/notice.tsx'
import { QrCode } from '../../design/qr-code.tsx'
import { useFormat } from '../../format/format.ts'
import styles from './cashier.module.css'
import { MethodMark } from './marks.tsx'
import { useMethodName } from './methods.tsx'
import { isPreparing, type PaidOrder, paymentQuery } from './queries.ts'

/** An open payment: the amount, what it buys, the code or the app, and the time left. */
export function Waiting({ order }: { order: PaidOrder }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { data: payment, error, refetch } = useQuery(paymentQuery(order.paymentId))
  const secondsLeft = useSecondsUntil(Date.parse(order.expiresAt))
  return (
    <>
      {payment && <MethodName method={payment.method} />}
      <p className={styles.amount}>{format.yuanOfFen(order.amountFen)}</p>
      <Buys order={order} />
      {error && !payment && <Problem error={error} onRetry={() => void refetch()} />}
      {secondsLeft > 0 && payment && <HowToPay payment={payment} />}
      {secondsLeft > 0 && !payment && <div className={styles.code} />}
      <p role="timer" className={styles.left}>
        {secondsLeft > 0 ? (
          <>
            {t('payment.left')} <strong>{clockText(secondsLeft)}</strong>
          </>
        ) : (
          t('payment.ended')
        )}
      </p>
      <Moves paymentId={order.paymentId} />
    </>
  )
}

function MethodName({ method }: { method: string }) {
  const nameOf = useMethodName()
  return (
    <p className={styles.method}>
      <MethodMark method={method} />
      {nameOf(method)}
    </p>
  )
}

/** A payer knows calls, not credits. */
function Buys({ order: { creditAmount } }: { order: Order }) {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  const { data: pricing } = useQuery(pricingQuery)
  const price = pricing?.operations.find(({ operation }) => operation === 'model.chat')?.credits
  const credits = creditsText(creditAmount)
  return (
    <p className={styles.buys}>
      {price ? t('payment.buys', { credits, calls: format.number(Math.floor(creditAmount / price)) }) : credits}
    </p>
  )
}

function HowToPay({ payment }: { payment: Payment }) {
  const { t } = useTranslation()
  const help = useHelp(payment)
  const { method, qrText, redirectUrl } = payment
  if (isPreparing(payment)) {
    return (
      <>
        <div className={styles.code} />
        <p role="status">{t('payment.preparing')}</p>
      </>
    )
  }
  return (
    <>
      {redirectUrl === null && qrText !== null && (
        <div className={styles.code}>
          <QrCode text={qrText} label={t('payment.code')} />
        </div>
      )}
      {method === 'simulated' ? (
        <SimulatedPay address={redirectUrl ?? qrText!} />
      ) : redirectUrl !== null ? (
        <OpenApp method={method} address={redirectUrl} />
      ) : qrText?.startsWith('https://') ? (
        // Such a code is an address that opens the app; shown on phones only.
        <OpenApp method={method} address={qrText} isOnPhones />
      ) : (
        <p className={styles.onPhones}>{t('payment.otherDevice')}</p>
      )}
      <p className={styles.help}>{help}</p>
    </>
  )
}

function useHelp({ method, redirectUrl }: Payment): string {
  const { t, i18n } = useTranslation()
  if (method === 'simulated' || redirectUrl === null)
    return t(`payment.help.${i18n.exists(`payment.help.${method}`) ? (method as 'wechat') : 'other'}`)
  return t('payment.help.redirect')
}

interface OpenAppProps {
  readonly method: string
  readonly address: string
  readonly isOnPhones?: boolean
}

function OpenApp({ method, address, isOnPhones }: OpenAppProps) {
  const { t, i18n } = useTranslation()
  const hasApp = i18n.exists(`payment.openApp.${method}`)
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener"
      // WeChat Pay refuses a visitor without the origin that is registered with it.
      referrerPolicy="origin"
      {...buttonLook({ size: 'md', className: isOnPhones ? styles.onPhones : styles.main })}
    >
      {hasApp ? t(`payment.openApp.${method as 'wechat'}`) : t('payment.open')}
    </a>
  )
}

/** Pays here, as the page of the simulated provider does; that page can also misbehave. */
function SimulatedPay({ address }: { address: string }) {
  const { t } = useTranslation()
  const paying = useMutation({
    async mutationFn() {
      const sent = fetch(address, { method: 'POST', body: new URLSearchParams({ action: 'pay' }) })
      const { ok } = await sent.catch((cause) => Promise.reject(new Unreachable(cause)))
      if (!ok) throw new Unreachable(null)
    },
    onSettled: () => refreshProjectData(),
  })
  return (
    <>
      <Button size="md" className={styles.main} loading={paying.isPending} onClick={() => paying.mutate()}>
        {t('payment.paySimulated')}
      </Button>
      {paying.error && <Problem error={paying.error} />}
      <a href={address} target="_blank" rel="noopener" referrerPolicy="origin">
        {t('payment.open')}
      </a>
    </>
  )
}

function Moves({ paymentId }: { paymentId: string }) {
  const { t } = useTranslation()
  const params = { path: { paymentId } }
  const checking = useMutation({
    mutationFn: () => askToWrite(() => gateway.POST('/console/payments/{paymentId}/check', { params, body: {} })),
    onSuccess: () => refreshProjectData(),
  })
  const cancelling = useMutation({
    mutationFn: () => askToWrite(() => gateway.POST('/console/payments/{paymentId}/cancel', { params, body: {} })),
    // Refetch either way: it may have been paid or cancelled elsewhere.
    onSettled: () => refreshProjectData(),
  })
  const error = checking.error ?? cancelling.error
  return (
    <>
      {checking.isSuccess && <Notice isNews>{t('payment.checking')}</Notice>}
      {error && <Problem error={error} />}
      <div className={styles.buttons}>
        <Button size="md" variant="default" loading={checking.isPending} onClick={() => checking.mutate()}>
          {t('payment.check')}
        </Button>
        <Button size="md" variant="subtle" loading={cancelling.isPending} onClick={() => cancelling.mutate()}>
          {t('payment.cancel')}
        </Button>
      </div>
    </>
  )
}

const clockText = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
