import type { ReactNode, RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../design/button.tsx'
import { DialogActions } from '../../design/dialog.tsx'
import { Problem } from '../../design/problem.tsx'
import styles from './account.module.css'

interface DialogFormProps {
  readonly form: RefObject<HTMLFormElement | null>
  readonly hint: string
  readonly action: string
  readonly isSending: boolean
  /** What went wrong and belongs to no field. */
  readonly error: unknown
  readonly onSubmit: () => void
  readonly onCancel: () => void
  readonly children: ReactNode
}

/** The form of a dialog that changes something of the account. */
export function DialogForm({ form, hint, action, isSending, error, onSubmit, onCancel, children }: DialogFormProps) {
  const { t } = useTranslation()
  return (
    <form
      ref={form}
      className={styles.stack}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
      noValidate
    >
      <p className={styles.note}>{hint}</p>
      {children}
      {error ? <Problem error={error} /> : null}
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={isSending}>
          {action}
        </Button>
      </DialogActions>
    </form>
  )
}
