import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyId } from '../../design/copy.tsx'
import { Sheet } from '../../design/page.tsx'
import styles from './cashier.module.css'
import { Ended, ExtraPayments, Paid } from './outcome.tsx'
import type { PaidOrder } from './queries.ts'
import { Waiting } from './waiting.tsx'

interface CashierProps {
  readonly order: PaidOrder
  readonly takesFocus: boolean
  readonly onStartOver: () => void
}

/** An order with a payment, from the code to the next step. Its state is the order's, as in the list. */
export function Cashier({ order, takesFocus, onStartOver }: CashierProps) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const { state } = order
  useEffect(() => {
    if (takesFocus) box.current?.focus()
  }, [takesFocus])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new state removes the button that had the focus.
  useEffect(() => {
    if (document.activeElement === document.body && takesFocus) box.current?.focus()
  }, [state])
  return (
    <div ref={box} tabIndex={-1} className={styles.box}>
      <Sheet
        title={t('payment.title')}
        actions={<CopyId id={order.paymentId} of={t('payment.paymentId')} />}
        className={styles.sheet}
      >
        <div className={styles.cashier}>
          {state === 'pending' ? (
            <Waiting order={order} />
          ) : state === 'credited' || state === 'simulated_paid' ? (
            <Paid order={order} onStartOver={onStartOver} />
          ) : (
            <Ended order={order} state={state} onStartOver={onStartOver} />
          )}
          <ExtraPayments order={order} />
        </div>
      </Sheet>
    </div>
  )
}
