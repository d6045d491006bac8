import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../design/button.tsx'
import { Copy } from '../../design/copy.tsx'
import { save } from '../../design/data-table.tsx'
import { DialogActions, useLeaveWarning } from '../../design/dialog.tsx'
import { Checkbox } from '../../design/field.tsx'
import { Icons } from '../../design/icons.tsx'
import { Notice } from '../../design/notice.tsx'
import styles from './second-factor.module.css'

/** Shows the recovery codes once, and stays open until they were saved. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { t } = useTranslation()
  const [isSaved, setSaved] = useState(false)
  useLeaveWarning(!isSaved)
  return (
    <>
      <Notice tone="wait">{t('secondFactor.codesHint')}</Notice>
      <ul className={styles.codes} aria-label={t('secondFactor.codes')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles.keep}>
        <Copy text={codes.join('\n')} of={t('secondFactor.codes')} onCopied={() => setSaved(true)} isMain={!isSaved} />
        <Button
          variant="default"
          icon={<Icons.download size={16} />}
          onClick={() => {
            const text = `${t('secondFactor.codesFile', { site: location.host })}\n\n${codes.join('\n')}\n`
            save(new Blob([text], { type: 'text/plain;charset=utf-8' }), 'recovery-codes.txt')
            setSaved(true)
          }}
        >
          {t('secondFactor.downloadCodes')}
        </Button>
      </div>
      <Checkbox
        label={t('secondFactor.codesSaved')}
        checked={isSaved}
        onChange={(event) => setSaved(event.currentTarget.checked)}
      />
      <DialogActions>
        <Button disabled={!isSaved} onClick={onDone}>
          {t('secondFactor.finish')}
        </Button>
      </DialogActions>
    </>
  )
}
