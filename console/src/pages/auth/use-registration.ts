import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ask } from '../../api/ask.ts'
import { gateway } from '../../api/gateway.ts'
import { type ErrorCode, isRefused } from '../../api/refusal.ts'
import { session } from '../../api/session.ts'
import { passwordFault } from '../../format/password-rule.ts'
import { useSentence } from '../../format/use-sentence.ts'
import { keptChallenge } from './kept-challenge.ts'
import { useChallenge } from './use-challenge.ts'

const phonePattern = /^1[3-9][0-9]{9}$/
const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

export const fields = ['phone', 'code', 'email', 'password'] as const
export type Field = (typeof fields)[number]

/** What is wrong with a field, as a name: its words follow the language. */
type Fault =
  | { readonly rule: 'phoneWrong' | 'codeExpired' | 'codeFirst' | 'codeWrong' | 'emailWrong' | PasswordFault }
  | { readonly code: ErrorCode }
type PasswordFault = NonNullable<ReturnType<typeof passwordFault>>
type Faults = { [F in Field]?: Fault | undefined }

/** Refusals that belong to one field. */
const fieldOfCode = {
  PHONE_INVALID: 'phone',
  VERIFICATION_FAILED: 'code',
  EMAIL_INVALID: 'email',
  PASSWORD_INVALID: 'password',
} as const

/** What is typed, what is wrong with it, and the two requests that make an account of it. */
export function useRegistration() {
  const { t } = useTranslation()
  const sentence = useSentence()
  const [values, setValues] = useState(() => ({
    phone: keptChallenge.read()?.phone ?? '',
    code: '',
    email: '',
    password: '',
  }))
  const [faults, setFaults] = useState<Faults>({})
  const challenge = useChallenge(values.phone)

  const registering = useMutation({
    mutationFn: (challengeId: string) =>
      ask(() =>
        gateway.POST('/auth/register', {
          body: {
            phone: values.phone,
            verificationCode: values.code,
            challengeId,
            recoveryEmail: values.email.trim(),
            password: values.password,
          },
        }),
      ),
    onSuccess: (answer) => {
      keptChallenge.forget()
      return session.started(answer)
    },
    onError: (error) => {
      if (!isRefused(error)) return
      const field = fieldOfCode[error.code as keyof typeof fieldOfCode]
      if (field) setFaults({ [field]: { code: error.code } })
    },
  })

  function findFaults(): Faults {
    const passwordWrong = passwordFault(values.password)
    return {
      ...(!phonePattern.test(values.phone) && { phone: { rule: 'phoneWrong' } }),
      ...(!challenge.challengeId && { code: { rule: challenge.wasSent ? 'codeExpired' : 'codeFirst' } }),
      ...(challenge.challengeId && !/^[0-9]{6}$/.test(values.code) && { code: { rule: 'codeWrong' } }),
      ...(!emailPattern.test(values.email.trim()) && { email: { rule: 'emailWrong' } }),
      ...(passwordWrong && { password: { rule: passwordWrong } }),
    }
  }

  return {
    values,
    challenge,
    isRegistering: registering.isPending,
    /** What is wrong with a field, in the language of the moment. */
    faultOf(field: Field): string | null {
      const fault = faults[field]
      if (!fault) return null
      return 'code' in fault ? sentence(fault.code) : t(`auth.register.${fault.rule}`)
    },
    /** What went wrong and is not said beside a field. */
    error: isRefused(registering.error) && registering.error.code in fieldOfCode ? null : registering.error,
    change: (field: Field) => (value: string) => {
      setValues({ ...values, [field]: value })
      setFaults({ ...faults, [field]: undefined })
    },
    sendCode(onSent: () => void) {
      if (!phonePattern.test(values.phone)) return setFaults({ ...faults, phone: { rule: 'phoneWrong' } })
      setFaults({ ...faults, phone: undefined, code: undefined })
      challenge.send(undefined, { onSuccess: onSent })
    },
    /** The first field that is wrong; null when everything was sent. */
    submit(): Field | null {
      const found = findFaults()
      setFaults(found)
      const first = fields.find((field) => found[field]) ?? null
      if (!first) registering.mutate(challenge.challengeId!)
      return first
    },
  }
}
