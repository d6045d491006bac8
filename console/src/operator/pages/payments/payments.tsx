import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'wouter'
import { Chips } from '../../../design/choices.tsx'
import { CopyId } from '../../../design/copy.tsx'
import { type Column, PagedTable } from '../../../design/data-table.tsx'
import { Facts, Mark, Time, useCreditsText } from '../../../design/figures.tsx'
import { Empty, Problem, type Tone } from '../../../design/notice.tsx'
import { PageHead, PageSkeleton, Sheet, wide } from '../../../design/page.tsx'
import { PaidText, usePaidText } from '../../../design/tables.tsx'
import { paymentQuery, paymentsQuery, type ShownPayments } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import type { Payment } from '../../api/types.ts'
import { useAddressFilter } from '../../parts/address-filter.ts'
import { ProjectLink, shortId } from '../../parts/parts.tsx'
import { Note } from './note.tsx'
import { RefundButton, RefundTable } from './refunds.tsx'
import { UncreditedMoney } from './uncredited.tsx'

const states = ['created', 'waiting', 'paid', 'expired', 'cancelled', 'failed', 'review'] as const

const tones: Record<Payment['state'], Tone> = {
  created: 'wait',
  waiting: 'wait',
  paid: 'good',
  expired: 'plain',
  cancelled: 'plain',
  failed: 'bad',
  review: 'bad',
}

const emptyTitles = { all: 'none', decision: 'noneToDecide', refunds: 'noneUnclear' } as const

export function Payments() {
  const { t } = useTranslation()
  const [state, setState] = useAddressFilter<ShownPayments>('state', ['all', 'decision', ...states, 'refunds'], 'all')
  const columns = usePaymentColumns()
  return (
    <div className={wide}>
      <PageHead title={t('operator.payments.title')} lead={t('operator.payments.lead')} />
      <Chips
        label={t('operator.payments.filter')}
        value={state}
        onChoose={setState}
        choices={[
          { value: 'all', label: t('operator.payments.all') },
          { value: 'decision', label: t('operator.payments.needsDecision') },
          ...states.map((value) => ({ value, label: t(`operator.payments.states.${value}`) })),
          { value: 'refunds', label: t('operator.payments.refundsInReview') },
        ]}
      />
      <Sheet>
        <PagedTable
          query={paymentsQuery(state)}
          caption={t('operator.payments.title')}
          columns={columns}
          rowKey={({ paymentId }) => paymentId}
          empty={<Empty title={t(`operator.payments.${emptyTitles[state as 'all'] ?? 'noneSuch'}`)} />}
        />
      </Sheet>
    </div>
  )
}

function usePaymentColumns(): Column<Payment>[] {
  const { t } = useTranslation()
  const methodName = useMethodName()
  return [
    {
      key: 'payment',
      title: t('operator.payments.payment'),
      isMain: true,
      cell: ({ paymentId }) => (
        <Link href={`/payments/${paymentId}`} title={paymentId}>
          <code>{shortId(paymentId)}</code>
        </Link>
      ),
    },
    {
      key: 'state',
      title: t('operator.payments.state'),
      narrow: 'untitled',
      cell: (payment) => (
        <>
          <PaymentMark state={payment.state} /> <TwiceMark payment={payment} /> <WaitsMark {...payment} />
        </>
      ),
    },
    {
      key: 'amount',
      title: t('operator.payments.amount'),
      isNumber: true,
      cell: (payment) => <PaidText {...payment} />,
    },
    { key: 'method', title: t('operator.payments.method'), cell: ({ method }) => methodName(method) },
    {
      key: 'project',
      title: t('operator.payments.project'),
      cell: ({ projectId }) => <ProjectLink projectId={projectId} />,
    },
    { key: 'created', title: t('operator.payments.created'), cell: ({ createdAt }) => <Time at={createdAt} /> },
    { key: 'note', title: t('operator.payments.note'), isText: true, cell: ({ note }) => <Note note={note} /> },
  ]
}

/** Something about the payment waits for a second operator. */
function WaitsMark({ approvalId }: Pick<Payment, 'approvalId'>) {
  const { t } = useTranslation()
  return approvalId === null ? null : <Mark tone="wait">{t('operator.payments.waitsForApproval')}</Mark>
}

