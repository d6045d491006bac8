import { useTranslation } from 'react-i18next'
import { askToWrite, operatorApi } from '../../api/client.ts'
import type { NewOperator, Operator } from '../../api/types.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import styles from './operators.module.css'

interface OperatorActionsProps {
  readonly operator: Operator
  readonly onCreated: (created: NewOperator) => void
}

export function OperatorActions({ operator: { name, state }, onCreated }: OperatorActionsProps) {
  const { t } = useTranslation()
  const params = { path: { name } }
  return (
    <span className={styles.actions}>
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
      {state === 'active' && (
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
