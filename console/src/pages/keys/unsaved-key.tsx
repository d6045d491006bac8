import { useTranslation } from 'react-i18next'
import { Dialog } from '../../design/dialog.tsx'
import { ShownOnce } from './shown-once.tsx'
import { unsavedKey, useUnsavedKey } from './unsaved-key-store.ts'

/** Shows a new key above whatever page is there, until its owner says that it is saved. */
export function UnsavedKey() {
  const { t } = useTranslation()
  const created = useUnsavedKey()
  return (
    <Dialog title={t('keys.onceTitle')} isOpen={created !== null} onClose={unsavedKey.dismiss} isHeld>
      {created && <ShownOnce created={created} onDone={unsavedKey.dismiss} />}
    </Dialog>
  )
}
