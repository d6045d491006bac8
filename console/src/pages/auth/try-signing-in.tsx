import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { isRefused, Unreachable } from '../../api/refusal.ts'
import { Button } from '../../design/button.tsx'
import { Notice } from '../../design/notice.tsx'
import { Problem } from '../../design/problem.tsx'
import { type HandedCredentials, handedCredentials } from '../../hand-overs.ts'

interface TrySigningInProps {
  readonly error: Error
  /** What may have happened when no response came. */
  readonly unknown: string
  readonly path: string
  readonly handed: HandedCredentials
}

/** An error. Where it may have worked all the same, signing in is the next thing to try, with what was typed. */
export function TrySigningIn({ error, unknown, path, handed }: TrySigningInProps) {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const tryToSignIn = (
    <Button
      size="xs"
      onClick={() => {
        handedCredentials.give(handed)
        navigate(path)
      }}
    >
      {t('auth.register.tryToSignIn')}
    </Button>
  )
  if (error instanceof Unreachable) {
    return (
      <Notice tone="wait" isNews title={t('auth.register.unknownTitle')} actions={tryToSignIn}>
        {unknown}
      </Notice>
    )
  }
  const isSignInBetter = isRefused(error, 'ACCOUNT_ALREADY_EXISTS', 'ACCOUNT_UNAVAILABLE', 'VERIFICATION_CONFLICT')
  return <Problem error={error}>{isSignInBetter && tryToSignIn}</Problem>
}
