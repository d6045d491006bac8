import { useTranslation } from 'react-i18next'
import type { ChargeState, Key, Order } from '../api/types.ts'
import type { Tone } from './notice.tsx'
import styles from './state-mark.module.css'

const tones: Record<ChargeState | Key['state'] | Order['state'], Tone> = {
  settled: 'good',
  credited: 'good',
  active: 'good',
  reserved: 'wait',
  pending: 'wait',
  simulated_paid: 'wait',
  manual_review: 'wait',
  released: 'plain',
  revoked: 'plain',
  expired: 'plain',
}

interface StateMarkProps<S> {
  readonly state: S
}

export function ChargeMark({ state }: StateMarkProps<ChargeState>) {
  const { t } = useTranslation()
  return <Mark tone={tones[state]}>{t(`chargeStates.${state}`)}</Mark>
}

export function KeyMark({ state }: StateMarkProps<Key['state']>) {
  const { t } = useTranslation()
  return <Mark tone={tones[state]}>{t(`keyStates.${state}`)}</Mark>
}

export function OrderMark({ state }: StateMarkProps<Order['state']>) {
  const { t } = useTranslation()
  return <Mark tone={tones[state]}>{t(`orderStates.${state}`)}</Mark>
}

/** A state in a word; the dot only repeats it. */
export function Mark({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={styles.mark} data-tone={tone}>
      {children}
    </span>
  )
}
