import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/button.tsx'
import { Entrance } from '../../../design/frame/entrance.tsx'
import { firstStep } from '../../api/first-step.ts'
import { queryClient } from '../../api/queries.ts'
import { operatorSession } from '../../api/session.ts'
import { PasswordForm } from './password-form.tsx'

/** Before anything else, because the first password was seen by somebody else. */
export function FirstPassword() {
  const { t } = useTranslation()
  return (
    <Entrance
      title={t('operator.firstPassword.title')}
      lead={t('operator.firstPassword.lead')}
      link={
        <Button variant="subtle" size="compact-sm" onClick={leave}>
          {t('operator.nav.signOut')}
        </Button>
      }
    >
      <PasswordForm
        currentLabel={t('operator.firstPassword.current')}
        submitLabel={t('operator.firstPassword.submit')}
        onDone={() => {
          queryClient.clear()
          firstStep.become(null)
        }}
      />
    </Entrance>
  )
}

export async function leave(): Promise<void> {
  await operatorSession.signOut()
  firstStep.become(null)
}
