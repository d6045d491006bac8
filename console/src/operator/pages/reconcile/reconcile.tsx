import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'wouter'
import { isRefused } from '../../../api/ask.ts'
import { Button } from '../../../design/button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { Bar, Facts, Mark, Time } from '../../../design/figures.tsx'
import { Empty, Notice, Problem, type Tone } from '../../../design/notice.tsx'
import { PageHead, PageSkeleton, Sheet, wide } from '../../../design/page.tsx'
import { useFormat } from '../../../format/format.ts'
import { askToWrite, operatorApi } from '../../api/client.ts'
import { queryClient, runQuery, runsQuery } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import type { ReconcileDifference, ReconcileRun } from '../../api/types.ts'
import { Loaded, ProjectLink } from '../../parts/parts.tsx'

export function Reconcile() {
  const { t } = useTranslation()
  const mayRun = useMay('reconcile')
  const { data } = useQuery(runsQuery)
  const running = data?.items.find(({ state }) => state === 'running')
  const starting = useMutation({
    mutationFn: () => askToWrite(() => operatorApi.POST('/reconcile', { body: {} })),
    // Awaited, so that the button stays off until the list shows the run.
    onSettled: () => queryClient.invalidateQueries({ queryKey: runsQuery.queryKey }),
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
      {starting.error && !isRefused(starting.error, 'RECONCILE_RUNNING') && <Problem error={starting.error} />}
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

export function RunPage() {
  const { t } = useTranslation()
  const format = useFormat()
  const { runId = '' } = useParams()
  const { data: run, error, refetch } = useQuery(runQuery(runId))
  if (!run && !error) return <PageSkeleton label={t('common.loading')} />
  if (!run) {
    return (
      <div>
        <PageHead title={t('common.notFound')} lead={runId} />
        <Problem error={error} onRetry={() => void refetch()} />
      </div>
    )
  }
  const { state, size, differences, differenceCount, startedAt, finishedAt } = run
  const count = differenceCount ?? differences.length
  const said = { count, amount: format.number(count) }
  return (
    <div className={wide}>
      <PageHead
        title={t('operator.reconcile.runTitle', { time: format.shortTime(startedAt) })}
        lead={<Link href="/reconcile">{t('operator.reconcile.back')}</Link>}
      />
      <Notice tone={tones[state]} title={t(`operator.reconcile.${state}Title`, said)}>
        {state === 'running' ? <RunProgress run={run} /> : t(`operator.reconcile.${state}`)}
      </Notice>
      <Sheet>
        <Facts
          facts={[
            [t('operator.reconcile.startedBy'), run.startedBy],
            finishedAt !== null && [t('operator.reconcile.took'), format.took(startedAt, finishedAt)],
            size && [
              t('operator.reconcile.read'),
              t('operator.reconcile.size', {
                projects: format.number(size.projects),
                charges: format.number(size.charges),
                orders: format.number(size.orders),
                entries: format.number(size.entries),
              }),
            ],
          ]}
        />
      </Sheet>
      {differences.length > 0 && (
        <Sheet title={t('operator.reconcile.differences')}>
          {count > differences.length && <p>{t('operator.reconcile.firstOnly', { count: differences.length })}</p>}
          <DifferenceTable differences={differences} />
        </Sheet>
      )}
    </div>
  )
}

function DifferenceTable({ differences }: { differences: readonly ReconcileDifference[] }) {
  const { t } = useTranslation()
  const columns: Column<ReconcileDifference>[] = [
    { key: 'invariant', title: t('operator.reconcile.invariant'), cell: ({ invariant }) => invariant },
    {
      key: 'what',
      title: t('operator.reconcile.what'),
      isMain: true,
      cell: ({ what }) => <span lang="en">{what}</span>,
    },
    { key: 'at', title: t('operator.reconcile.at'), isText: true, cell: ({ at }) => <code>{at}</code> },
    {
      key: 'project',
      title: t('operator.reconcile.project'),
      cell: ({ projectId }) => (projectId.startsWith('prj_') ? <ProjectLink projectId={projectId} /> : projectId),
    },
    { key: 'expected', title: t('operator.reconcile.expected'), isNumber: true, cell: ({ expected }) => expected },
    { key: 'found', title: t('operator.reconcile.foundValue'), isNumber: true, cell: ({ found }) => found },
  ]
  return (
    <DataTable
      caption={t('operator.reconcile.differences')}
      columns={columns}
      rows={differences}
      rowKey={(difference) => JSON.stringify(difference)}
    />
  )
}

const tones: Record<ReconcileRun['state'], Tone> = {
  running: 'wait',
  sound: 'good',
  different: 'bad',
  failed: 'bad',
}

export function RunMark({ run: { state } }: { run: Pick<ReconcileRun, 'state'> }) {
  const { t } = useTranslation()
  return <Mark tone={tones[state]}>{t(`operator.reconcile.states.${state}`)}</Mark>
}

/** The progress of a run. The total was counted at its start, so more rows may be read. */
function RunProgress({ run: { progress } }: { run: Pick<ReconcileRun, 'progress'> }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (!progress) return <p>{t('operator.reconcile.elsewhere')}</p>
  const { rows, total } = progress
  const said = t('operator.reconcile.progress', { rows: format.number(rows), total: format.number(total) })
  return (
    <>
      <Bar percent={Math.min(100, total === 0 ? 0 : (rows / total) * 100)} label={t('operator.reconcile.running')} />
      <p>{said}</p>
    </>
  )
}
