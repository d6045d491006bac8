import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isRefused, Unreachable } from '../../api/ask.ts'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { keysQuery, queryClient, refreshProjectData } from '../../api/queries.ts'
import type { CreatedKey, Key } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { Select } from '../../design/field.tsx'
import { Notice, Problem } from '../../design/notice.tsx'
import { newIdempotencyKey } from '../../format/code-samples.ts'
import { keyText, useFormat } from '../../format/format.ts'
import styles from './keys.module.css'
import { unsavedKey } from './unsaved-key.tsx'

const graces = { now: 0, hour: 3600, day: 86_400, week: 604_800 } as const
type Grace = keyof typeof graces

/** Replaces a key; the old one stays valid for a grace period, so that programs keep running. */
export function RotateKey({ rotated, onClose }: { rotated: Key | null; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('keys.rotateTitle')} isOpen={rotated !== null} onClose={onClose}>
      {rotated && <Rotation rotated={rotated} onClose={onClose} />}
    </Dialog>
  )
}

function Rotation({ rotated, onClose }: { rotated: Key; onClose: () => void }) {
  const { t } = useTranslation()
  const [grace, setGrace] = useState<Grace>('day')
  const { keyId } = rotated
  const rotating = useKeyCreation(
    (body: { graceSeconds: number }, idempotencyKey) =>
      askToWrite(() =>
        gateway.POST('/console/keys/{keyId}/rotate', {
          params: { path: { keyId }, header: { 'Idempotency-Key': idempotencyKey } },
          body,
        }),
      ),
    onClose,
  )
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        rotating.mutate({ graceSeconds: graces[grace] })
      }}
    >
      <p>{t('keys.rotateHint', { prefix: keyText(rotated) })}</p>
      <Select
        label={t('keys.grace')}
        value={grace}
        onChange={(event) => setGrace(event.currentTarget.value as Grace)}
        data={(Object.keys(graces) as Grace[]).map((value) => ({ value, label: t(`keys.graces.${value}`) }))}
      />
      {rotating.error && <NotCreated error={rotating.error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={rotating.isPending}>
          {t('keys.rotate')}
        </Button>
      </DialogActions>
    </form>
  )
}

interface RevokeKeyProps {
  readonly revoked: Key | null
  readonly onClose: () => void
  readonly onRevoked: (key: Key) => void
}

export function RevokeKey({ revoked, onClose, onRevoked }: RevokeKeyProps) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('keys.revokeTitle')} isOpen={revoked !== null} onClose={onClose}>
      {revoked && <Confirmation revoked={revoked} onClose={onClose} onRevoked={onRevoked} />}
    </Dialog>
  )
}

interface ConfirmationProps {
  readonly revoked: Key
  readonly onClose: () => void
  readonly onRevoked: (key: Key) => void
}

function Confirmation({ revoked, onClose, onRevoked }: ConfirmationProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { keyId, lastUsedAt } = revoked
  const revoking = useMutation({
    mutationFn: () => askToWrite(() => gateway.POST('/keys/{keyId}/revoke', { params: { path: { keyId } }, body: {} })),
    onSuccess() {
      onClose()
      onRevoked(revoked)
    },
    // Refetch either way.
    onSettled: () => void refreshProjectData(),
  })
  return (
    <>
      <p>{t('keys.revokeHint', { prefix: keyText(revoked) })}</p>
      {lastUsedAt && <p>{t('keys.revokeUsed', { ago: format.ago(lastUsedAt, Date.now()) })}</p>}
      {revoking.error && <Problem error={revoking.error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button isDestructive loading={revoking.isPending} onClick={() => revoking.mutate()}>
          {t('keys.revoke')}
        </Button>
      </DialogActions>
    </>
  )
}

/** Why no new key can be shown. */
export function NotCreated({ error }: { error: Error }) {
  const { t } = useTranslation()
  const { data } = useQuery(keysQuery)
  // A limit without a retry time is the maximum of active keys.
  if (isRefused(error, 'RATE_LIMITED') && error.retryAtMs === null && data) {
    return (
      <Notice tone="wait" isNews title={t('keys.limitTitle', { count: data.maxActive })}>
        {t('keys.limit')}
      </Notice>
    )
  }
  if (error instanceof Unreachable || error instanceof PlaintextLost) {
    return (
      <Notice tone="wait" isNews title={t('trouble.lostTitle')}>
        {t('keys.lost')}
      </Notice>
    )
  }
  return <Problem error={error} />
}

/** The key exists, but the response with its text was lost. */
class PlaintextLost extends Error {}

/** Creates a key and shows its text. A retry has the same Idempotency-Key, so it never creates a second key. */
export function useKeyCreation<B>(
  send: (body: B, idempotencyKey: string) => Promise<object>,
  onCreated: () => void,
  { isForAgent = false } = {},
) {
  const intent = useRef({ body: '', idempotencyKey: '' })
  return useMutation({
    async mutationFn(body: B) {
      const text = JSON.stringify(body)
      if (intent.current.body !== text) intent.current = { body: text, idempotencyKey: newIdempotencyKey() }
      const key = await send(body, intent.current.idempotencyKey)
      if (!('apiKey' in key)) throw new PlaintextLost()
      return key as CreatedKey
    },
    onSuccess(key) {
      unsavedKey.show({ ...key, isForAgent })
      onCreated()
      void refreshProjectData()
    },
    onError: () => void queryClient.invalidateQueries({ queryKey: ['keys'] }),
  })
}
