import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ask, gateway } from '../../api/gateway.ts'
import { isRefused } from '../../api/refusal.ts'
import { session } from '../../api/session.ts'
import { useSentence } from '../../design/use-sentence.ts'
import { passwordFault } from './password-rule.ts'
import { useChallenge } from './use-challenge.ts'

const phonePattern = /^1[3-9][0-9]{9}$/
const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

export const fields = ['phone', 'code', 'email', 'password'] as const
export type Field = (typeof fields)[number]
type Faults = { [F in Field]?: string | undefined }

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
  const [values, setValues] = useState({ phone: '', code: '', email: '', password: '' })
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
    onSuccess: (answer) => session.started(answer),
    onError: (error) => {
      if (!isRefused(error)) return
      const field = fieldOfCode[error.code as keyof typeof fieldOfCode]
      if (field) setFaults({ [field]: sentence(error) })
    },
  })

  function findFaults(): Faults {
    const passwordWrong = passwordFault(values.password)
    return {
      ...(!phonePattern.test(values.phone) && { phone: t('auth.register.phoneWrong') }),
      ...(!challenge.challengeId && { code: t(`auth.register.${challenge.wasSent ? 'codeExpired' : 'codeFirst'}`) }),
      ...(challenge.challengeId && !/^[0-9]{6}$/.test(values.code) && { code: t('auth.register.codeWrong') }),
      ...(!emailPattern.test(values.email.trim()) && { email: t('auth.register.emailWrong') }),
      ...(passwordWrong && { password: t(`auth.register.${passwordWrong}`) }),
    }
  }

  return {
    values,
    faults,
    challenge,
    isRegistering: registering.isPending,
    /** What went wrong and is not said beside a field. */
    error: isRefused(registering.error) && registering.error.code in fieldOfCode ? null : registering.error,
    change: (field: Field) => (value: string) => {
      setValues({ ...values, [field]: value })
      setFaults({ ...faults, [field]: undefined })
    },
    sendCode(onSent: () => void) {
      if (!phonePattern.test(values.phone)) return setFaults({ ...faults, phone: t('auth.register.phoneWrong') })
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
