import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { session, useMe } from '../../api/session.ts'
import { Button } from '../../design/button.tsx'
import { Facts } from '../../design/figures.tsx'
import { Problem } from '../../design/notice.tsx'
import { PageHead, Sheet } from '../../design/page.tsx'
import { addWords } from '../../i18n/i18n.ts'
import { keptChallenge } from '../auth/use-challenge.ts'
import { SecondFactor } from '../second-factor/second-factor.tsx'
import * as words from '../second-factor/words.ts'
import styles from './account.module.css'
import { Password } from './password.tsx'
import { RecoveryEmail } from './recovery-email.tsx'
import { SignIns } from './sign-ins.tsx'

addWords(words)

export function Account() {
  const { t } = useTranslation()
  const { account, project } = useMe()
  const leaving = useMutation({ mutationFn: session.signOut })
  const [codeRound, setCodeRound] = useState(0)

  /** A new address or password invalidates a sent code. */
  function endCode() {
    keptChallenge('email').forget()
    setCodeRound((before) => before + 1)
  }

  return (
    <div>
      <PageHead
        title={t('account.title')}
        actions={
          <Button variant="default" loading={leaving.isPending} onClick={() => leaving.mutate()}>
            {t('account.signOut')}
          </Button>
        }
      />
      {leaving.error && <Problem error={leaving.error} />}
      <Sheet title={t('account.identity')}>
        <Facts
          facts={[
            [t('account.phone'), account.phoneMasked],
            [t('account.accountId'), <code key="account">{account.accountId}</code>],
            [t('account.project'), <code key="project">{project.projectId}</code>],
            [t('account.subject'), <code key="subject">{account.identitySubject}</code>],
          ]}
        />
        <p className={styles.note}>{t('account.privacy')}</p>
      </Sheet>
      <RecoveryEmail codeRound={codeRound} onChanged={endCode} />
      <Password onChanged={endCode} />
      <SecondFactor />
      <SignIns />
    </div>
  )
}
