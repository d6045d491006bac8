import { type ReactNode, useId } from 'react'
import styles from './segments.module.css'

interface SegmentsProps<T extends string> {
  readonly 'aria-label': string
  readonly value: string
  readonly data: readonly { readonly value: T; readonly label: ReactNode }[]
  readonly onChange: (value: T) => void
}

/** A few choices in one bar. Plain radio buttons: every page has two of these bars, and the library's measure themselves. */
export function Segments<T extends string>({ value, data, onChange, 'aria-label': label }: SegmentsProps<T>) {
  const name = useId()
  return (
    <div className={styles.bar} role="radiogroup" aria-label={label}>
      {data.map((choice) => (
        <label key={choice.value} className={styles.choice}>
          <input
            type="radio"
            name={name}
            className={styles.input}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </div>
  )
}
