import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ask } from '../../api/ask.ts'
import { gateway } from '../../api/gateway.ts'
import { reloadForLinks } from '../../api/link-fragment.ts'
import { isEmail, isPhone } from '../../format/contact.ts'
import { passwordFault } from '../../format/password-rule.ts'
import { identifierOf } from '../../format/phone.ts'
import { keptChallenge } from './kept-challenge.ts'
import { challengeInLink, takeLinkedCode } from './linked-code.ts'
import { codeFault, useChallenge } from './use-challenge.ts'
import { useFields } from './use-fields.ts'

/** What is typed, what is wrong with it, and the two requests that replace a forgotten password. */
export function useRecovery(typedBefore: string | null) {
  const [linked] = useState(takeLinkedCode)
  useEffect(() => reloadForLinks(challengeInLink), [])
  const fields = useFields(
    () => ({
      identifier: linked ? '' : typedBefore || (keptChallenge('recovery').read()?.contact ?? ''),
      code: '',
      password: '',
    }),
    {
      IDENTIFIER_INVALID: 'identifier',
      VERIFICATION_FAILED: 'code',
      // Its length was checked here, so it is a common one.
      PASSWORD_INVALID: { field: 'password', fault: 'passwordCommon' },
    },
  )
  const { code, password } = fields.values
  const identifier = identifierOf(fields.values.identifier)
  const challenge = useChallenge({
    purpose: 'recovery',
    contact: identifier,
    first: linked,
    request: () => ask(() => gateway.POST('/auth/recovery/send-code', { body: { identifier } })),
  })
  // An operator sent the code: to whom, only its owner knows.
  const isByLink = challenge.wasSent && identifier === ''
  const identifierFault = isByLink || isPhone(identifier) || isEmail(identifier) ? null : 'IDENTIFIER_INVALID'

  const recovering = useMutation({
    mutationFn: (challengeId: string) =>
      ask(() =>
        gateway.POST('/auth/recovery/confirm', {
          body: { challengeId, verificationCode: code, newPassword: password },
        }),
      ),
    onSuccess: challenge.forget,
    onError: fields.refuse,
  })

  return {
    ...fields,
    identifier,
    challenge,
    isByLink,
    isRecovering: recovering.isPending,
    isRecovered: recovering.isSuccess,
    /** What went wrong and is not said beside a field. */
    error: fields.elsewhere(recovering.error),
    sendCode(onSent: () => void) {
      if (fields.checkSome({ identifier: identifierFault, code: null }))
        challenge.send({ onSuccess: onSent, onError: fields.refuse })
    },
    submit() {
      const isRight = fields.check({
        identifier: identifierFault,
        code: codeFault(challenge, code),
        password: passwordFault(password),
      })
      if (isRight) recovering.mutate(challenge.challengeId!)
    },
  }
}
