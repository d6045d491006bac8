import { useTranslation } from 'react-i18next'
import { auditActions, auditedFields } from '../../../../../src/contract/audit-actions.ts'
import { ownReasons, roleReasonParts } from '../../../../../src/operator-kit/own-reasons.ts'
import type { OperatorWords } from '../../../i18n/messages.ts'
import type { AuditItem } from '../../api/types.ts'

type AuditText = OperatorWords['audit']
type Names = Readonly<Record<string, { readonly en: string; readonly zh: string }>>
type State = NonNullable<AuditItem['before']>

const ownReasonNames = Object.keys(ownReasons) as (keyof typeof ownReasons)[]

/** Fields whose values are words of the gateway; the others hold numbers, IDs and what people wrote. */
const translatedFields: readonly string[] = ['state', 'outcome', 'role', 'recovery', 'totp']

/** Translates audit entries. Free text stays as it is, and so do values newer than this page. */
export function useAuditWords() {
  const { t, i18n } = useTranslation()
  const language = i18n.language === 'en' ? 'en' : 'zh'
  const nameIn = (names: Names, name: string) => (Object.hasOwn(names, name) ? names[name]![language] : name)
  const sayValue = (name: string, value: State[string]) =>
    typeof value === 'string' && translatedFields.includes(name)
      ? t(`operator.audit.values.${value as keyof AuditText['values']}`, { defaultValue: value })
      : String(value ?? '–')
  return {
    action: (action: string) => nameIn(auditActions, action),
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
        .map(([name, value]) => `${nameIn(auditedFields, name)} ${sayValue(name, value)}`)
        .join(t('operator.audit.comma')),
  }
}
