import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'wouter'
import { isRefused } from '../../../api/ask.ts'
import { Button } from '../../../design/button.tsx'
import { Chips } from '../../../design/choices.tsx'
import { type Column, PagedTable } from '../../../design/data-table.tsx'
import { TextInput } from '../../../design/field.tsx'
import { Facts, Mark, Time } from '../../../design/figures.tsx'
import { Empty, Problem } from '../../../design/notice.tsx'
import { PageHead, PageSkeleton, Sheet, wide } from '../../../design/page.tsx'
import { useFormat, useSentence } from '../../../format/format.ts'
import { askToWrite, operatorApi } from '../../api/client.ts'
import { comparisonQuery, comparisonsQuery, differencesQuery, queryClient } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import type { PaymentComparison } from '../../api/types.ts'
import { useAddressFilter } from '../../parts/address-filter.ts'
import { useNotify } from '../../parts/parts.tsx'
import { useDifferenceColumns } from './differences.tsx'
import styles from './payments.module.css'
import { useMethodName } from './payments.tsx'

const shown = ['all', 'open'] as const

export function Comparisons() {
  const { t } = useTranslation()
  const mayRun = useMay('reconcile')
  const [which, setWhich] = useAddressFilter('shown', shown, 'all')
  const columns = useComparisonColumns()
  return (
    <div className={wide}>
      <PageHead title={t('operator.payments.comparisons.title')} lead={t('operator.payments.comparisons.lead')} />
      {mayRun && <RunComparison />}
      <Chips
        label={t('operator.payments.comparisons.filter')}
        value={which}
        onChoose={setWhich}
        choices={shown.map((value) => ({ value, label: t(`operator.payments.comparisons.shown.${value}`) }))}
      />
      <Sheet>
        <PagedTable
          query={comparisonsQuery(which === 'open')}
          caption={t('operator.payments.comparisons.title')}
          columns={columns}
          rowKey={({ date, method }) => `${date} ${method}`}
          empty={
            <Empty
              title={t(`operator.payments.comparisons.${which === 'open' ? 'sound' : 'none'}`)}
              hint={t('operator.payments.comparisons.noneHint')}
            />
          }
        />
      </Sheet>
    </div>
  )
}

function RunComparison() {
  const { t } = useTranslation()
  const sentence = useSentence()
  const format = useFormat()
  const notify = useNotify()
  const [date, setDate] = useState('')
  const running = useMutation({
    mutationFn: () => askToWrite(() => operatorApi.POST('/payment-comparisons', { body: { date } })),
    onSuccess: ({ items }) => {
      const count = items.reduce((sum, { differenceCount, settledCount }) => sum + differenceCount - settledCount, 0)
      const said = t('operator.payments.comparisons.ran', { count, amount: format.number(count) })
      notify(said, count === 0 ? 'good' : 'bad')
    },
    onSettled: () => queryClient.invalidateQueries(),
  })
  const isWrongDate = isRefused(running.error, 'DATE_INVALID')
  function submit(event: FormEvent) {
    event.preventDefault()
    running.mutate()
  }
  return (
    <Sheet title={t('operator.payments.comparisons.runTitle')}>
      <form onSubmit={submit} noValidate className={styles.run}>
        <TextInput
          type="date"
          name="date"
          label={t('operator.payments.comparisons.date')}
          value={date}
          onChange={(event) => {
            setDate(event.currentTarget.value)
            running.reset()
          }}
          error={isWrongDate && sentence(running.error)}
        />
        <Button type="submit" loading={running.isPending}>
          {t('operator.payments.comparisons.run')}
        </Button>
      </form>
      {running.error && !isWrongDate && <Problem error={running.error} />}
    </Sheet>
  )
}

function useComparisonColumns(): Column<PaymentComparison>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const methodName = useMethodName()
  return [
    {
      key: 'day',
      title: t('operator.payments.comparisons.day'),
      isMain: true,
      cell: ({ date, method }) => <Link href={`/comparisons/${date}.${method}`}>{date}</Link>,
    },
    { key: 'method', title: t('operator.payments.method'), cell: ({ method }) => methodName(method) },
    {
      key: 'bill',
      title: t('operator.payments.comparisons.bill'),
      cell: ({ bill }) => t(`operator.payments.comparisons.bills.${bill}`),
    },
    {
      key: 'payments',
      title: t('operator.payments.comparisons.count'),
      isNumber: true,
      cell: ({ payments }) => format.number(payments),
    },
    {
      key: 'sum',
      title: t('operator.payments.comparisons.sum'),
      isNumber: true,
      cell: ({ amountFen }) => format.yuanOfFen(amountFen),
    },
    {
      key: 'differences',
      title: t('operator.payments.comparisons.differences'),
      isNumber: true,
      cell: ({ differenceCount }) => format.number(differenceCount),
    },
    {
      key: 'open',
      title: t('operator.payments.comparisons.open'),
      isNumber: true,
      cell: ({ openCount }) => <Mark tone={openCount === 0 ? 'good' : 'bad'}>{format.number(openCount)}</Mark>,
    },
    {
      key: 'at',
      title: t('operator.payments.comparisons.comparedAt'),
      cell: ({ comparedAt }) => <Time at={comparedAt} />,
    },
  ]
}

export function ComparisonPage() {
  const { t } = useTranslation()
  const format = useFormat()
  const methodName = useMethodName()
  const { comparison: id = '' } = useParams()
  const [date = '', method = ''] = id.split('.')
  const { data: compared, error, refetch } = useQuery(comparisonQuery({ date, method }))
  const columns = useDifferenceColumns({ date, method })
  if (!compared && !error) return <PageSkeleton label={t('common.loading')} />
  if (!compared) {
    return (
      <div>
        <PageHead title={t('common.notFound')} lead={id} />
        <Problem error={error} onRetry={() => void refetch()} />
      </div>
    )
  }
  return (
    <div className={wide}>
      <PageHead
        title={t('operator.payments.comparisons.dayTitle', { date, method: methodName(method) })}
        lead={<Link href="/comparisons">{t('operator.payments.comparisons.back')}</Link>}
      />
      <Sheet>
        <Facts
          facts={[
            [t('operator.payments.comparisons.bill'), t(`operator.payments.comparisons.bills.${compared.bill}`)],
            [t('operator.payments.comparisons.count'), format.number(compared.payments)],
            [t('operator.payments.comparisons.sum'), format.yuanOfFen(compared.amountFen)],
            [t('operator.payments.comparisons.comparedAt'), <Time key="at" at={compared.comparedAt} />],
          ]}
        />
      </Sheet>
      <Sheet title={t('operator.payments.comparisons.differences')}>
        <PagedTable
          query={differencesQuery({ date, method })}
          caption={t('operator.payments.comparisons.differences')}
          columns={columns}
          rowKey={({ differenceId }) => differenceId}
          empty={
            <Empty
              title={t('operator.payments.comparisons.sound')}
              hint={t('operator.payments.comparisons.soundHint')}
            />
          }
        />
      </Sheet>
    </div>
  )
}
