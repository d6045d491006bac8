import { useTranslation } from 'react-i18next'
import styles from './text-samples.module.css'

const names = ['a', 'b', 'c'] as const

/** Texts to start from, one click away, for the fields that take one. */
export function TextSamples({ field, onChoose }: { field: string; onChoose: (text: string) => void }) {
  const { t } = useTranslation()
  if (field !== 'prompt' && field !== 'query') return null
  return (
    <div className={styles.samples}>
      <span className={styles.label}>{t('playground.tryText')}</span>
      {names.map((name) => {
        const text = t(`playground.samples.${field}.${name}`)
        return (
          <button key={name} type="button" className={styles.sample} onClick={() => onChoose(text)}>
            {text}
          </button>
        )
      })}
    </div>
  )
}
