import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { passkeysQuery, queryClient, secondFactorQuery } from '../../api/queries.ts'
import type { SecondFactorState } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { Facts, Mark } from '../../design/figures.tsx'
import { LoadingRows, News, Notice, Problem } from '../../design/notice.tsx'
import { Sheet, stack } from '../../design/page.tsx'
import { useFormat } from '../../format/format.ts'
import styles from '../account/account.module.css'
import { canUsePasskeys } from './passkey-browser.ts'
import { AddPasskey, Passkeys } from './passkeys.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SetUpApp } from './set-up-app.tsx'

type FactorNews =
  | 'onNews'
  | 'removedNews'
  | 'keptNews'
  | 'passkeyAddedNews'
  | 'passkeyRenamedNews'
  | 'passkeyRemovedNews'

function refetch(): void {
  void queryClient.invalidateQueries(secondFactorQuery)
  void queryClient.invalidateQueries(passkeysQuery)
}

export function SecondFactor() {
  const { t } = useTranslation()
  const { data, error, refetch: retry } = useQuery(secondFactorQuery)
  const passkeys = useQuery(passkeysQuery)
  const [adding, setAdding] = useState<'app' | 'passkey' | null>(null)
  const [news, setNews] = useState<FactorNews | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const hasApp = data !== undefined && data.totpSince !== null
  const hasPasskey = (passkeys.data?.items.length ?? 0) > 0
  const stop = () => setAdding(null)

  function done(what: FactorNews | null, newCodes: readonly string[] | null = null) {
    stop()
    setNews(what)
    setCodes(newCodes)
    refetch()
  }

  return (
    <Sheet
      title={t('secondFactor.heading')}
      actions={
        <>
          {canUsePasskeys() && (
            <Button variant="default" size="compact-sm" onClick={() => setAdding('passkey')}>
              {t('secondFactor.addPasskey')}
            </Button>
          )}
          {data && !hasApp && (
            <Button variant="default" size="compact-sm" onClick={() => setAdding('app')}>
              {t('secondFactor.setUp')}
            </Button>
          )}
        </>
      }
    >
      <div className={stack}>
        {news && <News key={news}>{t(`secondFactor.${news}`)}</News>}
        {data ? (
          <FactorState standing={data} hasPasskey={hasPasskey} onDone={done} />
        ) : error ? (
          <Problem error={error} onRetry={() => void retry()} />
        ) : (
          <LoadingRows rows={2} />
        )}
      </div>
      <Dialog title={t('secondFactor.setUpTitle')} isOpen={adding === 'app'} onClose={stop}>
        <SetUpApp onClose={stop} onDone={(newCodes) => done('onNews', newCodes)} />
      </Dialog>
      <Dialog title={t('secondFactor.addPasskeyTitle')} isOpen={adding === 'passkey'} onClose={stop}>
        <AddPasskey onClose={stop} onDone={(newCodes) => done('passkeyAddedNews', newCodes)} />
      </Dialog>
      <Dialog title={t('secondFactor.codesTitle')} isOpen={codes !== null} onClose={() => setCodes(null)} isHeld>
        {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
      </Dialog>
    </Sheet>
  )
}

interface FactorStateProps {
  readonly standing: SecondFactorState
  readonly hasPasskey: boolean
  readonly onDone: (news: FactorNews | null, codes?: readonly string[]) => void
}

function FactorState({ standing: { totpSince, recoveryCodesLeft, removedAt }, hasPasskey, onDone }: FactorStateProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const isOn = totpSince !== null || hasPasskey
  return (
    <>
      {removedAt && <Waiting removedAt={removedAt} onKept={() => onDone('keptNews')} />}
      <div>
        <p className={styles.address}>
          <Mark tone={isOn ? 'good' : 'plain'}>{t(isOn ? 'secondFactor.on' : 'secondFactor.off')}</Mark>
        </p>
        <p className={styles.note}>{t(isOn ? 'secondFactor.onHint' : 'secondFactor.offHint')}</p>
      </div>
      {isOn && (
        <>
          <Facts
            facts={[
              [
                t('secondFactor.app'),
                totpSince === null
                  ? t('secondFactor.off')
                  : t('secondFactor.appSince', { time: format.dateTime(totpSince) }),
              ],
              [t('secondFactor.codes'), t('secondFactor.codesLeft', { count: recoveryCodesLeft })],
            ]}
          />
          <DialogActions>
            <NewCodes onDone={(codes) => onDone(null, codes)} />
            {totpSince !== null && <RemoveApp onDone={() => onDone('removedNews')} />}
          </DialogActions>
          <Passkeys onRenamed={() => onDone('passkeyRenamedNews')} onRemoved={() => onDone('passkeyRemovedNews')} />
        </>
      )}
    </>
  )
}

/** A recovery asked to remove the factor. */
function Waiting({ removedAt, onKept }: { removedAt: string; onKept: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const keeping = useMutation({
    mutationFn: () => askToWrite(() => gateway.POST('/console/second-factor/removal/cancel', { body: {} })),
    onSuccess: onKept,
  })
  return (
    <Notice
      tone="wait"
      actions={
        <Button size="compact-sm" loading={keeping.isPending} onClick={() => keeping.mutate()}>
          {t('secondFactor.keep')}
        </Button>
      }
    >
      {t('secondFactor.waiting', { time: format.dateTime(removedAt) })}
      {keeping.error && <Problem error={keeping.error} />}
    </Notice>
  )
}

function NewCodes({ onDone }: { onDone: (codes: readonly string[]) => void }) {
  const { t } = useTranslation()
  return (
    <Confirmed
      name="newCodes"
      label={t('secondFactor.newCodes')}
      act={() => askToWrite(() => gateway.POST('/console/second-factor/recovery-codes', { body: {} }))}
      onDone={({ recoveryCodes }) => onDone(recoveryCodes)}
    />
  )
}

function RemoveApp({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation()
  return (
    <Confirmed
      name="remove"
      label={t('secondFactor.removeLabel')}
      act={() => askToWrite(() => gateway.POST('/console/second-factor/totp/remove', { body: {} }))}
      onDone={onDone}
    />
  )
}

interface ConfirmedProps<T> {
  readonly name: 'newCodes' | 'remove'
  readonly label: string
  readonly act: () => Promise<T>
  readonly onDone: (response: T) => void
}

/** A button whose effect is confirmed in a dialog. */
function Confirmed<T>({ name, label, act, onDone }: ConfirmedProps<T>) {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  const acting = useMutation({
    mutationFn: act,
    onSuccess(response) {
      setAsking(false)
      onDone(response)
    },
  })
  return (
    <>
      <Button variant="default" size="compact-sm" aria-label={label} onClick={() => setAsking(true)}>
        {t(`secondFactor.${name}`)}
      </Button>
      <Dialog title={t(`secondFactor.${name}Title`)} isOpen={isAsking} onClose={() => setAsking(false)}>
        <p>{t(`secondFactor.${name}Hint`)}</p>
        {acting.error && <Problem error={acting.error} />}
        <DialogActions>
          <Button variant="default" onClick={() => setAsking(false)}>
            {t('common.cancel')}
          </Button>
          <Button isDestructive={name === 'remove'} loading={acting.isPending} onClick={() => acting.mutate()}>
            {t(`secondFactor.${name}`)}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
