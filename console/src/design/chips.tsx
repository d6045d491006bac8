import styles from './chips.module.css'

interface ChipsProps<T extends string> {
  readonly label: string
  readonly value: T | null
  readonly choices: readonly { readonly value: T; readonly label: string }[]
  readonly onChoose: (value: T) => void
}

/** A few choices side by side, one of which is taken. */
export function Chips<T extends string>({ label, value, choices, onChoose }: ChipsProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a flex box everywhere.
    <div className={styles.chips} role="group" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          className={styles.chip}
          aria-pressed={choice.value === value}
          onClick={() => onChoose(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  )
}
