import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { refreshWebhooks, webhooksQuery } from '../../api/queries.ts'
import type { Webhook } from '../../api/types.ts'
import { ActionMenu } from '../../design/action-menu.tsx'
import { Button } from '../../design/button.tsx'
import { Mark } from '../../design/figures.tsx'
import { Empty, LoadingRows, Notice, Problem } from '../../design/notice.tsx'
import { PageHead, Sheet, wide } from '../../design/page.tsx'
import { useFormat } from '../../format/format.ts'
import { addWords } from '../../i18n/i18n.ts'
import * as eventsWords from '../events/words.ts'
import { Deliveries } from './deliveries.tsx'
import { DeleteWebhook, EditWebhook, RotateSecret, SecretOnce } from './edit-webhook.tsx'
import styles from './webhooks.module.css'
import * as words from './words.ts'

addWords(words, eventsWords)

type Task = 'edit' | 'rotate' | 'delete'

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
        <ActionMenu
          label={t('webhooks.moreLabel', { url })}
          actions={[
            { name: t('webhooks.edit'), onChoose: onEdit },
            { name: t('webhooks.rotate'), onChoose: onRotate },
            ...(isOn ? [{ name: t('webhooks.disable'), onChoose: () => switching.mutate('disabled') }] : []),
            { name: t('webhooks.delete'), onChoose: onDelete, isDestructive: true },
          ]}
        />
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
