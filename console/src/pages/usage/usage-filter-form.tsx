import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { billableOperations } from '../../../../src/contract/prices.ts'
import { keysQuery, type UsageFilters } from '../../api/queries.ts'
import styles from './usage-filter-form.module.css'
import { chargeStates, isFiltered } from './usage-filters.ts'

interface FilterFormProps {
  readonly filters: UsageFilters
  readonly onChange: (filters: UsageFilters) => void
}

export function UsageFilterForm({ filters, onChange }: FilterFormProps) {
  const { t } = useTranslation()
  const { data: keys } = useQuery(keysQuery)
  const set = (name: keyof UsageFilters) => (event: { currentTarget: { value: string } }) =>
    onChange({ ...filters, [name]: event.currentTarget.value })
  return (
    // biome-ignore lint/a11y/useSemanticElements: it sends nothing, and a fieldset cannot be a grid everywhere.
    <div className={styles.filters} role="group" aria-label={t('usage.filters')}>
      <NativeSelect
        label={t('usage.operation')}
        value={filters.operation ?? ''}
        onChange={set('operation')}
        data={[
          { value: '', label: t('usage.allOperations') },
          ...billableOperations.map((value) => ({ value, label: t(`operations.${value}`) })),
        ]}
      />
      <NativeSelect
        label={t('usage.state')}
        value={filters.state ?? ''}
        onChange={set('state')}
        data={[
          { value: '', label: t('usage.allStates') },
          ...chargeStates.map((value) => ({ value, label: t(`chargeStates.${value}`) })),
        ]}
      />
      <NativeSelect
        label={t('usage.key')}
        value={filters.keyId ?? ''}
        onChange={set('keyId')}
        data={[
          { value: '', label: t('usage.allKeys') },
          ...(keys?.items ?? []).map(({ keyId, displayPrefix }) => ({ value: keyId, label: displayPrefix })),
        ]}
      />
      <TextInput type="date" label={t('usage.from')} value={filters.from ?? ''} onChange={set('from')} />
      <TextInput type="date" label={t('usage.to')} value={filters.to ?? ''} onChange={set('to')} />
      {isFiltered(filters) && (
        <Button variant="subtle" onClick={() => onChange({})}>
          {t('usage.clear')}
        </Button>
      )}
    </div>
  )
}
