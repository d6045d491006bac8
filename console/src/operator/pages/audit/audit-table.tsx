import { useTranslation } from 'react-i18next'
import { CopyId } from '../../../design/copy-id.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { Time } from '../../../design/time.tsx'
import type { AuditFilters } from '../../api/queries.ts'
import type { AuditItem } from '../../api/types.ts'
import styles from './audit.module.css'
import { useActionName } from './use-action-name.ts'

interface AuditTableProps {
  readonly items: readonly AuditItem[]
  readonly onFilter: (filter: AuditFilters) => void
}

export function AuditTable({ items, onFilter }: AuditTableProps) {
  const { t } = useTranslation()
  const sayAction = useActionName()
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
          {sayAction(action)}
          <code>{action}</code>
        </span>
      ),
    },
    {
      key: 'object',
      title: t('operator.audit.object'),
      cell: ({ object }) => <CopyId id={object} of={t('operator.audit.object')} isShort={/^[a-z]{3}_/.test(object)} />,
    },
    { key: 'reason', title: t('operator.audit.reason'), isText: true, cell: ({ reason }) => reason },
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
  if (before === null && after === null) return null
  return (
    <span className={styles.change}>
      <span>{said(before) ?? t('operator.audit.nothingBefore')}</span>
      <span className={styles.after}>{said(after) ?? t('operator.audit.nothingBefore')}</span>
    </span>
  )
}

const said = (state: AuditItem['before']) =>
  state &&
  Object.entries(state)
    .map(([name, value]) => `${name} ${value ?? '–'}`)
    .join(', ')
