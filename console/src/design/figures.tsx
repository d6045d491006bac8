import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChargeState, Key, Order } from '../api/types.ts'
import { useFormat } from '../format/format.ts'
import styles from './figures.module.css'
import type { Tone } from './notice.tsx'

interface FiguresProps {
  /** Three columns at any width, so that several rows line up. */
  readonly isAligned?: boolean
  readonly children: ReactNode
}

export const Figures = ({ isAligned, children }: FiguresProps) => (
  <dl className={styles.figures} data-aligned={isAligned}>
    {children}
  </dl>
)

interface FigureProps {
  readonly title: ReactNode
  /** The most important figure. */
  readonly isMain?: boolean
  readonly children: ReactNode
}

export const Figure = ({ title, isMain, children }: FigureProps) => (
  <div data-main={isMain || undefined}>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
)

interface CreditFigureProps {
  readonly title: string
  readonly credits: number
  /** Shows its colour in the credit bar. */
  readonly part?: CreditPart
  /** Shown as a deduction. */
  readonly isLess?: boolean
  readonly isMain?: boolean
}

export function CreditFigure({ title, credits, part, isLess, isMain = false }: CreditFigureProps) {
  const format = useFormat()
  const name = (
    <>
      {part && <PartMark part={part} />}
      {title}
    </>
  )
  return (
    <Figure title={name} isMain={isMain}>
      {isLess && credits > 0 && '−'}
      {format.number(credits)} <span className={styles.worth}>{format.yuanOfCredits(credits)}</span>
    </Figure>
  )
}

export function Amount({ credits, size = 'md' }: { credits: number; size?: 'md' | 'lg' | 'xl' }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <span className={styles.amount} data-size={size}>
      <span className={styles.figure}>{format.number(credits)}</span>{' '}
      <span className={styles.unit}>{t('common.credits')}</span>
    </span>
  )
}

/** Says "3 credits" in the reader's language. */
export function useCreditsText(): (credits: number) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return (credits) => t('common.creditsCount', { count: credits, amount: format.number(credits) })
}

interface BarProps {
  readonly percent: number
  readonly label: string
  readonly tone?: 'good' | 'wait' | 'bad'
}

export const Bar = ({ percent, label, tone = 'good' }: BarProps) => (
  <div
    className={styles.bar}
    role="progressbar"
    aria-label={label}
    aria-valuenow={Math.round(percent)}
    aria-valuemin={0}
    aria-valuemax={100}
  >
    <span className={styles.done} data-tone={tone} style={{ width: `${percent}%` }} />
  </div>
)

export const creditParts = ['spent', 'reserved', 'available'] as const
type CreditPart = (typeof creditParts)[number]

/** How the credits divide into spent, reserved and available. */
export const CreditBar = ({ credits, label }: { credits: Record<CreditPart, number>; label: string }) => (
  <div className={styles.creditBar} role="img" aria-label={label}>
    {creditParts
      .filter((part) => credits[part] > 0)
      .map((part) => (
        <span key={part} className={styles[part]} style={{ flexGrow: credits[part] }} />
      ))}
  </div>
)

/** The colour of a part in the credit bar. */
const PartMark = ({ part }: { part: CreditPart }) => <span className={`${styles.partMark} ${styles[part]}`} />

export type Fact = readonly [term: ReactNode, value: ReactNode]

export function Facts({ facts }: { facts: readonly (Fact | false | null | undefined)[] }) {
  return (
    <dl>
      {facts.map(
        (fact) =>
          fact && (
            <div key={String(fact[0])} className={styles.fact}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** A time to the second; with the year only if it is not the current one. */
export function Time({ at }: { at: string }) {
  const format = useFormat()
  return (
    <time className={styles.time} dateTime={at} title={format.exactTime(at)}>
      {format.shortTime(at)}
    </time>
  )
}

const tones: Record<ChargeState | Key['state'] | Order['state'], Tone> = {
  settled: 'good',
  credited: 'good',
  active: 'good',
  reserved: 'wait',
  pending: 'wait',
  simulated_paid: 'wait',
  manual_review: 'wait',
  in_review: 'wait',
  failed: 'bad',
  released: 'plain',
  revoked: 'plain',
  expired: 'plain',
  cancelled: 'plain',
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

/** A state as a word with a coloured dot. */
export function Mark({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={styles.stateMark} data-tone={tone}>
      {children}
    </span>
  )
}

/** A key by its name, with its prefix as the second line. */
export function KeyLabel({ name, prefix }: { name: string | null; prefix: string }) {
  return (
    <span className={styles.keyLabel}>
      {name && <bdi>{name}</bdi>}
      <code>{prefix}</code>
    </span>
  )
}