/** Why a payment that is paid has to be decided about. */
function TwiceMark({ payment: { state, uncredited } }: { payment: Payment }) {
  const { t } = useTranslation()
  const isTwice = state === 'paid' && uncredited.some((row) => row.state === 'open' || row.state === 'review')
  return isTwice && <Mark tone="bad">{t('operator.payments.paidTwice')}</Mark>
}

function PaymentMark({ state }: Pick<Payment, 'state'>) {
  const { t } = useTranslation()
  return <Mark tone={tones[state]}>{t(`operator.payments.states.${state}`)}</Mark>
}

export function useMethodName(): (method: string) => string {
  const { t } = useTranslation()
  return (method) => t(`operator.payments.methods.${method as 'wechat'}`, { defaultValue: method })
}

export function PaymentPage() {
  const { t } = useTranslation()
  const paidText = usePaidText()
  const mayRefund = useMay('credits')
  const { paymentId = '' } = useParams()
  const { data: payment, error, refetch } = useQuery(paymentQuery(paymentId))
  if (!payment && !error) return <PageSkeleton label={t('common.loading')} />
  if (!payment) {
    return (
      <div>
        <PageHead title={t('common.notFound')} lead={paymentId} />
        <Problem error={error} onRetry={() => void refetch()} />
      </div>
    )
  }
  const { refunds } = payment
  const given = refunds.filter(({ state }) => state !== 'returned').reduce((sum, row) => sum + row.amountFen, 0)
  const leftFen = payment.amountFen - given
  return (
    <div className={wide}>
      <PageHead
        title={t('operator.payments.paymentTitle', { amount: paidText(payment).amount })}
        lead={<Link href="/payments">{t('operator.payments.back')}</Link>}
        actions={mayRefund && payment.state === 'paid' && leftFen > 0 && <RefundButton {...{ payment, leftFen }} />}
      />
      <UncreditedMoney payment={payment} />
      <PaymentFacts payment={payment} />
      {(payment.state === 'paid' || refunds.length > 0) && (
        <Sheet title={t('operator.payments.refunds')}>
          {refunds.length === 0 ? (
            <Empty title={t('operator.payments.noRefunds')} />
          ) : (
            <RefundTable refunds={refunds} />
          )}
        </Sheet>
      )}
    </div>
  )
}

function PaymentFacts({ payment }: { payment: Payment }) {
  const { t } = useTranslation()
  const paidText = usePaidText()
  const creditsText = useCreditsText()
  const methodName = useMethodName()
  const { paymentId, orderId, projectId, transactionId, note, paidAt, creditedAt } = payment
  return (
    <Sheet>
      <Facts
        facts={[
          [
            t('operator.payments.state'),
            <span key="state">
              <PaymentMark state={payment.state} /> <WaitsMark approvalId={payment.approvalId} />
            </span>,
          ],
          [t('operator.payments.method'), methodName(payment.method)],
          [t('operator.payments.amount'), paidText(payment).text],
          [t('operator.payments.credits'), creditsText(payment.credits)],
          [t('operator.payments.project'), <ProjectLink key="project" projectId={projectId} />],
          [t('operator.payments.created'), <Time key="created" at={payment.createdAt} />],
          [t('operator.payments.expires'), <Time key="expires" at={payment.expiresAt} />],
          paidAt !== null && [t('operator.payments.paidAt'), <Time key="paid" at={paidAt} />],
          creditedAt !== null && [t('operator.payments.creditedAt'), <Time key="credited" at={creditedAt} />],
          [t('operator.payments.payment'), <CopyId key="payment" id={paymentId} of={t('operator.payments.payment')} />],
          [t('operator.payments.order'), <CopyId key="order" id={orderId} of={t('operator.payments.order')} />],
          transactionId !== null && [
            t('operator.payments.transaction'),
            <CopyId key="transaction" id={transactionId} of={t('operator.payments.transaction')} />,
          ],
          note !== null && [t('operator.payments.note'), <Note key="note" note={note} />],
        ]}
      />
    </Sheet>
  )
}
