import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'wouter'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { Facts } from '../../../design/facts.tsx'
import { Notice, type Tone } from '../../../design/notice.tsx'
import { PageHead } from '../../../design/page-head.tsx'
import { PageSkeleton } from '../../../design/page-skeleton.tsx'
import { Problem } from '../../../design/problem.tsx'
import { Sheet } from '../../../design/sheet.tsx'
import { wide } from '../../../design/wide.ts'
import { useFormat } from '../../../format/format.ts'
import { runQuery } from '../../api/queries.ts'
import type { ReconcileDifference } from '../../api/types.ts'
import { ProjectLink } from '../../parts/project-link.tsx'
import { RunProgress } from './run-progress.tsx'

const tones: Record<string, Tone> = { running: 'wait', sound: 'good', different: 'bad', failed: 'bad' }

/** One run of reconcile and everything that it found. */
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
      <Notice tone={tones[state] ?? 'plain'} title={t(`operator.reconcile.${state}Title`, said)}>
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
