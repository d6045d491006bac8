import type { ReactNode } from 'react'
import styles from './facts.module.css'

export type Fact = readonly [term: ReactNode, value: ReactNode]

/** Names and values, ruled like a form. */
export function Facts({ facts }: { facts: readonly (Fact | false | null | undefined)[] }) {
  return (
    <dl className={styles.facts}>
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
