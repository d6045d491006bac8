import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { queryClient, signInsQuery } from '../../api/queries.ts'
import { DialogActions, TaskDialog } from '../../design/dialog.tsx'
import { NewPassword } from '../../design/password/new-password.tsx'
import { Problem } from '../../design/problem.tsx'
import { passwordFault } from '../../format/password-rule.ts'
import { useFields } from '../auth/use-fields.ts'
import styles from './account.module.css'
import { CurrentPassword, currentPasswordFault } from './current-password.tsx'

interface ChangePasswordProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onChanged: () => void
}

export function ChangePassword({ isOpen, onClose, onChanged }: ChangePasswordProps) {
  const { t } = useTranslation()
  return (
    <TaskDialog title={t('account.changePassword')} isOpen={isOpen} onClose={onClose} onDone={onChanged}>
      {(done) => <PasswordForm onClose={onClose} onDone={done} />}
    </TaskDialog>
  )
}

function PasswordForm({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const { t } = useTranslation()
  const { form, values, change, faultOf, ...fields } = useFields(() => ({ current: '', password: '' }), {
    AUTHENTICATION_FAILED: { field: 'current', fault: 'passwordWrong' },
    // The lengths of both were checked here, so the new one is a common one.
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
  const error = fields.elsewhere(changing.error)

  return (
    <form
      ref={form}
      className={styles.stack}
      onSubmit={(event) => {
        event.preventDefault()
        const isRight = fields.check({
          current: currentPasswordFault(values.current),
          password: passwordFault(values.password),
        })
        if (isRight) changing.mutate(undefined, { onError: fields.refuse })
      }}
      noValidate
    >
      <p className={styles.note}>{t('account.changePasswordHint')}</p>
      <CurrentPassword value={values.current} onChange={change('current')} error={faultOf('current')} />
      <NewPassword
        label={t('auth.recover.password')}
        value={values.password}
        onChange={change('password')}
        error={faultOf('password')}
        known={[]}
      />
      {error && <Problem error={error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={changing.isPending}>
          {t('account.changePassword')}
        </Button>
      </DialogActions>
    </form>
  )
}
