import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCreditsText } from '../../../design/amount.tsx'
import { Chips } from '../../../design/chips.tsx'
import type { Column } from '../../../design/data-table.tsx'
import { Empty } from '../../../design/empty.tsx'
import { PageHead } from '../../../design/page-head.tsx'
import { PagedTable } from '../../../design/paged-table.tsx'
import { Sheet } from '../../../design/sheet.tsx'
import { Time } from '../../../design/time.tsx'
import { wide } from '../../../design/wide.ts'
import { approvalsQuery } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import type { Approval } from '../../api/types.ts'
import { ProjectLink } from '../../parts/project-link.tsx'
import { ApprovalActions } from './approval-actions.tsx'
import styles from './approvals.module.css'

const states = ['pending', 'approved', 'rejected'] as const

export function Approvals() {
  const { t } = useTranslation()
  const [state, setState] = useState<Approval['state']>('pending')
  const columns = useColumns(state)
  return (
    <div className={wide}>
      <PageHead title={t('operator.money.approvals.title')} lead={t('operator.money.approvals.lead')} />
      <Chips
        label={t('operator.money.approvals.filter')}
        value={state}
        onChoose={setState}
        choices={states.map((value) => ({ value, label: t(`operator.money.approvals.states.${value}`) }))}
      />
      <Sheet>
        <PagedTable
          query={approvalsQuery(state)}
          caption={t('operator.money.approvals.title')}
          columns={columns}
          rowKey={({ id }) => id}
          empty={
            <Empty
              title={t(`operator.money.approvals.${state === 'pending' ? 'nonePending' : 'none'}`)}
              hint={t('operator.money.approvals.limitHint')}
            />
          }
        />
      </Sheet>
    </div>
  )
}

function useColumns(state: Approval['state']): Column<Approval>[] {
  const { t } = useTranslation()
  const creditsText = useCreditsText()
  const mayDecide = useMay('approvals')
  const columns: Column<Approval>[] = [
    {
      key: 'kind',
      title: t('operator.money.approvals.kind'),
      isMain: true,
      cell: ({ kind, credits }) => `${t(`operator.money.approvals.kinds.${kind}`)} ${creditsText(credits)}`,
    },
    {
      key: 'project',
      title: t('operator.money.approvals.project'),
      cell: ({ projectId }) => <ProjectLink projectId={projectId} />,
    },
    {
      key: 'reference',
      title: t('operator.money.approvals.reference'),
      isText: true,
      cell: ({ reference }) => reference,
    },
    { key: 'reason', title: t('operator.money.approvals.reason'), isText: true, cell: ({ reason }) => reason },
    {
      key: 'requested',
      title: t('operator.money.approvals.requested'),
      cell: ({ requestedBy, requestedAt }) => (
        <span className={styles.who}>
          <Time at={requestedAt} />
          <span>{t('operator.money.approvals.requestedBy', { name: requestedBy })}</span>
        </span>
      ),
    },
  ]
  if (state !== 'pending') {
    columns.push({
      key: 'decided',
      title: t('operator.money.approvals.decided'),
      cell: ({ decidedBy, decidedAt }) => (
        <span className={styles.who}>
          {decidedAt && <Time at={decidedAt} />}
          <span>{decidedBy}</span>
        </span>
      ),
    })
  } else if (mayDecide) {
    columns.push({
      key: 'action',
      title: t('operator.money.approvals.action'),
      narrow: 'untitled',
      cell: (approval) => <ApprovalActions approval={approval} />,
    })
  }
  return columns
}
