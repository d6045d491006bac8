import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'wouter'
import type { OperatorApiCode } from '../../../../../src/contract/error-codes/operators.ts'
import { ChargeTimes, useChargeFacts } from '../../../design/charge-details.tsx'
import { CopyId } from '../../../design/copy.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { ChargeMark, Facts, Time, useCreditsText } from '../../../design/figures.tsx'
import { Empty, Notice, Problem } from '../../../design/notice.tsx'
import { PageHead, PageSkeleton, Sheet, wide } from '../../../design/page.tsx'
import { EntryTable } from '../../../design/tables.tsx'
import { useFormat, useReason, useSentence } from '../../../format/format.ts'
import { askToWrite, operatorApi } from '../../api/client.ts'
import { chargeQuery } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import type { OperatedCharge } from '../../api/types.ts'
import { ActionButton } from '../../parts/form-dialog.tsx'
import { ProjectLink, useNotify } from '../../parts/parts.tsx'
import styles from './charge.module.css'

/** One call of a customer with all that belongs to it. */
export function ChargePage() {
  const { t } = useTranslation()
  const { chargeId = '' } = useParams()
  const { data: charge, error, refetch } = useQuery(chargeQuery(chargeId))
  if (!charge && !error) return <PageSkeleton label={t('common.loading')} />
  if (!charge) {
    return (
      <div>
        <PageHead title={t('common.notFound')} lead={chargeId} />
        <Problem error={error} onRetry={() => void refetch()} />
      </div>
    )
  }
  return (
    <div className={wide}>
      <PageHead
        title={t('operator.charges.title', { operation: t(`operations.${charge.operation}`) })}
        lead={<Link href={`/accounts/${charge.accountId}?view=charges`}>{charge.phoneMasked}</Link>}
        actions={<Decide charge={charge} />}
      />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      <div className={styles.columns}>
        <Sheet>
          <Summary charge={charge} />
        </Sheet>
        <Sheet title={t('chargeDetails.times')}>
          <ChargeTimes details={charge} />
        </Sheet>
      </div>
      <div className={styles.columns}>
        <Sheet title={t('operator.charges.tries')}>
          <Tries charge={charge} />
        </Sheet>
        <Sheet title={t('operator.charges.delivery')}>
          {charge.delivery === null ? (
            <p>{t('operator.charges.deliveries.none')}</p>
          ) : (
            <Notice tone="wait">{t(`operator.charges.deliveries.${charge.delivery}`)}</Notice>
          )}
        </Sheet>
      </div>
      <Sheet title={t('operator.charges.events')}>
        <ChargeEvents events={charge.events} />
      </Sheet>
      <Sheet title={t('chargeDetails.entries')}>
        <EntryTable entries={charge.entries} isOfOneCall />
      </Sheet>
      <p className={styles.links}>
        <Link href={`/accounts/${charge.accountId}?view=orders`}>{t('operator.charges.orders')}</Link>
        <Link href={`/audit?object=${charge.chargeId}`}>{t('operator.charges.audit')}</Link>
      </p>
    </div>
  )
}

function Summary({ charge }: { charge: OperatedCharge }) {
  const { t } = useTranslation()
  const format = useFormat()
  const sayReason = useReason()
  const facts = useChargeFacts(charge)
  const { accountId, projectId, operation, model, latencyMs, reason, response, decision } = charge
  return (
    <Facts
      facts={[
        [t('usage.state'), <ChargeMark key="state" state={charge.state} />],
        [
          t('chargeDetails.operation'),
          <>
            {t(`operations.${operation}`)} <code>{operation}</code>
          </>,
        ],
        [
          t('operator.charges.account'),
          <Link key="account" href={`/accounts/${accountId}`}>
            {charge.phoneMasked}
          </Link>,
        ],
        [t('operator.charges.project'), <ProjectLink key="project" projectId={projectId} />],
        model !== null && [t('operator.charges.model'), <code key="model">{model}</code>],
        latencyMs !== null && [t('operator.charges.latency'), format.duration(latencyMs)],
        reason && [
          t('operator.charges.reason'),
          <>
            {sayReason(reason)} <code>{reason.code}</code>
          </>,
        ],
        [
          t('operator.charges.response'),
          response ? (
            <code key="response">{[response.status, response.code].filter(Boolean).join(' ')}</code>
          ) : (
            t('operator.charges.noResponse')
          ),
        ],
        decision && [
          t('operator.charges.decidedBy'),
          <>
            {decision.by} <Time at={decision.decidedAt} />
          </>,
        ],
        ...facts,
        [
          t('operator.charges.instance'),
          <CopyId key="instance" id={charge.instanceId} of={t('operator.charges.instance')} />,
        ],
      ]}
    />
  )
}

