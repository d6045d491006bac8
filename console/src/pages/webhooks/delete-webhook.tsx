import { useTranslation } from 'react-i18next'
import { askToWrite, gateway } from '../../api/gateway.ts'
import type { Webhook } from '../../api/types.ts'
import { Confirmation } from './confirmation.tsx'

export function DeleteWebhook({ deleted, onClose }: { deleted: Webhook | null; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Confirmation
      title={t('webhooks.deleteTitle')}
      hint={t('webhooks.deleteHint', { url: deleted?.url ?? '' })}
      action={t('webhooks.delete')}
      isDangerous
      isOpen={deleted !== null}
      act={() =>
        askToWrite(() =>
          gateway.POST('/console/webhooks/{webhookId}/delete', {
            params: { path: { webhookId: deleted!.webhookId } },
            body: {},
          }),
        )
      }
      onClose={onClose}
    />
  )
}
