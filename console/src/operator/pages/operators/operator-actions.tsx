import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { askToWrite, operatorApi } from '../../api/client.ts'
import type { NewOperator, Operator } from '../../api/types.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { type DialogForm, FormDialog } from '../../parts/form-dialog.tsx'
import { useReasonField } from '../../parts/use-reason-field.ts'
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
      <Reset name={name} onCreated={onCreated} />
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

function Reset({ name, onCreated }: { name: string; onCreated: (created: NewOperator) => void }) {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  const reason = useReasonField()
  const form: DialogForm<'reason', NewOperator> = {
    title: t('operator.operators.resetTitle', { name }),
    hint: t('operator.operators.resetHint'),
    fields: [reason],
    submitLabel: t('operator.operators.reset'),
    isDestructive: true,
    send: (values) =>
      askToWrite(() =>
        operatorApi.POST('/operators/{name}/reset', {
          params: { path: { name } },
          body: { reason: values.reason.trim() },
        }),
      ),
    onDone: onCreated,
  }
  return (
    <>
      <Button
        variant="default"
        size="compact-xs"
        aria-label={`${t('operator.operators.reset')}: ${name}`}
        onClick={() => setAsking(true)}
      >
        {t('operator.operators.reset')}
      </Button>
      <FormDialog form={isAsking ? form : null} onClose={() => setAsking(false)} />
    </>
  )
}
