import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { deliveriesQuery, refreshWebhooks } from '../../api/queries.ts'
import type { WebhookDelivery } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { type Column, DataTable } from '../../design/data-table.tsx'
import { LoadingRows } from '../../design/loading-rows.tsx'
import type { Tone } from '../../design/notice.tsx'
import { Problem } from '../../design/problem.tsx'
import { Mark } from '../../design/state-mark.tsx'
import { Time } from '../../design/time.tsx'
import styles from './webhooks.module.css'

const tones: Record<WebhookDelivery['status'], Tone> = { waiting: 'wait', delivered: 'good', failed: 'bad' }

/** The last deliveries to one endpoint, with what came back. */
export function Deliveries({ webhookId, isOn }: { webhookId: string; isOn: boolean }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(deliveriesQuery(webhookId))
  const resending = useMutation({
    mutationFn: (deliveryId: string) =>
      askToWrite(() =>
        gateway.POST('/console/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver', {
          params: { path: { webhookId, deliveryId } },
          body: {},
        }),
      ),
    onSettled: () => void refreshWebhooks(),
  })
  const columns: Column<WebhookDelivery>[] = [
    {
      key: 'event',
      title: t('webhooks.event'),
      isMain: true,
      cell: ({ type, eventId }) => (
        <span className={styles.event}>
          <span>{type === 'webhook.test' ? t('webhooks.testEvent') : t(`events.types.${type}`)}</span>
          <code>{eventId}</code>
        </span>
      ),
    },
    { key: 'time', title: t('webhooks.time'), cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      key: 'status',
      title: t('webhooks.status'),
      cell: (delivery) => <Status delivery={delivery} />,
    },
    {
      key: 'answer',
      title: t('webhooks.answer'),
      cell: ({ answerStatus, answerMs }) =>
        answerStatus === null || answerMs === null ? '–' : `${answerStatus} · ${t('webhooks.ms', { ms: answerMs })}`,
    },
    {
      key: 'action',
      title: t('webhooks.action'),
      isNumber: true,
      narrow: 'untitled',
      cell: ({ deliveryId, eventId, status }) =>
        status !== 'waiting' &&
        isOn && (
          <Button
            size="compact-xs"
            variant="default"
            loading={resending.isPending && resending.variables === deliveryId}
            aria-label={t('webhooks.redeliverLabel', { id: eventId })}
            onClick={() => resending.mutate(deliveryId)}
          >
            {t('webhooks.redeliver')}
          </Button>
        ),
    },
  ]
  return (
    <section className={styles.deliveries} aria-label={t('webhooks.deliveries')}>
      <h3>{t('webhooks.deliveries')}</h3>
      {(error ?? resending.error) && (
        <Problem error={error ?? resending.error} onRetry={error ? () => void refetch() : undefined} />
      )}
      {!data && !error && <LoadingRows rows={2} />}
      {data?.items.length === 0 && <p className={styles.nothing}>{t('webhooks.noDeliveries')}</p>}
      {data && data.items.length > 0 && (
        <DataTable
          caption={t('webhooks.deliveries')}
          columns={columns}
          rows={data.items}
          rowKey={({ deliveryId }) => deliveryId}
        />
      )}
    </section>
  )
}

/** What became of it, why the last attempt failed, and when the next one is. */
function Status({ delivery: { status, attempts, fault, nextAttemptAt } }: { delivery: WebhookDelivery }) {
  const { t } = useTranslation()
  return (
    <span className={styles.outcome}>
      <Mark tone={tones[status]}>{t(`webhooks.statuses.${status}`)}</Mark>
      {fault && <span className={styles.note}>{t(`webhooks.faults.${fault}`)}</span>}
      {status === 'waiting' && attempts > 0 && nextAttemptAt && (
        <span className={styles.note}>
          {t('webhooks.attempts', { count: attempts })} <Time at={nextAttemptAt} />
        </span>
      )}
    </span>
  )
}
