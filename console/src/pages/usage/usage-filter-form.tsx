import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { chargedOperations } from '../../../../src/contract/prices.ts'
import { keysQuery } from '../../api/queries.ts'
import { Button } from '../../design/button.tsx'
import { Select } from '../../design/field.tsx'
import { PeriodFilter } from '../../design/period-filter.tsx'
import { IdSearch } from './id-search.tsx'
import styles from './usage-filter-form.module.css'
import { chargeStates, isFiltered, type UsageView } from './usage-filters.ts'

interface FilterFormProps {
  readonly view: UsageView
  readonly onChange: (view: UsageView) => void
}

export function UsageFilterForm({ view, onChange }: FilterFormProps) {
  const { t } = useTranslation()
  const { data: keys } = useQuery(keysQuery)
  const { from, to, day: _, ...others } = view
  const set = (name: 'operation' | 'state' | 'keyId' | 'id') => (value: string) => onChange({ ...view, [name]: value })
  return (
    // biome-ignore lint/a11y/useSemanticElements: it sends nothing, and a fieldset cannot be a grid everywhere.
    <div className={styles.filters} role="group" aria-label={t('tables.filters')}>
      <PeriodFilter
        period={{ ...(from && { from }), ...(to && { to }) }}
        onChange={(period) => onChange({ ...others, ...period })}
      />
      <div className={styles.fields}>
        <Select
          label={t('usage.operation')}
          value={view.operation ?? ''}
          onChange={(event) => set('operation')(event.currentTarget.value)}
          data={[
            { value: '', label: t('usage.allOperations') },
            ...chargedOperations.map((value) => ({ value, label: t(`operations.${value}`) })),
          ]}
        />
        <Select
          label={t('usage.state')}
          value={view.state ?? ''}
          onChange={(event) => set('state')(event.currentTarget.value)}
          data={[
            { value: '', label: t('usage.allStates') },
            ...chargeStates.map((value) => ({ value, label: t(`chargeStates.${value}`) })),
          ]}
        />
        <Select
          label={t('usage.key')}
          value={view.keyId ?? ''}
          onChange={(event) => set('keyId')(event.currentTarget.value)}
          data={[
            { value: '', label: t('usage.allKeys') },
            ...(keys?.items ?? []).map(({ keyId, displayPrefix }) => ({ value: keyId, label: displayPrefix })),
          ]}
        />
        <IdSearch key={view.id ?? ''} id={view.id ?? ''} onSearch={set('id')} />
        {/* Always in its place, so that nothing moves when there is something to clear. */}
        <Button variant="default" disabled={!isFiltered(view)} onClick={() => onChange({})}>
          {t('tables.clear')}
        </Button>
      </div>
    </div>
  )
}
