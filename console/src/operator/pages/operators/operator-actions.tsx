import { useTranslation } from 'react-i18next'
import { askToWrite, operatorApi } from '../../api/client.ts'
import { useOperator } from '../../api/session.ts'
import type { NewOperator, Operator } from '../../api/types.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import styles from './operators.module.css'

interface OperatorActionsProps {
  readonly operator: Operator
  readonly onCreated: (created: NewOperator) => void
}

export function OperatorActions({ operator, onCreated }: OperatorActionsProps) {
  const { t } = useTranslation()
  const { name, state } = operator
  const params = { path: { name } }
  return (
    <span className={styles.actions}>
      {state === 'pending' && <PendingActions operator={operator} />}
      <ActionButton
        size="compact-xs"
        label={t('operator.operators.reset')}
        ariaLabel={`${t('operator.operators.reset')}: ${name}`}
        title={t('operator.operators.resetTitle', { name })}
        hint={t('operator.operators.resetHint')}
        isDestructive
        send={(reason) => askToWrite(() => operatorApi.POST('/operators/{name}/reset', { params, body: { reason } }))}
        onDone={onCreated}
      />
      {(state === 'active' || state === 'locked') && (
        <ActionButton
          size="compact-xs"
          label={t('operator.operators.disable')}
          ariaLabel={`${t('operator.operators.disable')}: ${name}`}
          title={t('operator.operators.disableTitle', { name })}
          hint={t('operator.operators.disableHint')}
          isDestructive
          send={(reason) =>
            askToWrite(() => operatorApi.POST('/operators/{name}/disable', { params, body: { reason } }))
          }
          news={t('operator.operators.disabled', { name })}
        />
      )}
    </span>
  )
}

/** Another administrator approves or rejects it; whoever asked can only take it back. */
function PendingActions({ operator: { name, role, requestedBy } }: { operator: Operator }) {
  const { t } = useTranslation()
  const isOwn = requestedBy === useOperator().name
  const params = { path: { name } }
  const body = (reason: string) => (reason === '' ? {} : { reason })
  const rejectLabel = t(`operator.operators.${isOwn ? 'takeBack' : 'reject'}`)
  return (
    <>
      {!isOwn && (
        <ActionButton
          size="compact-xs"
          label={t('operator.operators.approve')}
          ariaLabel={`${t('operator.operators.approve')}: ${name}`}
          title={t('operator.operators.approveTitle', { name, role: t(`operator.roles.${role}`) })}
          hint={t('operator.operators.approveHint')}
          isReasonOptional
          send={(reason) =>
            askToWrite(() => operatorApi.POST('/operators/{name}/approve', { params, body: body(reason) }))
          }
          news={t('operator.operators.approved', { name })}
        />
      )}
      <ActionButton
        size="compact-xs"
        label={rejectLabel}
        ariaLabel={`${rejectLabel}: ${name}`}
        title={t('operator.operators.rejectTitle', { name })}
        hint={t('operator.operators.rejectHint')}
        isDestructive
        isReasonOptional
        send={(reason) =>
          askToWrite(() => operatorApi.POST('/operators/{name}/reject', { params, body: body(reason) }))
        }
        news={t('operator.operators.rejected', { name })}
      />
    </>
  )
}
