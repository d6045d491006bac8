import { useTranslation } from 'react-i18next'
import { Button } from '../../design/button.tsx'
import { useFoundItems } from './found-items.ts'
import styles from './item-suggestions.module.css'
import type { Json } from './schema.ts'

/** Items of the latest search, one click away. */
export function ItemSuggestions({ onChoose }: { onChoose: (itemRef: Json) => void }) {
  const { t } = useTranslation()
  const items = useFoundItems()
  if (items.length === 0) return null
  return (
    <div className={styles.suggestions}>
      <span className={styles.label}>{t('playground.useItem')}</span>
      {items.map(({ title, itemRef }) => (
        <Button key={title} size="compact-xs" variant="default" onClick={() => onChoose(itemRef)}>
          {title}
        </Button>
      ))}
    </div>
  )
}
