import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { browserOf } from '../../../../src/contract/browser-names.ts'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { passkeysQuery } from '../../api/queries.ts'
import type { PasskeyItem } from '../../api/types.ts'
import { Button, RowButton } from '../../design/button.tsx'
import { type Column, DataTable } from '../../design/data-table.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { TextInput } from '../../design/field.tsx'
import { Problem } from '../../design/notice.tsx'
import { useFormat } from '../../format/format.ts'
import { hasInvisible } from '../../format/names.ts'
import { CurrentPassword, currentPasswordFault, DialogForm } from '../account/password.tsx'
import { useFields } from '../auth/use-fields.ts'
import { createPasskey, PasskeyCancelled } from './passkey-browser.ts'

interface PasskeysProps {
  readonly onRenamed: () => void
  readonly onRemoved: () => void
}

export function Passkeys({ onRenamed, onRemoved }: PasskeysProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { data, error, refetch } = useQuery(passkeysQuery)
  const [renaming, setRenaming] = useState<PasskeyItem | null>(null)
  const [removing, setRemoving] = useState<PasskeyItem | null>(null)
  if (error) return <Problem error={error} onRetry={() => void refetch()} />
  if (!data || data.items.length === 0) return null
  const columns: Column<PasskeyItem>[] = [
    { key: 'name', title: t('secondFactor.passkey'), isMain: true, cell: ({ name }) => name },
    { key: 'added', title: t('secondFactor.passkeyAdded'), cell: ({ createdAt }) => format.dateTime(createdAt) },
    {
      key: 'used',
      title: t('secondFactor.passkeyUsed'),
      cell: ({ lastUsedAt }) => (lastUsedAt ? format.dateTime(lastUsedAt) : t('secondFactor.passkeyUnused')),
    },
    {
      key: 'action',
      title: t('keys.action'),
      isNumber: true,
      narrow: 'inline',
      cell: (passkey) => (
        <>
          <RowButton
            onClick={() => setRenaming(passkey)}
            aria-label={t('secondFactor.renamePasskeyLabel', { name: passkey.name })}
          >
            {t('secondFactor.rename')}
          </RowButton>{' '}
          <RowButton
            onClick={() => setRemoving(passkey)}
            aria-label={t('secondFactor.removePasskeyLabel', { name: passkey.name })}
          >
            {t('secondFactor.remove')}
          </RowButton>
        </>
      ),
    },
  ]
  return (
    <>
      <DataTable
        caption={t('secondFactor.passkeys')}
        columns={columns}
        rows={data.items}
        rowKey={({ passkeyId }) => passkeyId}
      />
      <Dialog title={t('secondFactor.renamePasskeyTitle')} isOpen={renaming !== null} onClose={() => setRenaming(null)}>
        {renaming && (
          <RenamePasskey
            passkey={renaming}
            onClose={() => setRenaming(null)}
            onRenamed={() => {
              setRenaming(null)
              onRenamed()
            }}
          />
        )}
      </Dialog>
      <Dialog title={t('secondFactor.removePasskeyTitle')} isOpen={removing !== null} onClose={() => setRemoving(null)}>
        {removing && (
          <RemovePasskey
            passkey={removing}
            onClose={() => setRemoving(null)}
            onRemoved={() => {
              setRemoving(null)
              onRemoved()
            }}
          />
        )}
      </Dialog>
    </>
  )
}

interface RenamePasskeyProps {
  readonly passkey: PasskeyItem
  readonly onClose: () => void
  readonly onRenamed: () => void
}

