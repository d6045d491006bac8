import { randomInt } from 'node:crypto'
import { Refusal } from '../contract/errors.ts'
import { newId } from '../contract/ids.ts'
import { clockSkewMs } from '../contract/rate-window.ts'
import {
  type Challenge,
  challengeLifetimeSeconds,
  resendAfterSeconds,
  type SendCodeRequest,
} from '../contract/schemas/identity.ts'
import type { IdentityDeps } from './deps.ts'
import { tokenDigest } from './digests.ts'

/** Sends a code to any phone, registered or not, so that it does not reveal who has an account. */
export async function sendCode(deps: IdentityDeps, { phone }: SendCodeRequest): Promise<Challenge> {
  const { store, digests, sms, limiter, limits, clock } = deps
  const now = clock()
  const challengeId = newId('gvc')
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const challengeDigest = tokenDigest('challenge', challengeId)
  const target = { contactDigest: digests.phone(phone), purpose: 'registration' } as const

  const bucket = `send-code-phone ${target.contactDigest}`
  limiter.refuseExhausted(bucket, limits.sendCodePerPhone)
  await store.write(async (tx) => {
    // Counting first locks the phone's row, so that two concurrent requests cannot both pass the cooldown.
    await limiter.takeIn(tx, bucket, limits.sendCodePerPhone)
    // A later time comes from an instance whose clock was ahead.
    const lastIssuedAt = await tx.lastIssuedAt(target, now + clockSkewMs)
    const waitMs = lastIssuedAt === null ? 0 : lastIssuedAt + resendAfterSeconds * 1000 - now
    if (waitMs > 0) throw new Refusal('RATE_LIMITED', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
    await tx.replaceChallenge({
      ...target,
      challengeDigest,
      accountId: null,
      codeDigest: digests.code(challengeId, code),
      at: now,
      expiresAt: now + challengeLifetimeSeconds * 1000,
    })
  })

  try {
    await sms.send({ kind: 'registration', phone, code, challengeId, sentAt: new Date(now).toISOString() })
  } catch (cause) {
    await store.write((tx) => tx.invalidateChallenge(challengeDigest, clock()))
    throw new Refusal('SMS_DELIVERY_UNAVAILABLE', { cause })
  }
  return { challengeId, expiresInSeconds: challengeLifetimeSeconds, resendAfterSeconds }
}
