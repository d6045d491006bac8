import { useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import type { CreatedKey } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { Copy } from '../../design/copy.tsx'
import { Dialog, DialogActions, useLeaveWarning } from '../../design/dialog.tsx'
import { Checkbox } from '../../design/field.tsx'
import { Notice } from '../../design/notice.tsx'
import { handedKey } from '../../handoff.ts'
import { AgentSetup } from './agent-setup.tsx'
import styles from './keys.module.css'

/** Shows a new key above any page until the user confirms that it is saved. */
export function UnsavedKey() {
  const { t } = useTranslation()
  const created = useUnsavedKey()
  return (
    <Dialog title={t('keys.onceTitle')} isOpen={created !== null} onClose={unsavedKey.dismiss} isHeld>
      {created && <ShownOnce created={created} onDone={unsavedKey.dismiss} />}
    </Dialog>
  )
}

/** Shows the key once, and stays open until it was saved. */
function ShownOnce({ created, onDone }: { created: ShownKey; onDone: () => void }) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const [isSaved, setSaved] = useState(false)
  useLeaveWarning(!isSaved)

  return (
    <>
      <Notice tone="wait">{t('keys.once')}</Notice>
      <div className={styles.plaintext}>
        <label htmlFor="plaintext-key">{t('keys.plaintext')}</label>
        <textarea
          id="plaintext-key"
          className={styles.plaintextText}
          readOnly
          spellCheck={false}
          value={created.apiKey}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Copy text={created.apiKey} of={t('keys.plaintext')} onCopied={() => setSaved(true)} isMain={!isSaved} />
      </div>
      {created.isForAgent && <AgentSetup apiKey={created.apiKey} />}
      <Checkbox label={t('keys.saved')} checked={isSaved} onChange={(event) => setSaved(event.currentTarget.checked)} />
      <DialogActions>
        <Button variant="default" disabled={!isSaved} onClick={onDone}>
          {t('keys.finish')}
        </Button>
        <Button
          disabled={!isSaved}
          onClick={() => {
            handedKey.give(created.apiKey)
            onDone()
            navigate('/playground')
          }}
        >
          {t('keys.finishAndTry')}
        </Button>
      </DialogActions>
    </>
  )
}

/** A key for an agent is shown with the configuration of the agent. */
type ShownKey = CreatedKey & { readonly isForAgent: boolean }

let unsaved: ShownKey | null = null
const listeners = new Set<() => void>()

function become(next: ShownKey | null): void {
  unsaved = next
  for (const listener of listeners) listener()
}

/** A key not yet saved by the user. In memory only, and independent of page and session, because it cannot be shown again. */
export const unsavedKey = {
  show: (created: ShownKey): void => become(created),
  dismiss: (): void => become(null),
}

const useUnsavedKey = (): ShownKey | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => unsaved,
  )
