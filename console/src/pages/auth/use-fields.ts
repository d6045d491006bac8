import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ErrorCode, isRefused } from '../../api/ask.ts'
import { useSentence } from '../../format/format.ts'

const rules = {
  required: 'common.required',
  phoneWrong: 'auth.register.phoneWrong',
  codeFirst: 'auth.register.codeFirst',
  codeExpired: 'auth.register.codeExpired',
  codeWrong: 'auth.register.codeWrong',
  recoveryCodeWrong: 'auth.recover.codeWrong',
  emailWrong: 'auth.register.emailWrong',
  emailTaken: 'auth.register.emailTaken',
  passwordShort: 'auth.register.passwordShort',
  passwordLong: 'auth.register.passwordLong',
  passwordCommon: 'auth.register.passwordRefused',
  passwordWrong: 'auth.register.passwordWrong',
} as const

/** A validation error by name, so that its text follows the language. */
type Fault = keyof typeof rules | ErrorCode
type Faults<Field extends string> = { readonly [F in Field]?: Fault | null | undefined }

/** Error codes that belong to one field; some need a different text there. */
type FieldRefusals<Field extends string> = {
  readonly [C in ErrorCode]?: Field | FaultPlace<Field>
}

interface FaultPlace<Field extends string> {
  readonly field: Field
  readonly fault: Fault
}

export function useFields<Field extends string>(
  initial: () => Record<Field, string>,
  refusals: FieldRefusals<NoInfer<Field>>,
) {
  const { t } = useTranslation()
  const sentence = useSentence()
  const form = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState(initial)
  const [faults, setFaults] = useState<Faults<Field>>({})
  function placeOf(error: Error | null): FaultPlace<Field> | undefined {
    if (!isRefused(error)) return undefined
    const code = error.code as ErrorCode
    const place = refusals[code] as Field | FaultPlace<Field> | undefined
    return typeof place === 'string' ? { field: place, fault: code } : place
  }

  /** Focuses the first invalid field; true if there is none. */
  function focusFirst(found: Faults<Field>): boolean {
    const first = (Object.keys(values) as Field[]).find((field) => found[field])
    if (first) form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
    return !first
  }

  return {
    form,
    values,
    change: (field: Field) => (value: string) => {
      setValues((before) => ({ ...before, [field]: value }))
      setFaults((before) => ({ ...before, [field]: null }))
    },
    /** Validates the whole form; true if it is valid. */
    check(found: Faults<Field>): boolean {
      setFaults(found)
      return focusFirst(found)
    },
    /** Validates only some fields. */
    checkSome(found: Faults<Field>): boolean {
      setFaults((before) => ({ ...before, ...found }))
      return focusFirst(found)
    },
    /** Shows a refusal at its field, if it has one. */
    refuse(error: Error): void {
      const place = placeOf(error)
      if (!place) return
      const found = { [place.field]: place.fault } as Faults<Field>
      setFaults(found)
      focusFirst(found)
    },
    /** The error, unless it is shown at a field. */
    elsewhere: (error: Error | null): Error | null => (placeOf(error) ? null : error),
    /** The field's error in the current language. */
    faultOf(field: Field): string | null {
      const fault = faults[field]
      if (!fault) return null
      return fault in rules ? t(rules[fault as keyof typeof rules]) : sentence(fault)
    },
  }
}
