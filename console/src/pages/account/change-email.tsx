import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { session } from '../../api/session.ts'
import { Dialog } from '../../design/dialog.tsx'
import { isEmail } from '../../format/contact.ts'
import { EmailField } from '../auth/email-field.tsx'
import { useFields } from '../auth/use-fields.ts'
import { CurrentPassword, currentPasswordFault } from './current-password.tsx'
import { DialogForm } from './dialog-form.tsx'

interface ChangeEmailProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onChanged: () => void
}

export function ChangeEmail({ isOpen, onClose, onChanged }: ChangeEmailProps) {
  const { t } = useTranslation()
  const done = () => {
    onClose()
    onChanged()
  }
  return (
    <Dialog title={t('account.changeEmailTitle')} isOpen={isOpen} onClose={onClose}>
      <EmailForm onClose={onClose} onDone={done} />
    </Dialog>
  )
}

function EmailForm({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const { t } = useTranslation()
  const { form, values, change, faultOf, ...fields } = useFields(() => ({ email: '', current: '' }), {
    EMAIL_INVALID: 'email',
    AUTHENTICATION_FAILED: { field: 'current', fault: 'passwordWrong' },
    PASSWORD_INVALID: { field: 'current', fault: 'passwordWrong' },
  })
  const changing = useMutation({
    mutationFn: () =>
      askToWrite(() =>
        gateway.POST('/console/recovery-email', {
          body: { recoveryEmail: values.email.trim(), password: values.current },
        }),
      ),
    async onSuccess() {
      await session.changed()
      onDone()
    },
  })

  function submit(): void {
    const isRight = fields.check({
      email: isEmail(values.email) ? null : 'emailWrong',
      current: currentPasswordFault(values.current),
    })
    if (isRight) changing.mutate(undefined, { onError: fields.refuse })
  }

  return (
    <DialogForm
      form={form}
      hint={t('account.changeEmailHint')}
      action={t('account.changeEmail')}
      isSending={changing.isPending}
      error={fields.elsewhere(changing.error)}
      onSubmit={submit}
      onCancel={onClose}
    >
      <EmailField
        label={t('account.newEmail')}
        value={values.email}
        onChange={change('email')}
        error={faultOf('email')}
      />
      <CurrentPassword value={values.current} onChange={change('current')} error={faultOf('current')} />
    </DialogForm>
  )
}
