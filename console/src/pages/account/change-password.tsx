import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { queryClient, signInsQuery } from '../../api/queries.ts'
import { Dialog } from '../../design/dialog.tsx'
import { NewPassword } from '../../design/password/new-password.tsx'
import { passwordFault } from '../../format/password-rule.ts'
import { useFields } from '../auth/use-fields.ts'
import { CurrentPassword, currentPasswordFault } from './current-password.tsx'
import { DialogForm } from './dialog-form.tsx'

interface ChangePasswordProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onChanged: () => void
}

export function ChangePassword({ isOpen, onClose, onChanged }: ChangePasswordProps) {
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