function Tries({ charge: { job, isForwarded } }: { charge: OperatedCharge }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (!job) return <p>{t(isForwarded ? 'operator.charges.once' : 'operator.charges.local')}</p>
  return (
    <Facts
      facts={[
        [t('operator.charges.job'), <CopyId key="job" id={job.jobId} of={t('operator.charges.job')} />],
        [t('operator.charges.jobStatus'), <code key="status">{job.status}</code>],
        [t('operator.charges.provider'), <code key="provider">{job.provider}</code>],
        [
          t('operator.charges.providerJob'),
          job.providerJobId ? (
            <CopyId key="there" id={job.providerJobId} of={t('operator.charges.providerJob')} />
          ) : (
            t('operator.charges.notAccepted')
          ),
        ],
        job.errorCode !== null && [t('operator.charges.error'), <code key="error">{job.errorCode}</code>],
        ...(['polls', 'misses', 'silences', 'contentTries'] as const).map(
          (name) => [t(`operator.charges.${name}`), format.number(job[name])] as const,
        ),
        job.finishedAt !== null && [t('operator.charges.finished'), <Time key="finished" at={job.finishedAt} />],
      ]}
    />
  )
}

type ChargeEvent = OperatedCharge['events'][number]

function ChargeEvents({ events }: Pick<OperatedCharge, 'events'>) {
  const { t } = useTranslation()
  if (events.length === 0) return <Empty title={t('operator.charges.noEvents')} />
  const columns: Column<ChargeEvent>[] = [
    { key: 'at', title: t('operator.charges.time'), narrow: 'untitled', cell: ({ at }) => <Time at={at} /> },
    {
      key: 'event',
      title: t('operator.charges.event'),
      isMain: true,
      cell: ({ type }) => (
        <>
          {t(`operator.charges.eventNames.${type as 'charge.review_opened'}`, { defaultValue: type })}{' '}
          <code>{type}</code>
        </>
      ),
    },
    {
      key: 'webhooks',
      title: t('operator.charges.webhooks'),
      isText: true,
      cell: ({ deliveries }) =>
        deliveries.length === 0 ? (
          t('operator.charges.notSent')
        ) : (
          <ul className={styles.sent}>
            {deliveries.map(({ webhookId, status, attempts, answerStatus, fault }) => (
              <li key={webhookId}>
                {t(`operator.charges.sent.${status}`, { webhook: webhookId, count: attempts })}{' '}
                {(answerStatus ?? fault) !== null && <code>{answerStatus ?? fault}</code>}
              </li>
            ))}
          </ul>
        ),
    },
  ]
  return (
    <DataTable
      caption={t('operator.charges.events')}
      columns={columns}
      rows={events}
      rowKey={({ eventId }) => eventId}
    />
  )
}

/** Settles or releases a call in review. */
function Decide({ charge: { chargeId, credits, state } }: { charge: OperatedCharge }) {
  const { t } = useTranslation()
  const creditsText = useCreditsText()
  const sentence = useSentence()
  const notify = useNotify()
  const mayDecide = useMay('reviews')
  if (state !== 'manual_review' || !mayDecide) return null
  const said = { count: 1, amount: '1', credits: creditsText(credits) }
  return (['settle', 'release'] as const).map((action) => {
    const decision = action === 'settle' ? 'settled' : 'released'
    return (
      <ActionButton
        key={action}
        size="sm"
        label={t(`operator.reviews.${action}`)}
        title={t(`operator.reviews.${action}Title`, said)}
        hint={t(`operator.reviews.${action}Hint`)}
        isDestructive={action === 'settle'}
        send={(reason) =>
          askToWrite(() =>
            operatorApi.POST('/reviews/decide', { body: { chargeIds: [chargeId], decision, reason: reason.trim() } }),
          )
        }
        onDone={({ items: [item] }) => {
          const code = item?.error?.code as OperatorApiCode | undefined
          if (code) notify(sentence(code), 'bad')
          else notify(t(`operator.reviews.${decision}`, said))
        }}
      />
    )
  })
}
