import { useTranslation } from 'react-i18next'
import type { Order } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { useCreditsText } from '../../design/figures.tsx'
import { Icons } from '../../design/icons.tsx'
import { Notice } from '../../design/notice.tsx'
import { useExtraText, usePaidText } from '../../design/tables.tsx'
import { useFormat } from '../../format/format.ts'
import { NextStep } from '../recharge/next-step.tsx'
import styles from './cashier.module.css'

interface OutcomeProps {
  readonly order: Order
  readonly onStartOver: () => void
}

export function Paid({ order, onStartOver }: OutcomeProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const creditsText = useCreditsText()
  const { amount, text } = usePaidText()({ ...order, orderFen: order.amountFen })
  return (
    <>
      <span className={styles.done}>
        <Icons.check size={28} />
      </span>
      <div role="status" className={styles.said}>
        <p className={styles.title}>{t('payment.states.paid', { credits: creditsText(order.creditAmount) })}</p>
        <p>{text === amount ? t('payment.paid', { yuan: amount }) : text}</p>
        {order.paidAt && <p>{t('payment.paidAt', { time: format.dateTime(order.paidAt) })}</p>}
        {order.refundedFen > 0 && (
          <p>{t('recharge.refunded', { yuan: format.money(order.refundedFen, order.paidCurrency ?? 'CNY') })}</p>
        )}
      </div>
      <div className={styles.buttons}>
        <NextStep />
        <Button size="md" variant="default" onClick={onStartOver}>
          {t('payment.again')}
        </Button>
      </div>
    </>
  )
}

type EndedState = Exclude<Order['state'], 'pending' | 'credited' | 'simulated_paid'>

export function Ended({ order, state, onStartOver }: OutcomeProps & { readonly state: EndedState }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { amount, text } = usePaidText()({ ...order, orderFen: order.amountFen })
  const isReturned = state === 'failed' && order.refundedFen > 0
  const title = isReturned
    ? t('recharge.refunded', { yuan: format.money(order.refundedFen, order.paidCurrency ?? 'CNY') })
    : t(`payment.states.${state}`)
  return (
    <>
      <p className={styles.amount}>{amount}</p>
      {text !== amount && <p>{text}</p>}
      <Notice tone={isReturned ? 'plain' : 'wait'} isNews title={title}>
        {t(isReturned ? 'payment.refundedHint' : state === 'in_review' ? 'payment.reviewHint' : 'payment.late')}
      </Notice>
      {state !== 'in_review' && (
        <div className={styles.buttons}>
          <Button size="md" variant="default" onClick={onStartOver}>
            {t('payment.startNew')}
          </Button>
        </div>
      )}
    </>
  )
}

/** Money that was received once more: it brings no credits and is paid back. */
export function ExtraPayments({ order: { extraPayments } }: { order: Order }) {
  const extraText = useExtraText()
  const { t } = useTranslation()
  return extraPayments.length === 0 ? null : (
    <Notice tone="wait" isNews title={extraText(extraPayments)}>
      {t('payment.extraHint')}
    </Notice>
  )
}
