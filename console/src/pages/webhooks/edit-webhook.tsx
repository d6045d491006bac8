import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { refreshWebhooks } from '../../api/queries.ts'
import { isRefused } from '../../api/refusal.ts'
import type { EventType, Webhook } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { Checkbox, CheckboxGroup, TextInput, toggled } from '../../design/field.tsx'
import { Problem } from '../../design/problem.tsx'
import { eventGroups, groupedTypes, groupNames } from '../events/event-groups.ts'
import styles from './webhooks.module.css'

interface EditWebhookProps {
  readonly isOpen: boolean
  /** Null for a new one. */
  readonly edited: Webhook | null
  readonly onClose: () => void
  /** With the secret, which is shown once. */
  readonly onCreated: (secret: string) => void
}

export function EditWebhook({ isOpen, edited, onClose, onCreated }: EditWebhookProps) {
  const { t } = useTranslation()
  return (
    <Dialog title={t(edited ? 'webhooks.editTitle' : 'webhooks.createTitle')} isOpen={isOpen} onClose={onClose}>
      <WebhookForm edited={edited} onClose={onClose} onCreated={onCreated} />
    </Dialog>
  )
}

function WebhookForm({ edited, onClose, onCreated }: Omit<EditWebhookProps, 'isOpen'>) {
  const { t } = useTranslation()
  const [url, setUrl] = useState(edited?.url ?? '')
  const [types, setTypes] = useState<EventType[]>(edited?.types ?? ['order.credited', 'credits.low'])
  const [isMissing, setMissing] = useState(false)
  const saving = useMutation({
    async mutationFn() {
      const body = { url: url.trim(), types: groupedTypes.filter((type) => types.includes(type)) }
      if (edited) {
        const path = { webhookId: edited.webhookId }
        await askToWrite(() => gateway.POST('/console/webhooks/{webhookId}/update', { params: { path }, body }))
        return null
      }
      return (await askToWrite(() => gateway.POST('/console/webhooks', { body }))).secret
    },
    onSuccess(secret) {
      onClose()
      if (secret) onCreated(secret)
    },
    onSettled: () => void refreshWebhooks(),
  })
  const isUrlRefused = isRefused(saving.error, 'INVALID_URL')
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setMissing(types.length === 0)
        if (types.length > 0) saving.mutate()
      }}
    >
      <TextInput
        label={t('webhooks.url')}
        description={t('webhooks.urlHint')}
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://"
        value={url}
        onChange={(event) => {
          setUrl(event.currentTarget.value)
          saving.reset()
        }}
        error={isUrlRefused && t('errors.INVALID_URL')}
      />
      <CheckboxGroup
        label={t('webhooks.events')}
        error={isMissing && types.length === 0 && t('errors.INVALID_EVENT_TYPES')}
      >
        <div className={styles.groups}>
          {groupNames.map((group) => (
            <ul key={group} aria-label={t(`events.groups.${group}`)}>
              <li className={styles.groupName} aria-hidden="true">
                {t(`events.groups.${group}`)}
              </li>
              {eventGroups[group].map((type) => (
                <li key={type}>
                  <Checkbox
                    label={t(`events.types.${type}`)}
                    checked={types.includes(type)}
                    onChange={() => setTypes(toggled(types, type))}
                  />
                </li>
              ))}
            </ul>
          ))}
        </div>
      </CheckboxGroup>
      {saving.error && !isUrlRefused && <Problem error={saving.error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={saving.isPending}>
          {t(edited ? 'webhooks.save' : 'webhooks.submit')}
        </Button>
      </DialogActions>
    </form>
  )
}
