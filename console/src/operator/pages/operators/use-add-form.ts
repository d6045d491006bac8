import { useTranslation } from 'react-i18next'
import { operatorRoles } from '../../../../../src/features/operators/contract/roles.ts'
import { askToWrite, operatorApi } from '../../api/client.ts'
import type { NewOperator, Operator } from '../../api/types.ts'
import type { DialogForm } from '../../parts/form-dialog.tsx'
import { useReasonField } from '../../parts/use-reason-field.ts'

export function useAddForm(
  onAdded: (created: NewOperator) => void,
): DialogForm<'name' | 'role' | 'reason', NewOperator> {
  const { t } = useTranslation()
  const reason = useReasonField()
  return {
    title: t('operator.operators.addTitle'),
    hint: t('operator.operators.addHint'),
    submitLabel: t('operator.operators.submit'),
    fields: [
      {
        name: 'name',
        label: t('operator.operators.name'),
        hint: t('operator.operators.nameHint'),
        maxLength: 64,
        codes: ['OPERATOR_NAME_INVALID', 'OPERATOR_ALREADY_EXISTS'],
      },
      {
        name: 'role',
        label: t('operator.operators.role'),
        kind: 'choice',
        choices: operatorRoles.map((role) => ({
          value: role,
          label: `${t(`operator.roles.${role}`)}: ${t(`operator.roleHints.${role}`)}`,
        })),
        codes: ['ROLE_INVALID'],
      },
      reason,
    ],
    send: ({ name, role, reason: why }) =>
      askToWrite(() =>
        operatorApi.POST('/operators', {
          body: { name: name.trim(), role: role as Operator['role'], reason: why.trim() },
        }),
      ),
    onDone: onAdded,
  }
}
