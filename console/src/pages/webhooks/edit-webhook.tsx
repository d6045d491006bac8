import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { eventGroups } from '../../../../src/contract/event-row.ts'
import { isRefused } from '../../api/ask.ts'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { refreshWebhooks } from '../../api/queries.ts'
import type { EventType, Webhook } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { Copy } from '../../design/copy.tsx'
import { Dialog, DialogActions, useLeaveWarning } from '../../design/dialog.tsx'
import { Checkbox, CheckboxGroup, TextInput, toggled } from '../../design/field.tsx'
import { Notice, Problem } from '../../design/notice.tsx'
import { eventTypes, typesIn } from '../events/event-text.tsx'
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
      const body = { url: url.trim(), types: eventTypes.filter((type) => types.includes(type)) }
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
          {eventGroups.map((group) => (
            <ul key={group} aria-label={t(`events.groups.${group}`)}>
              <li className={styles.groupName} aria-hidden="true">
                {t(`events.groups.${group}`)}
              </li>
              {typesIn(group).map((type) => (
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

/** Shows the secret once. */
export function SecretOnce({ secret, onDone }: { secret: string | null; onDone: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('webhooks.secretTitle')} isOpen={secret !== null} onClose={onDone} isHeld>
      {secret && <Shown secret={secret} onDone={onDone} />}
    </Dialog>
  )
}

function Shown({ secret, onDone }: { secret: string; onDone: () => void }) {
  const { t } = useTranslation()
  const [isSaved, setSaved] = useState(false)
  useLeaveWarning(!isSaved)
  return (
    <>
      <Notice tone="wait">{t('webhooks.secretOnce')}</Notice>
      <div className={styles.secret}>
        <label htmlFor="webhook-secret">{t('webhooks.secret')}</label>
        <textarea
          id="webhook-secret"
          readOnly
          spellCheck={false}
          value={secret}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Copy text={secret} of={t('webhooks.secret')} onCopied={() => setSaved(true)} isMain={!isSaved} />
      </div>
      <Checkbox
        label={t('webhooks.secretSaved')}
        checked={isSaved}
        onChange={(event) => setSaved(event.currentTarget.checked)}
      />
      <DialogActions>
        <Button disabled={!isSaved} onClick={onDone}>
          {t('webhooks.done')}
        </Button>
      </DialogActions>
    </>
  )
}

interface ConfirmationProps<T> {
  readonly title: string
  readonly hint: string
  readonly action: string
  readonly isDangerous?: boolean
  readonly isOpen: boolean
  readonly act: () => Promise<T>
  readonly onClose: () => void
  readonly onDone?: (result: T) => void
}

function Confirmation<T>({ title, isOpen, onClose, ...rest }: ConfirmationProps<T>) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <Question {...rest} onClose={onClose} />
    </Dialog>
  )
}

function Question<T>({
  hint,
  action,
  isDangerous,
  act,
  onClose,
  onDone,
}: Omit<ConfirmationProps<T>, 'title' | 'isOpen'>) {
  const { t } = useTranslation()
  const acting = useMutation({
    mutationFn: act,
    onSuccess(result) {
      onClose()
      onDone?.(result)
    },
    onSettled: () => void refreshWebhooks(),
  })
  return (
    <>
      <p>{hint}</p>
      {acting.error && <Problem error={acting.error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button isDestructive={isDangerous} loading={acting.isPending} onClick={() => acting.mutate()}>
          {action}
        </Button>
      </DialogActions>
    </>
  )
}

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
