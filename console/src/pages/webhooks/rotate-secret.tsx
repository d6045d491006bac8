import { useTranslation } from 'react-i18next'
import { askToWrite, gateway } from '../../api/gateway.ts'
import type { Webhook } from '../../api/types.ts'
import { Confirmation } from './confirmation.tsx'

interface RotateSecretProps {
  readonly rotated: Webhook | null
  readonly onClose: () => void
  readonly onRotated: (secret: string) => void
}

export function RotateSecret({ rotated, onClose, onRotated }: RotateSecretProps) {
  const { t } = useTranslation()
  return (
    <Confirmation
      title={t('webhooks.rotateTitle')}
      hint={t('webhooks.rotateHint')}
      action={t('webhooks.rotate')}
      isOpen={rotated !== null}
      act={() =>
        askToWrite(() =>
          gateway.POST('/console/webhooks/{webhookId}/rotate-secret', {
            params: { path: { webhookId: rotated!.webhookId } },
            body: {},
          }),
        )
      }
      onClose={onClose}
      onDone={({ secret }) => onRotated(secret)}
    />
  )
}
