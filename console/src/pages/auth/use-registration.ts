import { useMutation } from '@tanstack/react-query'
import { ask } from '../../api/ask.ts'
import { gateway } from '../../api/gateway.ts'
import { session } from '../../api/session.ts'
import { isEmail, isPhone } from '../../format/contact.ts'
import { passwordFault } from '../../format/password-rule.ts'
import { keptChallenge } from './kept-challenge.ts'
import { codeFault, useChallenge } from './use-challenge.ts'
import { useFields } from './use-fields.ts'

/** What is typed, what is wrong with it, and the two requests that make an account of it. */
export function useRegistration() {
  const fields = useFields(
    () => ({ phone: keptChallenge('registration').read()?.contact ?? '', code: '', email: '', password: '' }),
    { PHONE_INVALID: 'phone', VERIFICATION_FAILED: 'code', EMAIL_INVALID: 'email', PASSWORD_INVALID: 'password' },
  )
  const { phone, code, email, password } = fields.values
  const challenge = useChallenge({
    purpose: 'registration',
    contact: phone,
    request: () => ask(() => gateway.POST('/auth/send-code', { body: { phone } })),
  })
  const phoneFault = isPhone(phone) ? null : 'phoneWrong'

  const registering = useMutation({
    mutationFn: (challengeId: string) =>
      ask(() =>
        gateway.POST('/auth/register', {
          body: { phone, verificationCode: code, challengeId, recoveryEmail: email.trim(), password },
        }),
      ),
    onSuccess: (answer) => {
      challenge.forget()
      return session.started(answer)
    },
    onError: fields.refuse,
  })

  return {
    ...fields,
    challenge,
    isRegistering: registering.isPending,
    /** What went wrong and is not said beside a field. */
    error: fields.elsewhere(registering.error),
    sendCode(onSent: () => void) {
      if (fields.checkSome({ phone: phoneFault, code: null }))
        challenge.send({ onSuccess: onSent, onError: fields.refuse })
    },
    submit() {
      const isRight = fields.check({
        phone: phoneFault,
        code: codeFault(challenge, code),
        email: isEmail(email) ? null : 'emailWrong',
        password: passwordFault(password),
      })
      if (isRight) registering.mutate(challenge.challengeId!)
    },
  }
}
