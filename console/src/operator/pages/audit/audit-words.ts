import { useTranslation } from 'react-i18next'
import { ownReasons, roleReasonParts } from '../../../../../src/features/operators/contract/own-reasons.ts'
import type { operatorEn } from '../../../i18n/operator/en/en.ts'
import type { AuditItem } from '../../api/types.ts'

type AuditText = typeof operatorEn.audit
type State = NonNullable<AuditItem['before']>

const ownReasonNames = Object.keys(ownReasons) as (keyof typeof ownReasons)[]

/** Fields whose values are words of the gateway; the others hold numbers, IDs and what people wrote. */
const saidFields: readonly string[] = ['state', 'role', 'recovery', 'totp']

/** What the audit log says in the reader's language. What a person wrote stays as it is, and so does what is newer than this page. */
export function useAuditWords() {
  const { t } = useTranslation()
  const sayValue = (name: string, value: State[string]) =>
    typeof value === 'string' && saidFields.includes(name)
      ? t(`operator.audit.values.${value as keyof AuditText['values']}`, { defaultValue: value })
      : String(value ?? '–')
  return {
    // A dot would separate translation keys.
    action: (action: string) =>
      t(`operator.audit.actions.${action.replaceAll('.', '_') as keyof AuditText['actions']}`, {
        defaultValue: action,
      }),
    reason(reason: string): string {
      const own = ownReasonNames.find((name) => ownReasons[name] === reason)
      if (own) return t(`operator.audit.ownReasons.${own}`)
      const refused = roleReasonParts(reason)
      if (!refused) return reason
      const role = t(`operator.audit.values.${refused.role as keyof AuditText['values']}`, {
        defaultValue: refused.role,
      })
      return t('operator.audit.roleReason', { role, operation: refused.operationId })
    },
    state: (state: State): string =>
      Object.entries(state)
        .map(([name, value]) => {
          const field = t(`operator.audit.fields.${name as keyof AuditText['fields']}`, { defaultValue: name })
          return `${field} ${sayValue(name, value)}`
        })
        .join(t('operator.audit.comma')),
  }
}
