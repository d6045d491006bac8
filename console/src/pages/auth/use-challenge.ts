import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isRefused } from '../../api/ask.ts'
import { takeFromFragment } from '../../api/link-fragment.ts'
import { useSecondsUntil } from '../../design/notice.tsx'

interface ChallengeOptions {
  readonly purpose: CodePurpose
  /** A code belongs to the contact it was sent to. */
  readonly contact: string
  /** One that was sent before. */
  readonly first?: SentCode | null
  readonly request: () => Promise<{
    readonly challengeId: string
    readonly expiresInSeconds: number
    readonly resendAfterSeconds: number
  }>
}

export type Challenge = ReturnType<typeof useChallenge>

/** Asking for a code, how long it is valid, and when another can be had. */
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
    send: (told: { onSuccess: () => void; onError: (error: Error) => void }) => sending.mutate(contact, told),
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

/** What is wrong with a typed code before it is sent. */
export function codeFault(
  { challengeId, wasSent, digits }: Challenge,
  code: string,
): 'codeFirst' | 'codeExpired' | 'codeWrong' | 'recoveryCodeWrong' | null {
  if (!challengeId) return wasSent ? 'codeExpired' : 'codeFirst'
  if (code.length === digits && /^[0-9]+$/.test(code)) return null
  return digits === 8 ? 'recoveryCodeWrong' : 'codeWrong'
}

/** A code that is under way: what the tab needs to go on after a reload, and no secret. */
interface SentCode {
  /** What it was sent to. */
  readonly contact: string
  readonly challengeId: string
  readonly resendAtMs: number
  readonly expiresAtMs: number
}

type CodePurpose = 'registration' | 'recovery' | 'email'

/** For this tab, because a phone drops it while the message is read. A browser may refuse to keep anything. */
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

/** In the fragment of a link that an operator passed on. */
export const challengeInLink = 'challenge'

/** The gateway knows when the code really expires. */
const assumedMs = 300_000

/** The code that a recovery link belongs to. Nobody here knows the contact that it was sent to, so it is empty. */
export function takeLinkedCode(): SentCode | null {
  const challengeId = takeFromFragment(challengeInLink)
  if (!challengeId) return null
  const nowMs = Date.now()
  const code = { contact: '', challengeId, resendAtMs: nowMs, expiresAtMs: nowMs + assumedMs }
  keptChallenge('recovery').keep(code)
  return code
}
