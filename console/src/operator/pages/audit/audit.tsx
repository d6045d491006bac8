import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import { Button } from '../../../design/button.tsx'
import { Empty } from '../../../design/empty.tsx'
import { ExportButton, ExportOutcome, useExportCsv } from '../../../design/export-csv.tsx'
import { Select, TextInput } from '../../../design/field.tsx'
import { PageHead } from '../../../design/page-head.tsx'
import { PagedTable } from '../../../design/paged-table.tsx'
import { PeriodFilter, WrongPeriod } from '../../../design/period-filter.tsx'
import { Sheet } from '../../../design/sheet.tsx'
import { wide } from '../../../design/wide.ts'
import { matching, periodIn, present } from '../../../format/address.ts'
import { isBackwards } from '../../../format/calendar.ts'
import { type AuditFilters, auditCsv, auditQuery } from '../../api/queries.ts'
import styles from './audit.module.css'
import { AuditTable } from './audit-table.tsx'
import { auditActions, useActionName } from './use-action-name.ts'

/** Filters are part of the address: they name operators and ids, nothing personal. */
export function Audit() {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const text = /^.{1,200}$/
  const filters: AuditFilters = present({
    by: matching(params, 'by', text),
    action: matching(params, 'action', text),
    object: matching(params, 'object', text),
    ...periodIn(params),
  })
  const show = (next: AuditFilters) => setParams(present({ ...next }), { replace: true })
  const exporting = useExportCsv(auditCsv(filters))
  const isWrong = isBackwards(filters)
  const isFiltered = Object.keys(filters).length > 0
  return (
    <div className={wide}>
      <PageHead
        title={t('operator.audit.title')}
        lead={t('operator.audit.lead')}
        actions={<ExportButton exporting={exporting} isDisabled={isWrong} />}
      />
      <ExportOutcome exporting={exporting} />
      <Filters key={JSON.stringify(filters)} filters={filters} onChange={show} />
      {isWrong ? (
        <WrongPeriod />
      ) : (
        <Sheet>
          <PagedTable
            query={auditQuery(filters)}
            empty={
              <Empty
                title={t(isFiltered ? 'operator.audit.noMatch' : 'operator.audit.none')}
                actions={
                  isFiltered && (
                    <Button variant="default" size="compact-sm" onClick={() => show({})}>
                      {t('operator.audit.clear')}
                    </Button>
                  )
                }
              />
            }
          >
            {(items) => <AuditTable items={items} onFilter={(filter) => show({ ...filters, ...filter })} />}
          </PagedTable>
        </Sheet>
      )}
      <p className={styles.verify}>
        {t('operator.audit.verify')} <code>npm run gateway -- audit verify</code>
      </p>
    </div>
  )
}

interface FiltersProps {
  readonly filters: AuditFilters
  readonly onChange: (filters: AuditFilters) => void
}

function Filters({ filters: { from, to, ...named }, onChange }: FiltersProps) {
  const { t } = useTranslation()
  const sayAction = useActionName()
  const [by, setBy] = useState(named.by ?? '')
  const [object, setObject] = useState(named.object ?? '')
  const period = present({ from, to })
  const typed = { ...named, ...period, by: by.trim(), object: object.trim() }
  const actions = named.action && !auditActions.includes(named.action) ? [named.action, ...auditActions] : auditActions
  function submit(event: FormEvent) {
    event.preventDefault()
    onChange(typed)
  }
  return (
    <form onSubmit={submit} className={styles.filters} aria-label={t('tables.filters')}>
      <div className={styles.fields}>
        <TextInput
          label={t('operator.audit.by')}
          autoComplete="off"
          value={by}
          onChange={(event) => setBy(event.currentTarget.value)}
        />
        <Select
          label={t('operator.audit.action')}
          value={named.action ?? ''}
          onChange={(event) => onChange({ ...typed, action: event.currentTarget.value })}
          data={[
            { value: '', label: t('operator.audit.allActions') },
            ...actions.map((value) => ({ value, label: sayAction(value) })),
          ]}
        />
        <TextInput
          label={t('operator.audit.object')}
          autoComplete="off"
          value={object}
          onChange={(event) => setObject(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          {t('operator.audit.filter')}
        </Button>
      </div>
      <PeriodFilter period={period} onChange={(next) => onChange({ ...named, by, object, ...next })} />
    </form>
  )
}
