import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { refreshBooks } from '../../api/queries.ts'
import type { Key } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { Problem } from '../../design/problem.tsx'
import styles from './create-key.module.css'
import { KeyChain } from './key-chain.tsx'
import { changesIn, draftOf } from './key-draft.ts'
import { SettingsFields } from './settings-fields.tsx'

interface EditKeyProps {
  readonly edited: Key | null
  readonly keys: readonly Key[]
  readonly onClose: () => void
}

/** The settings of a key, and the keys that it replaced. */
export function EditKey({ edited, keys, onClose }: EditKeyProps) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('keys.editTitle')} isOpen={edited !== null} onClose={onClose}>
      {edited && <Settings edited={edited} keys={keys} onClose={onClose} />}
    </Dialog>
  )
}

function Settings({ edited, keys, onClose }: { edited: Key; keys: readonly Key[]; onClose: () => void }) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(() => draftOf(edited))
  const { keyId } = edited
  const saving = useMutation({
    mutationFn: () =>
      askToWrite(() =>
        gateway.POST('/console/keys/{keyId}/update', { params: { path: { keyId } }, body: changesIn(draft, edited) }),
      ),
    onSuccess: onClose,
    onSettled: () => void refreshBooks(),
  })
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      <SettingsFields draft={draft} onChange={setDraft} />
      <KeyChain of={edited} keys={keys} />
      {saving.error && <Problem error={saving.error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={saving.isPending}>
          {t('keys.save')}
        </Button>
      </DialogActions>
    </form>
  )
}
