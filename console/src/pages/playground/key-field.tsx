import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../design/button.tsx'
import { TextInput } from '../../design/field.tsx'
import { Icons } from '../../design/icons.tsx'
import styles from './playground.module.css'

interface KeyFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly wasHanded: boolean
}

/** A key for this page only. Not a password field, so that browsers do not offer to save it. */
export function KeyField({ value, onChange, wasHanded }: KeyFieldProps) {
  const { t } = useTranslation()
  const [isShown, setShown] = useState(false)
  return (
    <TextInput
      className={styles.field}
      label={t('playground.key')}
      description={t(wasHanded ? 'playground.lastKey' : 'playground.keyHint')}
      placeholder="gk_live_…"
      autoComplete="off"
      data-1p-ignore
      data-lpignore="true"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.trim())}
      inputClassName={isShown ? undefined : styles.masked}
      rightSection={
        <IconButton aria-label={t(isShown ? 'common.hideKey' : 'common.showKey')} onClick={() => setShown(!isShown)}>
          {isShown ? <Icons.hidden /> : <Icons.shown />}
        </IconButton>
      }
    />
  )
}
