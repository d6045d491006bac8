import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import { auditActions } from '../../../../../src/contract/audit-actions.ts'
import { Button } from '../../../design/button.tsx'
import { PeriodFilter, WrongPeriod } from '../../../design/choices.tsx'
import { CopyId } from '../../../design/copy.tsx'
import {
  type Column,
  DataTable,
  ExportButton,
  ExportOutcome,
  PagedTable,
  useExportCsv,
} from '../../../design/data-table.tsx'
import { Select, TextInput } from '../../../design/field.tsx'
import { Time } from '../../../design/figures.tsx'
import { Empty } from '../../../design/notice.tsx'
import { PageHead, Sheet, wide } from '../../../design/page.tsx'
import { isBackwards } from '../../../format/calendar.ts'
import { matching, periodIn, present } from '../../../format/return-path.ts'
import { type AuditFilters, auditCsv, auditQuery } from '../../api/queries.ts'
import type { AuditItem } from '../../api/types.ts'
import styles from './audit.module.css'
import { useAuditWords } from './audit-words.ts'

/** Filters are in the URL: they contain operator names and IDs, no personal data. */
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
  const show = (next: AuditFilters) => setParams(present({ ...next }))
  const words = useAuditWords()
  const exporting = useExportCsv(auditCsv(filters), async (file) => {
    const { auditInChinese } = await import('./chinese-file.ts')
    const state = (cell: string) => words.state(JSON.parse(cell))
    const via = (cell: string) => t(`operator.audit.via.${cell as AuditItem['via']}`)
    return auditInChinese(file, { via, action: words.action, reason: words.reason, before: state, after: state })
  })
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
  const words = useAuditWords()
  const [by, setBy] = useState(named.by ?? '')
  const [object, setObject] = useState(named.object ?? '')
  const period = present({ from, to })
  const typed = { ...named, ...period, by: by.trim(), object: object.trim() }
  // An entry may have an action that is newer than this page.
  const actions = [...new Set([...Object.keys(auditActions), ...(named.action ? [named.action] : [])])]
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
            ...actions.map((value) => ({ value, label: words.action(value) })),
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

interface AuditTableProps {
  readonly items: readonly AuditItem[]
  readonly onFilter: (filter: AuditFilters) => void
}

function AuditTable({ items, onFilter }: AuditTableProps) {
  const { t } = useTranslation()
  const words = useAuditWords()
  const columns: Column<AuditItem>[] = [
    { key: 'at', title: t('operator.audit.time'), narrow: 'untitled', cell: ({ at }) => <Time at={at} /> },
    {
      key: 'by',
      title: t('operator.audit.by'),
      narrow: 'untitled',
      cell: ({ by, via }) => (
        <span className={styles.pair}>
          <button type="button" className={styles.by} onClick={() => onFilter({ by })}>
            {by}
          </button>
          <span>{t(`operator.audit.via.${via}`)}</span>
        </span>
      ),
    },
    {
      key: 'action',
      title: t('operator.audit.action'),
      isMain: true,
      cell: ({ action }) => (
        <span className={styles.pair}>
          {words.action(action)}
          <code>{action}</code>
        </span>
      ),
    },
    {
      key: 'object',
      title: t('operator.audit.object'),
      cell: ({ object }) => <CopyId id={object} of={t('operator.audit.object')} isShort={/^[a-z]{3}_/.test(object)} />,
    },
    { key: 'reason', title: t('operator.audit.reason'), isText: true, cell: ({ reason }) => words.reason(reason) },
    {
      key: 'change',
      title: t('operator.audit.change'),
      isText: true,
      cell: ({ before, after }) => <Change before={before} after={after} />,
    },
  ]
  return <DataTable caption={t('operator.audit.title')} columns={columns} rows={items} rowKey={({ id }) => id} />
}

function Change({ before, after }: Pick<AuditItem, 'before' | 'after'>) {
  const { t } = useTranslation()
  const words = useAuditWords()
  if (before === null && after === null) return null
  const said = (state: AuditItem['before']) => (state ? words.state(state) : t('operator.audit.nothingBefore'))
  return (
    <span className={styles.change}>
      <span>{said(before)}</span>
      <span className={styles.after}>{said(after)}</span>
    </span>
  )
}