function RenamePasskey({ passkey: { passkeyId, name }, onClose, onRenamed }: RenamePasskeyProps) {
  const { t } = useTranslation()
  const { form, values, change, faultOf, ...fields } = useFields(() => ({ name }), { INVALID_NAME: 'name' })
  const renaming = useMutation({
    mutationFn: () =>
      askToWrite(() =>
        gateway.POST('/console/second-factor/passkeys/{passkeyId}/rename', {
          params: { path: { passkeyId } },
          body: { name: values.name.trim() },
        }),
      ),
    onSuccess: onRenamed,
  })
  return (
    <DialogForm
      form={form}
      hint={t('secondFactor.renamePasskeyHint')}
      action={t('secondFactor.rename')}
      isSending={renaming.isPending}
      error={fields.elsewhere(renaming.error)}
      onSubmit={() => {
        if (fields.check({ name: values.name.trim() === '' ? 'required' : null }))
          renaming.mutate(undefined, { onError: fields.refuse })
      }}
      onCancel={onClose}
    >
      <PasskeyName value={values.name} onChange={change('name')} error={faultOf('name')} />
    </DialogForm>
  )
}

interface PasskeyNameProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | null
}

function PasskeyName({ value, onChange, error }: PasskeyNameProps) {
  const { t } = useTranslation()
  return (
    <TextInput
      label={t('secondFactor.passkeyName')}
      description={t('secondFactor.passkeyNameHint')}
      name="name"
      maxLength={64}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={hasInvisible(value) ? t('common.nameInvisible') : error}
      data-autofocus
      required
    />
  )
}

interface RemovePasskeyProps {
  readonly passkey: PasskeyItem
  readonly onClose: () => void
  readonly onRemoved: () => void
}

function RemovePasskey({ passkey: { passkeyId, name }, onClose, onRemoved }: RemovePasskeyProps) {
  const { t } = useTranslation()
  const removing = useMutation({
    mutationFn: () =>
      askToWrite(() =>
        gateway.POST('/console/second-factor/passkeys/{passkeyId}/remove', {
          params: { path: { passkeyId } },
          body: {},
        }),
      ),
    onSuccess: onRemoved,
  })
  return (
    <>
      <p>{t('secondFactor.removePasskeyHint', { name })}</p>
      {removing.error && <Problem error={removing.error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button isDestructive loading={removing.isPending} onClick={() => removing.mutate()}>
          {t('secondFactor.remove')}
        </Button>
      </DialogActions>
    </>
  )
}

interface AddPasskeyProps {
  readonly onClose: () => void
  /** With the recovery codes, if there are new ones. */
  readonly onDone: (codes: readonly string[] | null) => void
}

/** A name, at first that of the device, and the password; the browser then asks its authenticator. */
export function AddPasskey({ onClose, onDone }: AddPasskeyProps) {
  const { t } = useTranslation()
  const { form, values, change, faultOf, ...fields } = useFields(
    () => ({ name: browserOf(navigator.userAgent) ?? '', current: '' }),
    {
      INVALID_NAME: 'name',
      AUTHENTICATION_FAILED: { field: 'current', fault: 'passwordWrong' },
      PASSWORD_INVALID: { field: 'current', fault: 'passwordWrong' },
    },
  )
  const adding = useMutation({
    async mutationFn() {
      const body = { password: values.current }
      const options = await askToWrite(() => gateway.POST('/console/second-factor/passkeys/start', { body }))
      const credential = await createPasskey(options)
      const name = values.name.trim()
      return askToWrite(() => gateway.POST('/console/second-factor/passkeys', { body: { name, ...credential } }))
    },
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
  })
  const isCancelled = adding.error instanceof PasskeyCancelled
  return (
    <DialogForm
      form={form}
      hint={t(isCancelled ? 'secondFactor.passkeyCancelled' : 'secondFactor.addPasskeyHint')}
      action={t('secondFactor.addPasskey')}
      isSending={adding.isPending}
      error={isCancelled ? null : fields.elsewhere(adding.error)}
      onSubmit={() => {
        const isRight = fields.check({
          name: values.name.trim() === '' ? 'required' : null,
          current: currentPasswordFault(values.current),
        })
        if (isRight) adding.mutate(undefined, { onError: fields.refuse })
      }}
      onCancel={onClose}
    >
      <PasskeyName value={values.name} onChange={change('name')} error={faultOf('name')} />
      <CurrentPassword value={values.current} onChange={change('current')} error={faultOf('current')} />
    </DialogForm>
  )
}
