import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { refreshWebhooks } from '../../api/queries.ts'
import type { Webhook } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { Notice } from '../../design/notice.tsx'
import { Problem } from '../../design/problem.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { Mark } from '../../design/state-mark.tsx'
import { useFormat } from '../../format/format.ts'
import { Deliveries } from './deliveries.tsx'
import styles from './webhooks.module.css'

interface WebhookCardProps {
  readonly webhook: Webhook
  readonly onEdit: () => void
  readonly onRotate: () => void
  readonly onDelete: () => void
}

/** One endpoint: where it is, what it gets, whether it is on, and its deliveries. */
export function WebhookCard({ webhook, onEdit, onRotate, onDelete }: WebhookCardProps) {
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
      <Deliveries webhookId={webhookId} isOn={isOn} />
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
