import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isRefused } from '../../api/ask.ts'
import { takeFromFragment } from '../../api/link-fragment.ts'
import { useSecondsUntil } from '../../design/notice.tsx'

interface ChallengeOptions {
  readonly purpose: CodePurpose
  /** A code is valid only for the contact it was sent to. */
  readonly contact: string
  /** A challenge from before a reload. */
  readonly first?: SentCode | null
  readonly request: () => Promise<{
    readonly challengeId: string
    readonly expiresInSeconds: number
    readonly resendAfterSeconds: number
  }>
}

export type Challenge = ReturnType<typeof useChallenge>

/** Requests a code and tracks its expiry and when it can be resent. */
export function useChallenge({ purpose, contact, first, request }: ChallengeOptions) {
  const kept = keptChallenge(purpose)
  const [latest, setLatest] = useState(() => first ?? kept.read())
  const sending = useMutation({
    mutationFn: (_sentTo: string) => request(),
    onSuccess: ({ challengeId, expiresInSeconds, resendAfterSeconds }, sentTo) => {
      const nowMs = Date.now()
      const code = {
        contact: sentTo,
        challengeId,
        resendAtMs: nowMs + resendAfterSeconds * 1000,
        expiresAtMs: nowMs + expiresInSeconds * 1000,
      }
      setLatest(code)
      kept.keep(code)
    },
  })
  const sent = latest?.contact === contact ? latest : null
  const limitEndsAtMs = isRefused(sending.error, 'RATE_LIMITED') ? sending.error.retryAtMs : null
  const resendSeconds = useSecondsUntil(Math.max(sent?.resendAtMs ?? 0, limitEndsAtMs ?? 0) || null)
  const validSeconds = useSecondsUntil(sent?.expiresAtMs ?? null)
  return {
    send: (callbacks: { onSuccess: () => void; onError: (error: Error) => void }) => sending.mutate(contact, callbacks),
    isSending: sending.isPending,
    error: sending.error,
    wasSent: sent !== null,
    challengeId: sent && validSeconds > 0 ? sent.challengeId : null,
    digits: purpose === 'recovery' ? 8 : 6,
    resendSeconds,
    forget() {
      setLatest(null)
      kept.forget()
    },
  }
}

/** Validates a typed code before it is sent. */
export function codeFault(
  { challengeId, wasSent, digits }: Challenge,
  code: string,
): 'codeFirst' | 'codeExpired' | 'codeWrong' | 'recoveryCodeWrong' | null {
  if (!challengeId) return wasSent ? 'codeExpired' : 'codeFirst'
  if (code.length === digits && /^[0-9]+$/.test(code)) return null
  return digits === 8 ? 'recoveryCodeWrong' : 'codeWrong'
}

/** A sent code: what the tab needs to continue after a reload, nothing secret. */
interface SentCode {
  readonly contact: string
  readonly challengeId: string
  readonly resendAtMs: number
  readonly expiresAtMs: number
}

type CodePurpose = 'registration' | 'recovery' | 'email'

/** In session storage, because a phone may drop the tab while the message is read. Storage may be blocked. */
export function keptChallenge(purpose: CodePurpose) {
  const keptAs = `console-${purpose}`
  return {
    read(): SentCode | null {
      try {
        const sent = JSON.parse(sessionStorage.getItem(keptAs) ?? 'null') as SentCode | null
        return sent && sent.expiresAtMs > Date.now() ? sent : null
      } catch {
        return null
      }
    },
    keep(sent: SentCode): void {
      try {
        sessionStorage.setItem(keptAs, JSON.stringify(sent))
      } catch {}
    },
    forget(): void {
      try {
        sessionStorage.removeItem(keptAs)
      } catch {}
    },
  }
}

/** The fragment parameter of a link from an operator. */
export const challengeInLink = 'challenge'

/** Only an assumption: the gateway knows the real expiry. */
const assumedMs = 300_000

/** The challenge of a recovery link. The contact is unknown here, so it is empty. */
export function takeLinkedCode(): SentCode | null {
  const challengeId = takeFromFragment(challengeInLink)
  if (!challengeId) return null
  const nowMs = Date.now()
  const code = { contact: '', challengeId, resendAtMs: nowMs, expiresAtMs: nowMs + assumedMs }
  keptChallenge('recovery').keep(code)
  return code
}
