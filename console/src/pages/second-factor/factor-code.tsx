import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { TextInput } from '../../design/field.tsx'
import { useFields } from '../auth/use-fields.ts'

/** The field for a one-time code or a recovery code, and the request that proves it. */
export function useFactorCode<T>(send: (code: string) => Promise<T>, onProven: (response: T) => void) {
  const { form, values, change, faultOf, ...fields } = useFields(() => ({ code: '' }), {
    SECOND_FACTOR_FAILED: 'code',
  })
  const proving = useMutation({
    mutationFn: () => send(values.code.trim()),
    onSuccess: onProven,
    onError: fields.refuse,
  })
  return {
    form,
    code: values.code,
    change: change('code'),
    fault: faultOf('code'),
    isSending: proving.isPending,
    /** The error, unless it is shown at the field. */
    error: fields.elsewhere(proving.error),
    submit() {
      const isRight = fields.check({ code: values.code.trim() === '' ? 'required' : null })
      if (isRight) proving.mutate()
    },
  }
}

interface FactorCodeFieldProps {
  readonly label?: string
  readonly hint?: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | null
}

export function FactorCodeField({ label, hint, value, onChange, error }: FactorCodeFieldProps) {
  const { t } = useTranslation()
  return (
    <TextInput
      label={label ?? t('secondFactor.code')}
      description={hint ?? t('secondFactor.codeHint')}
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={32}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      data-autofocus
      required
    />
  )
}
