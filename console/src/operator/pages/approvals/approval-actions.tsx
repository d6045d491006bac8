import { useTranslation } from 'react-i18next'
import { useCreditsText } from '../../../design/amount.tsx'
import { askToWrite, operatorApi } from '../../api/client.ts'
import { useOperator } from '../../api/session.ts'
import type { Approval } from '../../api/types.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import styles from './approvals.module.css'

/** Somebody else's request is approved or rejected; one's own can only be taken back. */
export function ApprovalActions({ approval: { id, kind, credits, projectId, requestedBy } }: { approval: Approval }) {
  const { t } = useTranslation()
  const creditsText = useCreditsText()
  const { name } = useOperator()
  const isOwn = requestedBy === name
  const what = t(`operator.money.approvals.${kind}Of`, { credits: creditsText(credits), project: projectId })
  const body = (reason: string) => (reason === '' ? {} : { reason })
  const params = { path: { approvalId: id } }
  return (
    <span className={styles.actions}>
      {isOwn ? (
        <span className={styles.own}>{t('operator.money.approvals.own')}</span>
      ) : (
        <ActionButton
          label={t('operator.money.approvals.approve')}
          ariaLabel={`${t('operator.money.approvals.approve')}: ${what}`}
          title={t('operator.money.approvals.approveTitle', { what })}
          hint={t('operator.money.approvals.approveHint')}
          isReasonOptional
          send={(reason) =>
            askToWrite(() => operatorApi.POST('/approvals/{approvalId}/approve', { params, body: body(reason) }))
          }
          news={({ balance }) => t('operator.money.approvals.approved', { available: creditsText(balance.available) })}
        />
      )}
      <ActionButton
        label={t(`operator.money.approvals.${isOwn ? 'takeBack' : 'reject'}`)}
        ariaLabel={`${t(`operator.money.approvals.${isOwn ? 'takeBack' : 'reject'}`)}: ${what}`}
        title={t('operator.money.approvals.rejectTitle', { what })}
        hint={t('operator.money.approvals.rejectHint')}
        isDestructive
        isReasonOptional
        send={(reason) =>
          askToWrite(() => operatorApi.POST('/approvals/{approvalId}/reject', { params, body: body(reason) }))
        }
        news={t('operator.money.approvals.rejected')}
      />
    </span>
  )
}
