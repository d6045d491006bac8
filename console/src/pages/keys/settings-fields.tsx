import { useTranslation } from 'react-i18next'
import { budgetPeriods } from '../../../../src/contract/budget-periods.ts'
import { Select, Textarea, TextInput } from '../../design/field.tsx'
import type { KeyDraft } from './key-draft.ts'
import styles from './settings-fields.module.css'

interface SettingsFieldsProps {
  readonly draft: KeyDraft
  readonly onChange: (draft: KeyDraft) => void
}

/** What the owner of a key can also change later. */
export function SettingsFields({ draft, onChange }: SettingsFieldsProps) {
  const { t } = useTranslation()
  const set = (change: Partial<KeyDraft>) => onChange({ ...draft, ...change })
  const optional = (label: string) => `${label} (${t('common.optional')})`
  return (
    <>
      <TextInput
        label={t('keys.name')}
        description={t('keys.nameHint')}
        maxLength={64}
        required
        value={draft.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <div className={styles.pair}>
        <TextInput
          type="number"
          min={1}
          step={1}
          inputMode="numeric"
          label={optional(t('keys.budget'))}
          description={t('keys.budgetHint')}
          placeholder={t('keys.noBudget')}
          value={draft.credits}
          onChange={(event) => set({ credits: event.currentTarget.value })}
        />
        <Select
          label={t('keys.budgetPer')}
          value={draft.per}
          onChange={(event) => set({ per: event.currentTarget.value as KeyDraft['per'] })}
          data={budgetPeriods.map((value) => ({ value, label: t(`keys.per.${value}`) }))}
        />
      </div>
      <TextInput
        type="date"
        label={optional(t('keys.validUntil'))}
        description={t('keys.validUntilHint')}
        value={draft.lastDay}
        onChange={(event) => set({ lastDay: event.currentTarget.value })}
      />
      <Textarea
        label={optional(t('keys.addresses'))}
        description={t('keys.addressesHint')}
        placeholder={'203.0.113.7\n2001:db8::/32'}
        rows={3}
        spellCheck={false}
        value={draft.addresses}
        onChange={(event) => set({ addresses: event.currentTarget.value })}
      />
    </>
  )
}
