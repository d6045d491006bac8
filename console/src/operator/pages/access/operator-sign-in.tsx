import { useTranslation } from 'react-i18next'
import { Entrance } from '../../../design/frame/entrance.tsx'
import { Notice } from '../../../design/notice.tsx'
import { useOperatorSession } from '../../api/session.ts'
import styles from './access.module.css'
import { SignInForm } from './sign-in-form.tsx'

export function OperatorSignIn() {
  const { t } = useTranslation()
  const current = useOperatorSession()
  const reason = current.phase === 'out' ? current.reason : 'none'
  return (
    <Entrance title={t('operator.signIn.title')} lead={t('operator.signIn.lead')}>
      {reason !== 'none' && (
        <Notice tone={reason === 'expired' ? 'wait' : 'plain'} isNews>
          {t(reason === 'expired' ? 'operator.signIn.expired' : 'operator.signIn.signedOut')}
        </Notice>
      )}
      <SignInForm />
      <p className={styles.note}>
        {t('operator.signIn.noAccount')} <code>npm run gateway -- operators add NAME --role ROLE</code>
      </p>
    </Entrance>
  )
}
