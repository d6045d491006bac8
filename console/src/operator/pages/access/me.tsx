import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { localAdministrator } from '../../../../../src/operator-kit/roles.ts'
import { Button } from '../../../design/button.tsx'
import { Dialog, DialogActions } from '../../../design/dialog.tsx'
import { Facts } from '../../../design/figures.tsx'
import { Notice } from '../../../design/notice.tsx'
import { PageHead, Sheet } from '../../../design/page.tsx'
import { askToWrite, operatorApi } from '../../api/client.ts'
import { useOperator } from '../../api/session.ts'
import { type DialogForm, FormDialog } from '../../parts/form-dialog.tsx'
import { OperatorTotpSecret, useNotify } from '../../parts/parts.tsx'
import styles from './access.module.css'
import { PasswordForm } from './first-steps.tsx'

export function Me() {
  const { t } = useTranslation()
  const { name, role } = useOperator()
  return (
    <div>
      <PageHead title={t('operator.me.title')} lead={t('operator.me.lead')} />
      <Sheet>
        <Facts
          facts={[
            [t('operator.me.name'), name],
            [t('operator.me.role'), t(`operator.roles.${role}`)],
            [t('operator.me.may'), t(`operator.me.mayOf.${role}`)],
          ]}
        />
      </Sheet>
      {name === localAdministrator ? (
        <Notice tone="plain" title={t('operator.me.noPassword')}>
          {t('operator.me.noPasswordHint')} <Link href="/operators">{t('operator.me.toOperators')}</Link>
        </Notice>
      ) : (
        <>
          <OwnPassword />
          <OneTimeCodes />
        </>
      )}
    </div>
  )
}

function OwnPassword() {
  const { t } = useTranslation()
  const notify = useNotify()
  const [isChanging, setChanging] = useState(false)
  return (
    <Sheet title={t('operator.me.password')}>
      <div className={styles.form}>
        <p>{t('operator.me.changeHint')}</p>
        {isChanging ? (
          <PasswordForm
            currentLabel={t('operator.me.current')}
            submitLabel={t('operator.me.changePassword')}
            onDone={(count) => {
              setChanging(false)
              notify(t('operator.me.changed', { count }))
            }}
          />
        ) : (
          <div>
            <Button variant="default" onClick={() => setChanging(true)}>
              {t('operator.me.changePassword')}
            </Button>
          </div>
        )}
      </div>
    </Sheet>
  )
}

function OneTimeCodes() {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  const [uri, setUri] = useState<string | null>(null)
  const form: DialogForm<'currentPassword', { totpUri: string }> = {
    title: t('operator.me.replaceTotp'),
    hint: t('operator.me.totpHint'),
    fields: [
      { name: 'currentPassword', label: t('operator.me.current'), kind: 'password', codes: ['AUTHENTICATION_FAILED'] },
    ],
    submitLabel: t('operator.me.replaceTotp'),
    send: (body) => askToWrite(() => operatorApi.POST('/me/totp', { body })),
    onDone: ({ totpUri }) => setUri(totpUri),
  }
  return (
    <Sheet title={t('operator.me.totp')}>
      <div className={styles.form}>
        <p>{t('operator.me.totpHint')}</p>
        <div>
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('operator.me.replaceTotp')}
          </Button>
        </div>
      </div>
      <FormDialog form={isAsking ? form : null} onClose={() => setAsking(false)} />
      <Dialog title={t('operator.me.totp')} isOpen={uri !== null} onClose={() => setUri(null)} isHeld>
        <Notice tone="wait">{t('operator.secret.once')}</Notice>
        {uri && <OperatorTotpSecret uri={uri} />}
        <DialogActions>
          <Button onClick={() => setUri(null)}>{t('operator.secret.done')}</Button>
        </DialogActions>
      </Dialog>
    </Sheet>
  )
}
