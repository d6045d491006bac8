import type { ReactNode } from 'react'
import { useFormat } from '../format/format.ts'
import { type CreditPart, PartMark } from './credit-bar.tsx'
import styles from './figures.module.css'

interface FiguresProps {
  /** In three columns at any width, so that several rows of them line up. */
  readonly isAligned?: boolean
  readonly children: ReactNode
}

/** Amounts side by side, each below its name. */
export const Figures = ({ isAligned, children }: FiguresProps) => (
  <dl className={styles.figures} data-aligned={isAligned}>
    {children}
  </dl>
)

interface FigureProps {
  readonly title: ReactNode
  /** The one that matters most. */
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
  /** Marked with its colour in the bar. */
  readonly part?: CreditPart
  /** Taken off the others. */
  readonly isLess?: boolean
  readonly isMain?: boolean
}

/** Credits and what they are worth. */
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
