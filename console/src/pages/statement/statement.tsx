import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useParams } from 'wouter'
import { ask, isRefused } from '../../api/ask.ts'
import { statementQuery } from '../../api/queries.ts'
import { useMe } from '../../api/session.ts'
import type { MonthStatement } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { type Column, DataTable, save } from '../../design/data-table.tsx'
import { Select } from '../../design/field.tsx'
import { Figure, Figures } from '../../design/figures.tsx'
import { Icons } from '../../design/icons.tsx'
import { LoadingRows, Notice, Problem } from '../../design/notice.tsx'
import { PageHead, Sheet } from '../../design/page.tsx'
import { dayAt } from '../../format/calendar.ts'
import { useFormat } from '../../format/format.ts'
import { addWords } from '../../i18n/i18n.ts'
import { entriesOf, statementOf } from '../proof/statement-files.ts'
import { VerifyButton } from '../proof/verify-button.tsx'
import styles from './statement.module.css'
import * as words from './words.ts'

addWords(words)

/** What a month moved, day by day; the browser prints it or makes a PDF of it. */
export function Statement() {
  const { t } = useTranslation()
  const format = useFormat()
  const { month = dayAt(Date.now()).slice(0, 7) } = useParams<{ month?: string }>()
  const { data, error, refetch } = useQuery(statementQuery(month))
  return (
    <div>
      <PageHead
        title={t('statement.title', { month: format.month(month) })}
        lead={data && t('statement.lead', { days: format.days(data.from, data.to) })}
        actions={data && <Actions statement={data} />}
      />
      {isRefused(error, 'STATEMENT_NOT_FOUND') ? (
        <Notice>
          {t('statement.notFound')} <Link href="/statements">{t('statement.latest')}</Link>
        </Notice>
      ) : (
        error && <Problem error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && (
        <Sheet>
          <LoadingRows rows={12} />
        </Sheet>
      )}
      {data && <Content statement={data} />}
    </div>
  )
}

function Actions({ statement: { month, months } }: { statement: MonthStatement }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [, navigate] = useLocation()
  return (
    <div className={`${styles.actions} not-printed`}>
      <Select
        aria-label={t('statement.month')}
        value={month}
        onChange={(event) => navigate(`/statements/${event.currentTarget.value}`)}
        data={months.map((value) => ({ value, label: format.month(value) }))}
      />
      <Button variant="default" icon={<Icons.print size={16} />} onClick={() => print()}>
        {t('statement.print')}
      </Button>
    </div>
  )
}

function Content({ statement }: { statement: MonthStatement }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { project } = useMe()
  const { month, isOver, issuedAt, opening, closing, totals } = statement
  return (
    <>
      <p className={styles.printed}>
        {t('product')}
        <span>{t('statement.project', { name: project.name, id: project.projectId })}</span>
        <span>{t('statement.issued', { time: format.dateTime(issuedAt) })}</span>
      </p>
      {!isOver && <Notice>{t('statement.soFar', { time: format.dateTime(issuedAt) })}</Notice>}
      <Sheet>
        <Figures>
          <Balance title={t('statement.opening')} balance={opening} />
          {movementsIn(totals).map((name) => (
            <Figure key={name} title={t(`statement.${name}`)}>
              {signed(name, format.number(totals[name]))}
            </Figure>
          ))}
          <Balance title={t('statement.closing')} balance={closing} />
        </Figures>
      </Sheet>
      <Sheet title={t('statement.days')}>
        <Days statement={statement} />
      </Sheet>
      <Files month={month} />
    </>
  )
}

/** Credits that calls hold are still the payer's. */
function Balance({ title, balance: { available, reserved } }: { title: string; balance: MonthStatement['opening'] }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Figure title={title}>
      {format.number(available + reserved)}{' '}
      {reserved > 0 && <span className={styles.held}>{t('statement.held', { amount: format.number(reserved) })}</span>}
    </Figure>
  )
}

const signs = { recharged: '+', granted: '+', refunded: '−', withdrawn: '−', spent: '−' } as const
type Moved = keyof typeof signs

const signed = (name: Moved, amount: string): string => (amount === '0' ? amount : `${signs[name]}${amount}`)

/** Grants and withdrawals are rare: only shown in a month that has one. */
const movementsIn = (totals: MonthStatement['totals']): Moved[] =>
  (Object.keys(signs) as Moved[]).filter((name) => !(name in isRare) || totals[name] > 0)

const isRare = { granted: true, withdrawn: true }

type Day = MonthStatement['days'][number]

function Days({ statement: { days, totals } }: { statement: MonthStatement }) {
  const { t } = useTranslation()
  const format = useFormat()
  const columns: Column<Day>[] = [
    {
      key: 'day',
      title: t('statement.day'),
      isMain: true,
      cell: ({ day }) => <time dateTime={day}>{format.day(day)}</time>,
    },
    ...movementsIn(totals).map(
      (name): Column<Day> => ({
        key: name,
        title: t(`statement.${name}`),
        isNumber: true,
        cell: (day) => <span data-none={day[name] === 0 || undefined}>{signed(name, format.number(day[name]))}</span>,
      }),
    ),
    {
      key: 'reserved',
      title: t('statement.reserved'),
      isNumber: true,
      cell: ({ reserved }) => <span data-none={reserved === 0 || undefined}>{format.number(reserved)}</span>,
    },
    {
      key: 'available',
      title: t('statement.available'),
      isNumber: true,
      cell: ({ available }) => <strong>{format.number(available)}</strong>,
    },
  ]
  return (
    <div className={styles.days}>
      <DataTable caption={t('statement.days')} columns={columns} rows={days} rowKey={({ day }) => day} />
    </div>
  )
}

function Files({ month }: { month: string }) {
  const { t } = useTranslation()
  const download = useMutation({
    mutationFn: async (end: 'jws' | 'jsonl') =>
      save(await ask(end === 'jws' ? statementOf(month) : entriesOf(month)), `statement-${month}.${end}`),
  })
  return (
    <Sheet className="not-printed" title={t('statement.files')}>
      <p className={styles.hint}>{t('statement.filesHint')}</p>
      {download.error && <Problem error={download.error} />}
      <div className={styles.files}>
        {(['jws', 'jsonl'] as const).map((end) => (
          <Button
            key={end}
            variant="default"
            icon={<Icons.download size={16} />}
            loading={download.isPending && download.variables === end}
            onClick={() => download.mutate(end)}
          >
            {t(`statement.${end}`)}
          </Button>
        ))}
        <VerifyButton of={{ month }} />
      </div>
    </Sheet>
  )
}
