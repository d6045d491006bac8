import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'wouter'
import { entryKinds } from '../../../../src/contract/choices.ts'
import { csvOf, type LedgerFilters, ledgerQuery, overviewQuery } from '../../api/queries.ts'
import type { LedgerEntry } from '../../api/types.ts'
import { CallLink } from '../../back-navigation.tsx'
import { Button, LinkButton } from '../../design/button.tsx'
import { Chips, PeriodFilter, WrongPeriod } from '../../design/choices.tsx'
import { ExportButton, ExportOutcome, PagedTable, useExportCsv } from '../../design/data-table.tsx'
import { Empty } from '../../design/notice.tsx'
import { PageHead, Sheet, wide } from '../../design/page.tsx'
import { EntryTable } from '../../design/tables.tsx'
import { dayAt, isBackwards } from '../../format/calendar.ts'
import { periodIn } from '../../format/return-path.ts'
import { VerifyButton } from '../proof/verify-button.tsx'
import styles from './ledger.module.css'

/** Filters are in the URL, so that a view can be bookmarked and shared. */
export function Ledger() {
  const { t, i18n } = useTranslation()
  const [params, setParams] = useSearchParams()
  const kind = entryKinds.find((known) => known === params.get('kind'))
  const period = periodIn(params)
  const filters: LedgerFilters = { ...(kind && { kind }), ...period }
  const show = (next: LedgerFilters) => setParams({ ...next }, { replace: true })
  const today = dayAt(Date.now())
  const exporting = useExportCsv(csvOf('/console/ledger.csv', filters, { today, language: i18n.language }))
  const isWrong = isBackwards(period)
  const { data: overview } = useQuery(overviewQuery)
  // No filters before the first entry.
  const isNew = overview?.bought === 0 && Object.keys(filters).length === 0
  return (
    <div className={wide}>
      <PageHead
        title={t('ledger.title')}
        lead={t('ledger.lead')}
        actions={
          !isNew && (
            <>
              <LinkButton href="/statements" variant="default">
                {t('ledger.statements')}
              </LinkButton>
              <ExportButton exporting={exporting} isDisabled={isWrong} />
            </>
          )
        }
      />
      <ExportOutcome exporting={exporting} />
      {!isNew && <Filters filters={filters} onChange={show} />}
      {isWrong ? <WrongPeriod /> : <Entries filters={filters} onClear={() => show({})} />}
    </div>
  )
}

interface FiltersProps {
  readonly filters: LedgerFilters
  readonly onChange: (filters: LedgerFilters) => void
}

function Filters({ filters: { kind, ...period }, onChange }: FiltersProps) {
  const { t } = useTranslation()
  return (
    // biome-ignore lint/a11y/useSemanticElements: not every browser can lay out a fieldset as a grid.
    <div className={styles.filters} role="group" aria-label={t('tables.filters')}>
      <Chips
        label={t('ledger.kind')}
        value={kind ?? 'all'}
        onChoose={(chosen) => onChange({ ...period, ...(chosen !== 'all' && { kind: chosen }) })}
        choices={[
          { value: 'all', label: t('ledger.allKinds') },
          ...entryKinds.map((value) => ({ value, label: t(`ledger.kinds.${value}`) })),
        ]}
      />
      <PeriodFilter period={period} onChange={(next) => onChange({ ...(kind && { kind }), ...next })} />
    </div>
  )
}

/** Entries of calls lead to the call, whose receipt is verified there. */
const verifyOf = ({ chargeId, seq }: LedgerEntry) => chargeId === null && <VerifyButton of={{ seq }} isInRow />

function Entries({ filters, onClear }: { filters: LedgerFilters; onClear: () => void }) {
  const { t } = useTranslation()
  const isFiltered = Object.keys(filters).length > 0
  return (
    <Sheet>
      <PagedTable
        query={ledgerQuery(filters)}
        empty={
          isFiltered ? (
            <Empty
              title={t('ledger.noMatch')}
              actions={
                <Button variant="default" size="compact-sm" onClick={onClear}>
                  {t('tables.clear')}
                </Button>
              }
            />
          ) : (
            <Empty
              title={t('ledger.none')}
              hint={t('ledger.noneHint')}
              actions={<Link href="/recharge">{t('recharge.title')}</Link>}
            />
          )
        }
      >
        {(entries) => <EntryTable entries={entries} Call={CallLink} action={verifyOf} />}
      </PagedTable>
    </Sheet>
  )
}
