import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ask } from '../../api/ask.ts'
import { gateway } from '../../api/gateway.ts'
import { isRefused } from '../../api/refusal.ts'
import { useSecondsUntil } from '../../design/use-seconds-until.ts'
import { keptChallenge } from './kept-challenge.ts'

/** Asking for a code, and how long it is good and another must be waited for. */
export function useChallenge(phone: string) {
  const [sent, setSent] = useState(keptChallenge.read)
  const sending = useMutation({
    mutationFn: () => ask(() => gateway.POST('/auth/send-code', { body: { phone } })),
    onSuccess: ({ challengeId, expiresInSeconds, resendAfterSeconds }) => {
      const nowMs = Date.now()
      const code = {
        phone,
        challengeId,
        resendAtMs: nowMs + resendAfterSeconds * 1000,
        expiresAtMs: nowMs + expiresInSeconds * 1000,
      }
      setSent(code)
      keptChallenge.keep(code)
    },
  })
  const limitEndsAtMs = isRefused(sending.error, 'RATE_LIMITED') ? sending.error.retryAtMs : null
  const resendSeconds = useSecondsUntil(Math.max(sent?.resendAtMs ?? 0, limitEndsAtMs ?? 0) || null)
  const validSeconds = useSecondsUntil(sent?.expiresAtMs ?? null)
  // A code belongs to the phone it was sent to.
  const isForPhone = sent?.phone === phone
  return {
    send: sending.mutate,
    isSending: sending.isPending,
    error: sending.error,
    wasSent: sent !== null && isForPhone,
    challengeId: isForPhone && validSeconds > 0 ? sent.challengeId : null,
    resendSeconds,
  }
}
