import { takeFromFragment } from '../../api/link-fragment.ts'
import { keptChallenge, type SentCode } from './kept-challenge.ts'

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
