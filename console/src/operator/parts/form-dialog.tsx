import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperatorApiCode } from '../../../../src/contract/error-codes/operators.ts'
import { isRefused, Unreachable } from '../../api/ask.ts'
import { Button, type ButtonProps } from '../../design/button.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { Checkbox, PasswordField, Select, Textarea, TextInput } from '../../design/field.tsx'
import { Notice, Problem } from '../../design/notice.tsx'
import { plainDigits } from '../../format/digits.ts'
import { useSentence } from '../../format/format.ts'
import { queryClient } from '../api/queries.ts'
import styles from './parts.module.css'
import { useNotify } from './parts.tsx'

export interface FormField<Name extends string> {
  readonly name: Name
  readonly label: string
  readonly hint?: string
  readonly kind?: 'text' | 'lines' | 'number' | 'password' | 'choice' | 'check' | 'time'
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
  readonly maxLength?: number
  /** What it begins with. */
  readonly value?: string
  readonly isOptional?: boolean
  /** Error codes shown at this field. */
  readonly codes?: readonly OperatorApiCode[]
}

export interface DialogForm<Name extends string, Result> {
  readonly title: string
  readonly hint?: ReactNode
  readonly fields: readonly FormField<Name>[]
  readonly submitLabel: string
  readonly isDestructive?: boolean
  readonly send: (values: Readonly<Record<Name, string>>) => Promise<Result>
  readonly onDone: (result: Result) => void
}

interface FormDialogProps<Name extends string, Result> {
  /** Null while the dialog is closed. */
  readonly form: DialogForm<Name, Result> | null
  readonly onClose: () => void
}

/** Confirms an action: names its target and asks for the reason and any other values. */
export function FormDialog<Name extends string, Result>({ form, onClose }: FormDialogProps<Name, Result>) {
  return (
    <Dialog title={form?.title ?? ''} isOpen={form !== null} onClose={onClose}>
      {form && <Form form={form} onClose={onClose} />}
    </Dialog>
  )
}

function Form<Name extends string, Result>({ form, onClose }: { form: DialogForm<Name, Result>; onClose: () => void }) {
  const { t } = useTranslation()
  const { fields, hint, isDestructive, submitLabel } = form
  const start = Object.fromEntries(fields.map(({ name, choices, value }) => [name, value ?? choices?.[0]?.value ?? '']))
  const [values, setValues] = useState(start as Record<Name, string>)
  const [missing, setMissing] = useState<readonly Name[]>([])
  const sending = useMutation({
    mutationFn: () => form.send(values),
    onSuccess: (result) => {
      onClose()
      form.onDone(result)
    },
    // Refetch either way.
    onSettled: () => void queryClient.invalidateQueries(),
  })
  const { error } = sending
  const wrongField = isRefused(error) && fields.find(({ codes }) => codes?.includes(error.code))

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const empty = fields.filter(({ name, isOptional }) => !isOptional && (values[name] ?? '').trim() === '')
    setMissing(empty.map(({ name }) => name))
    if (empty[0]) return event.currentTarget.querySelector<HTMLInputElement>(`[name=${empty[0].name}]`)?.focus()
    sending.mutate()
  }
  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      {hint && <p>{hint}</p>}
      {fields.map((field, i) => (
        <Field
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          onChange={(value) => {
            setValues({ ...values, [field.name]: value })
            setMissing(missing.filter((name) => name !== field.name))
            if (wrongField) sending.reset()
          }}
          isMissing={missing.includes(field.name)}
          error={wrongField === field ? error : null}
          isFirst={i === 0}
        />
      ))}
      {error && !wrongField && <Problem error={error} />}
      {error instanceof Unreachable && <Notice tone="wait">{t('operator.form.lost')}</Notice>}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('operator.form.cancel')}
        </Button>
        <Button type="submit" loading={sending.isPending} isDestructive={isDestructive}>
          {submitLabel}
        </Button>
      </DialogActions>
    </form>
  )
}

