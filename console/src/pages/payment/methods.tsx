import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MethodMark } from './marks.tsx'
import styles from './methods.module.css'

interface MethodsProps {
  readonly methods: readonly string[]
  readonly value: string
  readonly onChoose: (method: string) => void
}

/** The methods of payment as cards; radio buttons for the keyboard and screen readers. */
export function Methods({ methods, value, onChoose }: MethodsProps) {
  const { t } = useTranslation()
  const nameOf = useMethodName()
  return (
    <fieldset className={styles.methods}>
      <legend>{t('payment.payWith')}</legend>
      <div className={styles.cards}>
        {byReality(methods).map((method) => (
          <label key={method} className={styles.card}>
            <input type="radio" name="method" checked={method === value} onChange={() => onChoose(method)} />
            <MethodMark method={method} />
            <span>{nameOf(method)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** A method that this console has no words for is shown by its name in the configuration. */
export function useMethodName(): (method: string) => string {
  const { t, i18n } = useTranslation()
  return (method) => (i18n.exists(`payment.methods.${method}`) ? t(`payment.methods.${method as 'wechat'}`) : method)
}

/** A simulated method is for trying things out: the real ones come first. */
const byReality = (methods: readonly string[]) =>
  methods.toSorted((a, b) => Number(a === 'simulated') - Number(b === 'simulated'))

const storageKey = 'console-payment-method'

/** The chosen method: at first the one that was used last in this browser. */
export function useMethod(methods: readonly string[]): [string | null, (method: string) => void] {
  const [chosen, setChosen] = useState(lastUsed)
  const isOffered = chosen !== null && methods.includes(chosen)
  return [
    isOffered ? chosen : (byReality(methods)[0] ?? null),
    (method) => {
      setChosen(method)
      try {
        localStorage.setItem(storageKey, method)
      } catch {
        // Storage is blocked: the choice lasts until the page is left.
      }
    },
  ]
}

function lastUsed(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}
