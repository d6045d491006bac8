import { useMutation } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { queryClient, signInsQuery } from '../../api/queries.ts'
import { Button } from '../../design/button.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { PasswordField } from '../../design/field.tsx'
import { NewPassword } from '../../design/new-password.tsx'
import { News, Problem } from '../../design/notice.tsx'
import { Sheet, stack } from '../../design/page.tsx'
import { passwordFault } from '../../format/contact.ts'
import { useFields } from '../auth/use-fields.ts'
import styles from './account.module.css'

export function Password({ onChanged }: { onChanged: () => void }) {
  const { t } = useTranslation()
  const [isChanging, setChanging] = useState(false)
  const [changes, setChanges] = useState(0)
  return (
    <Sheet
      title={t('account.password')}
      actions={
        <Button variant="default" size="compact-sm" onClick={() => setChanging(true)}>
          {t('account.changePassword')}
        </Button>
      }
    >
      <div className={stack}>
        {changes > 0 && <News key={changes}>{t('account.passwordChangedNews')}</News>}
        <p className={styles.note}>{t('account.passwordHint')}</p>
      </div>
      <ChangePassword
        isOpen={isChanging}
        onClose={() => setChanging(false)}
        onChanged={() => {
          onChanged()
          setChanges((before) => before + 1)
        }}
      />
    </Sheet>
  )
}

interface ChangePasswordProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onChanged: () => void
}

function ChangePassword({ isOpen, onClose, onChanged }: ChangePasswordProps) {
  const { t } = useTranslation()
  const done = () => {
    onClose()
    onChanged()
  }
  return (
    <Dialog title={t('account.changePassword')} isOpen={isOpen} onClose={onClose}>
      <PasswordForm onClose={onClose} onDone={done} />
    </Dialog>
  )
}

function PasswordForm({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const { t } = useTranslation()
  const { form, values, change, faultOf, ...fields } = useFields(() => ({ current: '', password: '' }), {
    AUTHENTICATION_FAILED: { field: 'current', fault: 'passwordWrong' },
    // The lengths were checked already, so it is a common password.
    PASSWORD_INVALID: { field: 'password', fault: 'passwordCommon' },
  })
  const changing = useMutation({
    mutationFn: () =>
      askToWrite(() =>
        gateway.POST('/console/password', {
          body: { currentPassword: values.current, newPassword: values.password },
        }),
      ),
    onSuccess: onDone,
    onSettled: () => void queryClient.invalidateQueries(signInsQuery),
  })

  function submit(): void {
    const isRight = fields.check({
      current: currentPasswordFault(values.current),
      password: passwordFault(values.password),
    })
    if (isRight) changing.mutate(undefined, { onError: fields.refuse })
  }

  return (
    <DialogForm
      form={form}
      hint={t('account.changePasswordHint')}
      action={t('account.changePassword')}
      isSending={changing.isPending}
      error={fields.elsewhere(changing.error)}
      onSubmit={submit}
      onCancel={onClose}
    >
      <CurrentPassword value={values.current} onChange={change('current')} error={faultOf('current')} />
      <NewPassword
        label={t('auth.recover.password')}
        value={values.password}
        onChange={change('password')}
        error={faultOf('password')}
        known={[]}
      />
    </DialogForm>
  )
}

interface CurrentPasswordProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | null
}

/** Confirms that the owner is at the device. */
export function CurrentPassword({ value, onChange, error }: CurrentPasswordProps) {
  const { t } = useTranslation()
  return (
    <PasswordField
      label={t('account.currentPassword')}
      description={t('account.forgotPassword')}
      autoComplete="current-password"
      name="current"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
    />
  )
}

/** The gateway never accepted a password of another length. */
export function currentPasswordFault(value: string): 'required' | 'passwordWrong' | null {
  if (value === '') return 'required'
  return passwordFault(value) && 'passwordWrong'
}

interface DialogFormProps {
  readonly form: RefObject<HTMLFormElement | null>
  readonly hint: string
  readonly action: string
  readonly isSending: boolean
  /** The error, unless it is shown at a field. */
  readonly error: unknown
  readonly onSubmit: () => void
  readonly onCancel: () => void
  readonly children: ReactNode
}

export function DialogForm({ form, hint, action, isSending, error, onSubmit, onCancel, children }: DialogFormProps) {
  const { t } = useTranslation()
  return (
    <form
      ref={form}
      className={stack}
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
