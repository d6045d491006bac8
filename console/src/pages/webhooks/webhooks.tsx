import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { webhooksQuery } from '../../api/queries.ts'
import type { Webhook } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { Empty } from '../../design/empty.tsx'
import { LoadingRows } from '../../design/loading-rows.tsx'
import { Notice } from '../../design/notice.tsx'
import { PageHead } from '../../design/page-head.tsx'
import { Problem } from '../../design/problem.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { wide } from '../../design/wide.ts'
import { DeleteWebhook } from './delete-webhook.tsx'
import { EditWebhook } from './edit-webhook.tsx'
import { RotateSecret } from './rotate-secret.tsx'
import { SecretOnce } from './secret-once.tsx'
import { WebhookCard } from './webhook-card.tsx'

type Task = 'edit' | 'rotate' | 'delete'

/** Where events are sent: each endpoint with its state, and what was delivered. */
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
