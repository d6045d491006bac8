import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { askToWrite, gateway } from '../../api/gateway.ts'
import type { Key } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { Select } from '../../design/field.tsx'
import styles from './create-key.module.css'
import { NotCreated } from './not-created.tsx'
import { useKeyCreation } from './use-key-creation.ts'

const graces = { now: 0, hour: 3600, day: 86_400, week: 604_800 } as const
type Grace = keyof typeof graces

/** Replaces a key; the old one stays valid for a while, so that nobody has to stop. */
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
  const { keyId, displayPrefix } = rotated
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
      <p>{t('keys.rotateHint', { prefix: displayPrefix })}</p>
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
