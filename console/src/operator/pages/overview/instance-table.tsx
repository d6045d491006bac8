import { useTranslation } from 'react-i18next'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { Mark } from '../../../design/state-mark.tsx'
import { Time } from '../../../design/time.tsx'
import type { Overview } from '../../api/types.ts'
import { shortId } from '../../parts/short-id.ts'

type Instance = Overview['instances'][number]

/** Every instance that shares the store, and how long it may go on. */
export function InstanceTable({ instances }: { instances: readonly Instance[] }) {
  const { t } = useTranslation()
  const columns: Column<Instance>[] = [
    {
      key: 'instance',
      title: t('operator.overview.instance'),
      isMain: true,
      cell: ({ instanceId, isThis }) => (
        <>
          <code title={instanceId}>{shortId(instanceId)}</code> {isThis && `(${t('operator.overview.thisOne')})`}
        </>
      ),
    },
    {
      key: 'state',
      title: t('operator.accounts.state'),
      narrow: 'untitled',
      cell: ({ isLive }) => (
        <Mark tone={isLive ? 'good' : 'bad'}>{t(`operator.overview.${isLive ? 'isRunning' : 'gone'}`)}</Mark>
      ),
    },
    {
      key: 'started',
      title: t('operator.overview.started'),
      cell: ({ startedAt }) => (startedAt ? <Time at={startedAt} /> : '–'),
    },
    {
      key: 'lease',
      title: t('operator.overview.lease'),
      cell: ({ leaseUntil }) => (leaseUntil ? <Time at={leaseUntil} /> : t('operator.overview.fileLock')),
    },
  ]
  return (
    <DataTable
      caption={t('operator.overview.instances')}
      columns={columns}
      rows={instances}
      rowKey={({ instanceId }) => instanceId}
    />
  )
}