interface FieldProps<Name extends string> {
  readonly field: FormField<Name>
  readonly value: string
  readonly onChange: (value: string) => void
  readonly isMissing: boolean
  readonly error: unknown
  readonly isFirst: boolean
}

function Field<Name extends string>({ field, value, onChange, isMissing, error, isFirst }: FieldProps<Name>) {
  const { t } = useTranslation()
  const sentence = useSentence()
  const { name, label, hint, kind = 'text', choices = [], maxLength, isOptional } = field
  const common = {
    name,
    label: isOptional ? `${label}${t('common.note', { text: t('common.optional') })}` : label,
    description: hint,
    value,
    error: isMissing ? t('common.required') : error !== null && sentence(error),
    onChange: ({ currentTarget: { value: typed } }: { currentTarget: { value: string } }) =>
      onChange(kind === 'number' ? plainDigits(typed) : typed),
    required: !isOptional,
    'data-autofocus': isFirst || undefined,
  }
  switch (kind) {
    case 'choice':
      return <Select {...common} data={[...choices]} />
    case 'check':
      return (
        <Checkbox
          name={name}
          label={label}
          description={hint}
          checked={value !== ''}
          onChange={(event) => onChange(event.currentTarget.checked ? 'yes' : '')}
        />
      )
    case 'password':
      return <PasswordField {...common} autoComplete="current-password" />
    case 'lines':
      return <Textarea {...common} minRows={2} maxRows={6} {...(maxLength && { maxLength })} />
    case 'time':
      return <TextInput {...common} type="datetime-local" />
    default:
      return (
        <TextInput
          {...common}
          autoComplete="off"
          {...(maxLength && { maxLength })}
          {...(kind === 'number' && { inputMode: 'numeric' })}
        />
      )
  }
}

interface ActionButtonProps<Result> {
  readonly label: string
  /** For labels that are ambiguous on their own. */
  readonly ariaLabel?: string
  readonly title: string
  readonly hint: string
  readonly isDestructive?: boolean
  readonly isReasonOptional?: boolean
  readonly send: (reason: string) => Promise<Result>
  readonly news?: string | ((result: Result) => string)
  /** For results that need more than a message. */
  readonly onDone?: (result: Result) => void
  readonly size?: ButtonProps['size']
}

/** A button that asks for a reason, acts, and reports success. */
export function ActionButton<Result>(props: ActionButtonProps<Result>) {
  const {
    label,
    ariaLabel,
    title,
    hint,
    isDestructive,
    isReasonOptional,
    send,
    news,
    onDone,
    size = 'compact-sm',
  } = props
  const notify = useNotify()
  const [isAsking, setAsking] = useState(false)
  const reason = useReasonField(isReasonOptional ? { isOptional: true } : {})
  const form: DialogForm<'reason', Result> = {
    title,
    hint,
    fields: [reason],
    submitLabel: label,
    ...(isDestructive && { isDestructive }),
    send: (values) => send(values.reason.trim()),
    onDone: (result) => {
      if (news) notify(typeof news === 'string' ? news : news(result))
      onDone?.(result)
    },
  }
  return (
    <>
      <Button
        variant="default"
        size={size}
        onClick={() => setAsking(true)}
        {...(ariaLabel && { 'aria-label': ariaLabel })}
      >
        {label}
      </Button>
      <FormDialog form={isAsking ? form : null} onClose={() => setAsking(false)} />
    </>
  )
}

export function useReasonField(options: { hint?: string; isOptional?: boolean } = {}): FormField<'reason'> {
  const { t } = useTranslation()
  return {
    name: 'reason',
    label: t('operator.form.reason'),
    hint: options.hint ?? t('operator.form.reasonHint'),
    maxLength: 500,
    codes: ['REASON_INVALID'],
    ...(options.isOptional && { isOptional: true }),
  }
}
