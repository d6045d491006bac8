import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { deliveriesQuery, deliveryQuery, refreshWebhooks } from '../../api/queries.ts'
import type { WebhookDelivery } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { CodeBlock } from '../../design/copy.tsx'
import { type Column, DataTable } from '../../design/data-table.tsx'
import { Dialog } from '../../design/dialog.tsx'
import { Select } from '../../design/field.tsx'
import { Mark, Time } from '../../design/figures.tsx'
import { LoadingRows, Problem, type Tone } from '../../design/notice.tsx'
import { stack } from '../../design/page.tsx'
import { useFormat } from '../../format/format.ts'
import styles from './webhooks.module.css'

const tones: Record<WebhookDelivery['status'], Tone> = { waiting: 'wait', delivered: 'good', failed: 'bad' }

export function Deliveries({ webhookId, url, isOn }: { webhookId: string; url: string; isOn: boolean }) {
  const format = useFormat()
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
  const [type, setType] = useState<WebhookDelivery['type'] | ''>('')
  const [opened, setOpened] = useState<string | null>(null)
  const nameOf = (each: WebhookDelivery['type']) =>
    each === 'webhook.test' ? t('webhooks.testEvent') : t(`events.types.${each}`)
  const types = [...new Set(data?.items.map((delivery) => delivery.type))]
  const shown = data?.items.filter((delivery) => type === '' || delivery.type === type) ?? []
  const columns: Column<WebhookDelivery>[] = [
    {
      key: 'event',
      title: t('webhooks.event'),
      isMain: true,
      cell: ({ type, eventId, deliveryId }) => (
        <span className={styles.event}>
          <button
            type="button"
            className={styles.open}
            aria-label={t('webhooks.openLabel', { name: nameOf(type), id: eventId })}
            onClick={() => setOpened(deliveryId)}
          >
            {nameOf(type)}
          </button>
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
      key: 'response',
      title: t('webhooks.response'),
      cell: ({ answerStatus, answerMs }) =>
        answerStatus === null || answerMs === null ? '–' : `${answerStatus} · ${format.ms(answerMs)}`,
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
      {(types.length > 1 || type !== '') && (
        <Select
          label={t('webhooks.type')}
          className={styles.filter}
          value={type}
          onChange={(event) => setType(event.currentTarget.value as typeof type)}
          data={[
            { value: '', label: t('webhooks.allTypes') },
            ...types.map((value) => ({ value, label: nameOf(value) })),
          ]}
        />
      )}
      {shown.length > 0 && (
        <DataTable
          caption={t('webhooks.deliveries')}
          columns={columns}
          rows={shown}
          rowKey={({ deliveryId }) => deliveryId}
        />
      )}
      <Dialog title={t('webhooks.details')} isOpen={opened !== null} onClose={() => setOpened(null)}>
        {opened && <Details webhookId={webhookId} deliveryId={opened} />}
      </Dialog>
    </section>
  )
}

function Details({ webhookId, deliveryId }: { webhookId: string; deliveryId: string }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(deliveryQuery(webhookId, deliveryId))
  if (error && !data) return <Problem error={error} onRetry={() => void refetch()} />
  if (!data) return <LoadingRows rows={6} />
  return (
    <div className={stack}>
      <Status delivery={data} />
      <CodeBlock label={t('webhooks.payload')} code={readable(data.body)} isWrapped />
      {data.answerBody !== null ? (
        <CodeBlock
          label={`${t('webhooks.response')} ${data.answerStatus ?? ''}`}
          code={readable(data.answerBody)}
          isWrapped
        />
      ) : (
        <p className={styles.note}>
          {data.answerStatus === null
            ? t('webhooks.noResponse')
            : t('webhooks.emptyResponse', { status: data.answerStatus })}
        </p>
      )}
    </div>
  )
}

/** JSON with line breaks; anything else as it is. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
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
