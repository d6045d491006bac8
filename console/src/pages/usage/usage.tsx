import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'wouter'
import { chargedOperations } from '../../../../src/contract/prices.ts'
import { csvOf, type DailyFilters, keysQuery, overviewQuery, type UsageFilters, usageQuery } from '../../api/queries.ts'
import type { ChargeState } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { PeriodFilter, WrongPeriod } from '../../design/choices.tsx'
import { ExportButton, ExportOutcome, PagedTable, useExportCsv } from '../../design/data-table.tsx'
import { Select, TextInput } from '../../design/field.tsx'
import { Icons } from '../../design/icons.tsx'
import { Empty } from '../../design/notice.tsx'
import { PageHead, Sheet, wide } from '../../design/page.tsx'
import { ChargeTable } from '../../design/tables.tsx'
import { dayAt, isBackwards } from '../../format/calendar.ts'
import { useFormat } from '../../format/format.ts'
import { dayPattern, matching, periodIn, present } from '../../format/return-path.ts'
import { CallLink } from '../../way-back.tsx'
import { DailyChart } from './daily-chart.tsx'
import styles from './usage.module.css'

/** The view is in the URL, so that it can be bookmarked and shared. */
export function Usage() {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const view = viewOf(params)
  const show = (next: UsageView) => setParams(paramsOf(next), { replace: true })
  const exporting = useExportCsv(csvOf('/console/usage.csv', listFilters(view), dayAt(Date.now())))
  const isWrong = isBackwards(view)
  const { data: overview } = useQuery(overviewQuery)
  // No filters or chart before the first call.
  const isNew = overview?.firstSteps.hasCall === false && !isFiltered(view)

  function choose(from: string, to: string) {
    const { day, ...filters } = view
    // Choosing a week sets the period; choosing a day selects it within the period, or deselects it.
    show(from !== to ? { ...filters, from, to } : day === from ? filters : { ...filters, day: from })
  }
  return (
    <div className={wide}>
      <PageHead
        title={t('usage.title')}
        lead={t('usage.lead')}
        actions={!isNew && <ExportButton exporting={exporting} isDisabled={isWrong} />}
      />
      <ExportOutcome exporting={exporting} />
      {!isNew && <UsageFilterForm view={view} onChange={show} />}
      {!isNew && !isWrong && <DailyChart chosenDay={view.day} onChoose={choose} filters={chartFilters(view)} />}
      {isWrong ? <WrongPeriod /> : <Calls view={view} onChange={show} />}
    </div>
  )
}

function Calls({ view, onChange }: { view: UsageView; onChange: (view: UsageView) => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { day, ...filters } = view
  return (
    <Sheet
      title={t('usage.table')}
      actions={
        day && (
          <span className={styles.day}>
            {t('usage.ofDay', { day: format.day(day) })}
            <Button variant="default" size="compact-sm" onClick={() => onChange(filters)}>
              {t('usage.allDays')}
            </Button>
          </span>
        )
      }
    >
      <PagedTable
        query={usageQuery(listFilters(view))}
        empty={
          isFiltered(view) ? (
            <Empty
              title={t('usage.none')}
              actions={
                <Button variant="default" size="compact-sm" onClick={() => onChange({})}>
                  {t('tables.clear')}
                </Button>
              }
            />
          ) : (
            <Empty
              title={t('usage.noneYet')}
              hint={t('usage.noneYetHint')}
              actions={<Link href="/playground">{t('usage.toPlayground')}</Link>}
            />
          )
        }
      >
        {(charges) => <ChargeTable charges={charges} Call={CallLink} />}
      </PagedTable>
    </Sheet>
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
      label={t('usage.search')}
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

interface FilterFormProps {
  readonly view: UsageView
  readonly onChange: (view: UsageView) => void
}

function UsageFilterForm({ view, onChange }: FilterFormProps) {
  const { t } = useTranslation()
  const { data: keys } = useQuery(keysQuery)
  const { from, to, day: _, ...others } = view
  const set = (name: 'operation' | 'state' | 'keyId' | 'id' | 'reason') => (value: string) =>
    onChange({ ...view, [name]: value })
  return (
    // biome-ignore lint/a11y/useSemanticElements: not every browser can lay out a fieldset as a grid.
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
            ...(keys?.items ?? []).map(({ keyId, name, displayPrefix }) => ({
              value: keyId,
              label: name ? `${name} · ${displayPrefix}` : displayPrefix,
            })),
          ]}
        />
        {view.reason && (
          <Select
            label={t('usage.reason')}
            value={view.reason}
            onChange={(event) => set('reason')(event.currentTarget.value)}
            data={[
              { value: '', label: t('usage.allReasons') },
              { value: view.reason, label: view.reason },
            ]}
          />
        )}
        <IdSearch key={view.id ?? ''} id={view.id ?? ''} onSearch={set('id')} />
        {/* Always rendered, so that nothing moves when it becomes enabled. */}
        <Button variant="default" disabled={!isFiltered(view)} onClick={() => onChange({})}>
          {t('tables.clear')}
        </Button>
      </div>
    </div>
  )
}

const chargeStates: readonly ChargeState[] = ['settled', 'reserved', 'released', 'manual_review']

/** The view: the filters, and the day selected in the chart. */
interface UsageView extends UsageFilters {
  day?: string
}

const idPattern = /^(chg|req)_[A-Za-z0-9]{1,60}$/

/** The view from the query string; invalid values are ignored. */
function viewOf(params: URLSearchParams): UsageView {
  const oneOf = <T extends string>(name: string, values: readonly T[]) => values.find((v) => v === params.get(name))
  return present({
    operation: oneOf('operation', chargedOperations),
    state: oneOf('state', chargeStates),
    keyId: matching(params, 'keyId', /^key_[A-Za-z0-9]+$/),
    id: matching(params, 'id', idPattern),
    reason: matching(params, 'reason', /^[A-Z_]{1,64}$/),
    ...periodIn(params),
    day: matching(params, 'day', dayPattern),
  })
}

const paramsOf = (view: UsageView): Record<string, string> => present({ ...view })

const isFiltered = (view: UsageView): boolean => Object.keys(view).length > 0

/** The filters of the list and its export. */
const listFilters = ({ day, ...filters }: UsageView): UsageFilters =>
  day === undefined ? filters : { ...filters, from: day, to: day }

/** The filters of the chart: all except the selected day, the ID and the reason. */
const chartFilters = ({ day: _, id: __, reason: ___, ...filters }: UsageView): DailyFilters => filters
