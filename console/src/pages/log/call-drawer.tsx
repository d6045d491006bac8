import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isRefused } from '../../api/ask.ts'
import { chargeDetailsQuery } from '../../api/queries.ts'
import { IconButton, LinkButton } from '../../design/button.tsx'
import { Dialog } from '../../design/dialog.tsx'
import { Icons } from '../../design/icons.tsx'
import { LoadingRows, Notice, Problem } from '../../design/notice.tsx'
import { stack } from '../../design/page.tsx'
import { ChargeDetailsContent } from '../charge-details/charge-details-content.tsx'
import { VerifyButton } from '../proof/verify-button.tsx'
import styles from './log.module.css'

interface CallDrawerProps {
  readonly chargeId: string | undefined
  /** The calls of the list, the newest first. */
  readonly chargeIds: readonly string[]
  readonly onChoose: (chargeId: string) => void
  readonly onClose: () => void
}

export function CallDrawer({ chargeId, chargeIds, onChoose, onClose }: CallDrawerProps) {
  const { t } = useTranslation()
  const at = chargeId === undefined ? -1 : chargeIds.indexOf(chargeId)
  const step = (name: 'newer' | 'older', target: string | undefined) => (
    <IconButton
      aria-label={t(`log.${name}`)}
      title={t(`log.${name}`)}
      disabled={target === undefined}
      onClick={() => target !== undefined && onChoose(target)}
    >
      <span className={styles[name]}>
        <Icons.arrow />
      </span>
    </IconButton>
  )
  return (
    <Dialog
      title={t('chargeDetails.title')}
      isOpen={chargeId !== undefined}
      onClose={onClose}
      isDrawer
      actions={
        at !== -1 && (
          <>
            {step('newer', chargeIds[at - 1])}
            {step('older', chargeIds[at + 1])}
          </>
        )
      }
    >
      {chargeId !== undefined && <Call chargeId={chargeId} />}
    </Dialog>
  )
}

function Call({ chargeId }: { chargeId: string }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(chargeDetailsQuery(chargeId))
  if (isRefused(error, 'NOT_FOUND')) return <Notice>{t('chargeDetails.notFound')}</Notice>
  if (error) return <Problem error={error} onRetry={() => void refetch()} />
  if (!data) return <LoadingRows rows={8} />
  return (
    <div className={`${stack} ${styles.drawer}`}>
      <div className={styles.actions}>
        <VerifyButton of={{ chargeId }} />
        <LinkButton variant="default" href={`/usage/${chargeId}`}>
          {t('log.openPage')}
        </LinkButton>
      </div>
      <ChargeDetailsContent details={data} />
    </div>
  )
}
