import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { deliveriesQuery, refreshWebhooks, webhooksQuery } from '../../api/queries.ts'
import type { Webhook, WebhookDelivery } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { type Column, DataTable } from '../../design/data-table.tsx'
import { Mark, Time } from '../../design/figures.tsx'
import { Empty, LoadingRows, Notice, Problem, type Tone } from '../../design/notice.tsx'
import { PageHead, Sheet, wide } from '../../design/page.tsx'
import { useFormat } from '../../format/format.ts'
import { DeleteWebhook, EditWebhook, RotateSecret, SecretOnce } from './edit-webhook.tsx'
import styles from './webhooks.module.css'

type Task = 'edit' | 'rotate' | 'delete'

/** Webhook endpoints with their state and deliveries. */
export function Webhooks() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(webhooksQuery)
  const [isCreating, setCreating] = useState(false)
  const [task, setTask] = useState<{ name: Task; webhook: Webhook } | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const isFull = data !== undefined && data.items.length >= data.max
  const of = (name: Task) => (task?.name === name ? task.webhook : null)
  const close = () => setTask(null)

  return (
    <div className={wide}>
      <PageHead
        title={t('webhooks.title')}
        lead={t('webhooks.lead')}
        actions={
          <Button disabled={isFull} onClick={() => setCreating(true)}>
            {t('webhooks.create')}
          </Button>
        }
      />
      {isFull && <Notice tone="wait">{t('webhooks.full', { count: data.max })}</Notice>}
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <Sheet>
          <LoadingRows rows={4} />
        </Sheet>
      )}
      {data?.items.length === 0 && (
        <Sheet>
          <Empty title={t('webhooks.none')} hint={t('webhooks.noneHint')} />
        </Sheet>
      )}
      {data?.items.map((webhook) => (
        <WebhookCard
          key={webhook.webhookId}
          webhook={webhook}
          onEdit={() => setTask({ name: 'edit', webhook })}
          onRotate={() => setTask({ name: 'rotate', webhook })}
          onDelete={() => setTask({ name: 'delete', webhook })}
        />
      ))}
      <EditWebhook
        isOpen={isCreating || of('edit') !== null}
        edited={of('edit')}
        onClose={() => (isCreating ? setCreating(false) : close())}
        onCreated={setSecret}
      />
      <RotateSecret rotated={of('rotate')} onClose={close} onRotated={setSecret} />
      <DeleteWebhook deleted={of('delete')} onClose={close} />
      <SecretOnce secret={secret} onDone={() => setSecret(null)} />
    </div>
  )
}

interface WebhookCardProps {
  readonly webhook: Webhook
  readonly onEdit: () => void
  readonly onRotate: () => void
  readonly onDelete: () => void
}

/** One endpoint: URL, events, state and deliveries. */
function WebhookCard({ webhook, onEdit, onRotate, onDelete }: WebhookCardProps) {
  const { t } = useTranslation()
  const { webhookId, url, types, state } = webhook
  const isOn = state === 'enabled'
  const path = { webhookId }
  const testing = useMutation({
    mutationFn: () =>
      askToWrite(() => gateway.POST('/console/webhooks/{webhookId}/test', { params: { path }, body: {} })),
    onSettled: () => void refreshWebhooks(),
  })
  const switching = useMutation({
    mutationFn: (next: Webhook['state']) =>
      askToWrite(() =>
        gateway.POST('/console/webhooks/{webhookId}/update', { params: { path }, body: { state: next } }),
      ),
    onSettled: () => void refreshWebhooks(),
  })
  const error = testing.error ?? switching.error
  return (
    <Sheet
      className={styles.card}
      title={<span className={styles.url}>{url}</span>}
      actions={<Mark tone={isOn ? 'good' : 'bad'}>{t(`webhooks.states.${state}`)}</Mark>}
    >
      <ul className={styles.types} aria-label={t('webhooks.events')}>
        {types.map((type) => (
          <li key={type}>{t(`events.types.${type}`)}</li>
        ))}
      </ul>
      {!isOn && <WhyDisabled webhook={webhook} />}
      <div className={styles.actions}>
        {isOn ? (
          <Button size="xs" loading={testing.isPending} onClick={() => testing.mutate()}>
            {t('webhooks.test')}
          </Button>
        ) : (
          <Button size="xs" loading={switching.isPending} onClick={() => switching.mutate('enabled')}>
            {t('webhooks.enable')}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={onEdit}>
          {t('webhooks.edit')}
        </Button>
        <Button size="xs" variant="default" onClick={onRotate}>
          {t('webhooks.rotate')}
        </Button>
        {isOn && (
          <Button
            size="xs"
            variant="default"
            loading={switching.isPending}
            onClick={() => switching.mutate('disabled')}
          >
            {t('webhooks.disable')}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={onDelete}>
          {t('webhooks.delete')}
        </Button>
      </div>
      {error && <Problem error={error} />}
      <Deliveries url={url} webhookId={webhookId} isOn={isOn} />
    </Sheet>
  )
}

function WhyDisabled({ webhook: { disabledReason, disabledAt } }: { webhook: Webhook }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (disabledReason === null || disabledAt === null) return null
  return (
    <Notice
      tone={disabledReason === 'owner' ? 'plain' : 'bad'}
      title={t('webhooks.disabledAt', { time: format.dateTime(disabledAt) })}
    >
      {t(`webhooks.reasons.${disabledReason}`)}
    </Notice>
  )
}

const tones: Record<WebhookDelivery['status'], Tone> = { waiting: 'wait', delivered: 'good', failed: 'bad' }

/** Recent deliveries to one endpoint with their responses. */
function Deliveries({ webhookId, url, isOn }: { webhookId: string; url: string; isOn: boolean }) {
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
    <section className={styles.deliveries} aria-label={t('webhooks.deliveriesOf', { url })}>
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

/** The delivery's state, the last failure and the next attempt. */
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
