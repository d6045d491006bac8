import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { session, useMe } from '../../api/session.ts'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { Facts } from '../../design/facts.tsx'
import { PageHead } from '../../design/page-head.tsx'
import { Problem } from '../../design/problem.tsx'
import { Sheet } from '../../design/sheet.tsx'
import styles from './account.module.css'
import { SignIns } from './sign-ins.tsx'

export function Account() {
  const { t } = useTranslation()
  const { account, project } = useMe()
  const [isAsking, setAsking] = useState(false)
  const leaving = useMutation({ mutationFn: session.signOut })
  const leavingEverywhere = useMutation({ mutationFn: session.signOutEverywhere })
  const isVerified = account.recoveryEmailState === 'verified'

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
            [
              t('account.email'),
              <>
                {account.recoveryEmailMasked}{' '}
                <span className={styles.note}>{t(isVerified ? 'account.emailVerified' : 'account.emailPending')}</span>
              </>,
            ],
            [t('account.accountId'), <code key="account">{account.accountId}</code>],
            [t('account.project'), <code key="project">{project.projectId}</code>],
            [t('account.subject'), <code key="subject">{account.identitySubject}</code>],
          ]}
        />
        <p className={styles.note}>{t('account.privacy')}</p>
      </Sheet>
      <Sheet
        title={t('account.signIns')}
        actions={
          <Button variant="default" size="compact-sm" onClick={() => setAsking(true)}>
            {t('account.signOutEverywhere')}
          </Button>
        }
      >
        <SignIns />
      </Sheet>
      <Dialog title={t('account.everywhereTitle')} isOpen={isAsking} onClose={() => setAsking(false)}>
        <p>{t('account.everywhereHint')}</p>
        {leavingEverywhere.error && <Problem error={leavingEverywhere.error} />}
        <DialogActions>
          <Button variant="default" onClick={() => setAsking(false)}>
            {t('common.cancel')}
          </Button>
          <Button color="brick" loading={leavingEverywhere.isPending} onClick={() => leavingEverywhere.mutate()}>
            {t('account.signOutEverywhere')}
          </Button>
        </DialogActions>
      </Dialog>
    </div>
  )
}
