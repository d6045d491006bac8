import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chargedOperations } from '../../../../src/contract/prices.ts'
import { keysQuery, outcomesQuery } from '../../api/queries.ts'
import { Button } from '../../design/button.tsx'
import { ChipLine, ChipMenu, ChipSelect } from '../../design/chip-menu.tsx'
import { PeriodFilter } from '../../design/choices.tsx'
import { TextInput } from '../../design/field.tsx'
import { Icons } from '../../design/icons.tsx'
import { dayAt, isBackwards, presetOf } from '../../format/calendar.ts'
import { useFormat } from '../../format/format.ts'
import styles from './usage.module.css'
import { chargeStates, idPattern, isFiltered, type UsageView } from './view.ts'

interface FiltersProps {
  readonly view: UsageView
  readonly onChange: (view: UsageView) => void
  readonly hasRows: boolean
}

/** Everything that narrows the log. */
export function UsageFilters({ view, onChange, hasRows }: FiltersProps) {
  const { t } = useTranslation()
  const { data: keys } = useQuery({ ...keysQuery, enabled: hasRows || view.keyId !== undefined })
  const { data: outcomes } = useQuery({ ...outcomesQuery, enabled: hasRows })
  const set = (name: 'operation' | 'state' | 'keyId' | 'id' | 'reason') => (value: string) =>
    onChange({ ...view, [name]: value })
  const reasons = new Set([...(view.reason ? [view.reason] : []), ...(outcomes?.reasons.map(({ code }) => code) ?? [])])
  return (
    <ChipLine label={t('tables.filters')}>
      <PeriodChip view={view} onChange={onChange} />
      <ChipSelect
        label={t('usage.operation')}
        value={view.operation ?? ''}
        onChange={set('operation')}
        data={[
          { value: '', label: t('usage.allOperations') },
          ...chargedOperations.map((value) => ({ value, label: t(`operations.${value}`) })),
        ]}
      />
      <ChipSelect
        label={t('usage.state')}
        value={view.state ?? ''}
        onChange={set('state')}
        data={[
          { value: '', label: t('usage.allStates') },
          ...chargeStates.map((value) => ({ value, label: t(`chargeStates.${value}`) })),
        ]}
      />
      <ChipSelect
        label={t('usage.key')}
        value={view.keyId ?? ''}
        onChange={set('keyId')}
        data={[
          { value: '', label: t('usage.allKeys') },
          ...(keys?.items ?? []).map(({ keyId, name, displayPrefix }) => ({
            value: keyId,
            label: name ? `${name} · ${displayPrefix}` : displayPrefix,
          })),
        ]}
      />
      <ChipSelect
        label={t('usage.reason')}
        value={view.reason ?? ''}
        onChange={set('reason')}
        data={[{ value: '', label: t('usage.allReasons') }, ...[...reasons].map((value) => ({ value, label: value }))]}
      />
      <IdSearch key={view.id ?? ''} id={view.id ?? ''} onSearch={set('id')} />
      {isFiltered(view) && (
        <Button variant="default" onClick={() => onChange({})}>
          {t('tables.clear')}
        </Button>
      )}
    </ChipLine>
  )
}

function PeriodChip({ view, onChange }: Pick<FiltersProps, 'view' | 'onChange'>) {
  const { t } = useTranslation()
  const format = useFormat()
  const { from, to, day: _, ...others } = view
  const period = { ...(from && { from }), ...(to && { to }) }
  const today = dayAt(Date.now())
  const preset = presetOf(period, today)
  const value =
    preset === 'all' ? undefined : preset ? t(`tables.presets.${preset}`) : format.days(from ?? '…', to ?? today)
  return (
    <ChipMenu label={t('log.period')} value={value}>
      {(close) => (
        <PeriodFilter
          period={period}
          onChange={(next) => {
            onChange({ ...others, ...next })
            if (presetOf(next, today) !== null && !isBackwards(next)) close()
          }}
        />
      )}
    </ChipMenu>
  )
}

/** Finds one call by its ID, pasted, or typed and confirmed with Enter. */
function IdSearch({ id, onSearch }: { id: string; onSearch: (id: string) => void }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(id)
  const [isWrong, setWrong] = useState(false)

  function search(text: string) {
    const wanted = text.trim()
    const isId = wanted === '' || idPattern.test(wanted)
    setWrong(!isId)
    if (isId && wanted !== id) onSearch(wanted)
  }
  return (
    <TextInput
      size="sm"
      className={styles.search}
      aria-label={t('usage.search')}
      placeholder="chg_… / req_…"
      leftSection={<Icons.search size={16} />}
      spellCheck={false}
      autoComplete="off"
      value={typed}
      error={isWrong && t('usage.searchWrong')}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        setWrong(false)
        if (event.currentTarget.value === '') search('')
      }}
      onPaste={(event) => {
        const pasted = event.clipboardData.getData('text').trim()
        if (!idPattern.test(pasted)) return
        event.preventDefault()
        setTyped(pasted)
        search(pasted)
      }}
      onBlur={() => search(typed)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') search(typed)
      }}
    />
  )
}
