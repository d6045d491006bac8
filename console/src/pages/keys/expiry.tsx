import { useTranslation } from 'react-i18next'
import type { Key } from '../../api/types.ts'
import { dayAt } from '../../format/calendar.ts'
import { useFormat } from '../../format/format.ts'
import styles from './expiry.module.css'
import { GraceLeft } from './grace-left.tsx'

/** Until when an active key works, if it ends by itself. */
export function Expiry({ shown: { state, expiresAt }, isRotated }: { shown: Key; isRotated: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (state !== 'active' || !expiresAt) return null
  return (
    <span className={styles.expiry} title={format.dateTime(expiresAt)}>
      {isRotated ? <GraceLeft until={expiresAt} /> : t('keys.expires', { time: dayAt(Date.parse(expiresAt)) })}
    </span>
  )
}
