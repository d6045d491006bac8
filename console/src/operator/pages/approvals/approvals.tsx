import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Chips } from '../../../design/choices.tsx'
import { type Column, PagedTable } from '../../../design/data-table.tsx'
import { Time, useCreditsText } from '../../../design/figures.tsx'
import { Empty } from '../../../design/notice.tsx'
import { PageHead, Sheet, wide } from '../../../design/page.tsx'
import { useFormat } from '../../../format/format.ts'
import { askToWrite, operatorApi } from '../../api/client.ts'
import { approvalsQuery } from '../../api/queries.ts'
import { useMay, useOperator } from '../../api/session.ts'
import type { Approval } from '../../api/types.ts'
import { useAddressFilter } from '../../parts/address-filter.ts'
import { ActionButton } from '../../parts/form-dialog.tsx'
import { ProjectLink, shortId } from '../../parts/parts.tsx'
import styles from './approvals.module.css'

const states = ['pending', 'approved', 'rejected'] as const

export function Approvals() {
  const { t } = useTranslation()
  const [state, setState] = useAddressFilter('state', states, 'pending')
  const columns = useColumns(state)
  return (
    <div className={wide}>
      <PageHead title={t('operator.approvals.title')} lead={t('operator.approvals.lead')} />
      <Chips
        label={t('operator.approvals.filter')}
        value={state}
        onChoose={setState}
        choices={states.map((value) => ({ value, label: t(`operator.approvals.states.${value}`) }))}
      />
      <Sheet>
        <PagedTable
          query={approvalsQuery(state)}
          caption={t('operator.approvals.title')}
          columns={columns}
          rowKey={({ id }) => id}
          empty={
            <Empty
              title={t(`operator.approvals.${state === 'pending' ? 'nonePending' : 'none'}`)}
              hint={t('operator.approvals.limitHint')}
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
  const format = useFormat()
  const mayDecide = useMay('approvals')
  const columns: Column<Approval>[] = [
    {
      key: 'kind',
      title: t('operator.approvals.kind'),
      isMain: true,
      cell: (row) => (
        <div className={styles.kind}>
          {t(`operator.approvals.kinds.${kindOf(row)}`)} <span>{creditsText(row.credits)}</span>
        </div>
      ),
    },
    {
      key: 'amount',
      title: t('operator.approvals.amount'),
      isNumber: true,
      cell: ({ amountFen }) => (amountFen === null ? '' : format.yuanOfFen(amountFen)),
    },
    {
      key: 'payment',
      title: t('operator.approvals.payment'),
      cell: ({ paymentId }) =>
        paymentId !== null && (
          <Link href={`/payments/${paymentId}`} title={paymentId}>
            <code>{shortId(paymentId)}</code>
          </Link>
        ),
    },
    {
      key: 'project',
      title: t('operator.approvals.project'),
      cell: ({ projectId }) => <ProjectLink projectId={projectId} />,
    },
    {
      key: 'reference',
      title: t('operator.approvals.reference'),
      isText: true,
      cell: ({ reference }) => <div className={styles.reference}>{reference}</div>,
    },
    { key: 'reason', title: t('operator.approvals.reason'), isText: true, cell: ({ reason }) => reason },
    {
      key: 'requested',
      title: t('operator.approvals.requested'),
      cell: ({ requestedBy, requestedAt }) => (
        <span className={styles.who}>
          <Time at={requestedAt} />
          <span>{t('operator.approvals.requestedBy', { name: requestedBy })}</span>
        </span>
      ),
    },
  ]
  if (state !== 'pending') {
    columns.push({
      key: 'decided',
      title: t('operator.approvals.decided'),
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
      title: t('operator.approvals.action'),
      narrow: 'untitled',
      cell: (approval) => <ApprovalActions approval={approval} />,
    })
  }
  return columns
}

function kindOf({ subject, kind }: Approval) {
  if (subject === 'payment_end') return kind === 'grant' ? 'endCredit' : 'endRefund'
  if (subject === 'refund_decision') return kind === 'withdraw' ? 'refunded' : 'returned'
  return subject === 'refund' ? 'refund' : kind
}

/** Others' requests can be approved or rejected; one's own only withdrawn. */
function ApprovalActions({ approval }: { approval: Approval }) {
  const { t } = useTranslation()
  const creditsText = useCreditsText()
  const { name } = useOperator()
  const { id, credits, projectId, requestedBy } = approval
  const isOwn = requestedBy === name
  const what = t(`operator.approvals.${kindOf(approval)}Of`, {
    credits: creditsText(credits),
    project: projectId,
  })
  const body = (reason: string) => (reason === '' ? {} : { reason })
  const params = { path: { approvalId: id } }
  return (
    <span className={styles.actions}>
      {isOwn ? (
        <span className={styles.own}>{t('operator.approvals.own')}</span>
      ) : (
        <ActionButton
          label={t('operator.approvals.approve')}
          ariaLabel={`${t('operator.approvals.approve')}: ${what}`}
          title={t('operator.approvals.approveTitle', { what })}
          hint={t('operator.approvals.approveHint')}
          isReasonOptional
          send={(reason) =>
            askToWrite(() => operatorApi.POST('/approvals/{approvalId}/approve', { params, body: body(reason) }))
          }
          news={({ balance }) => t('operator.approvals.approved', { available: creditsText(balance.available) })}
        />
      )}
      <ActionButton
        label={t(`operator.approvals.${isOwn ? 'takeBack' : 'reject'}`)}
        ariaLabel={`${t(`operator.approvals.${isOwn ? 'takeBack' : 'reject'}`)}: ${what}`}
        title={t('operator.approvals.rejectTitle', { what })}
        hint={t('operator.approvals.rejectHint')}
        isDestructive
        isReasonOptional
        send={(reason) =>
          askToWrite(() => operatorApi.POST('/approvals/{approvalId}/reject', { params, body: body(reason) }))
        }
        news={t('operator.approvals.rejected')}
      />
    </span>
  )
}
