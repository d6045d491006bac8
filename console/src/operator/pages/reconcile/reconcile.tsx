import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Button } from '../../../design/button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { Empty } from '../../../design/empty.tsx'
import { PageHead } from '../../../design/page-head.tsx'
import { Problem } from '../../../design/problem.tsx'
import { Sheet } from '../../../design/sheet.tsx'
import { Time } from '../../../design/time.tsx'
import { useFormat } from '../../../format/format.ts'
import { askToWrite, operatorApi } from '../../api/client.ts'
import { queryClient, runsQuery } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import type { ReconcileRun } from '../../api/types.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { RunMark } from './run-mark.tsx'
import { RunProgress } from './run-progress.tsx'

export function Reconcile() {
  const { t } = useTranslation()
  const mayRun = useMay('reconcile')
  const { data } = useQuery(runsQuery)
  const running = data?.items.find(({ state }) => state === 'running')
  const starting = useMutation({
    mutationFn: () => askToWrite(() => operatorApi.POST('/reconcile', { body: {} })),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: runsQuery.queryKey }),
  })
  return (
    <div>
      <PageHead
        title={t('operator.reconcile.title')}
        lead={t('operator.reconcile.lead')}
        actions={
          mayRun && (
            <Button loading={starting.isPending} disabled={running !== undefined} onClick={() => starting.mutate()}>
              {t('operator.reconcile.run')}
            </Button>
          )
        }
      />
      {starting.error && <Problem error={starting.error} />}
      {running && (
        <Sheet title={t('operator.reconcile.runningTitle')}>
          <RunProgress run={running} />
        </Sheet>
      )}
      <Sheet title={t('operator.reconcile.runs')}>
        <Loaded query={runsQuery}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title={t('operator.reconcile.none')} hint={t('operator.reconcile.noneHint')} />
            ) : (
              <RunTable runs={items} />
            )
          }
        </Loaded>
      </Sheet>
    </div>
  )
}

function RunTable({ runs }: { runs: readonly ReconcileRun[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const columns: Column<ReconcileRun>[] = [
    {
      key: 'started',
      title: t('operator.reconcile.startedAt'),
      isMain: true,
      cell: ({ runId, startedAt }) => (
        <Link href={`/reconcile/${runId}`}>
          <Time at={startedAt} />
        </Link>
      ),
    },
    { key: 'by', title: t('operator.reconcile.startedBy'), cell: ({ startedBy }) => startedBy },
    { key: 'result', title: t('operator.reconcile.result'), narrow: 'untitled', cell: (run) => <RunMark run={run} /> },
    {
      key: 'took',
      title: t('operator.reconcile.took'),
      isNumber: true,
      cell: ({ startedAt, finishedAt }) => finishedAt && format.took(startedAt, finishedAt),
    },
    {
      key: 'differences',
      title: t('operator.reconcile.differences'),
      isNumber: true,
      cell: ({ differenceCount }) => differenceCount !== null && format.number(differenceCount),
    },
  ]
  return (
    <DataTable caption={t('operator.reconcile.runs')} columns={columns} rows={runs} rowKey={({ runId }) => runId} />
  )
}
