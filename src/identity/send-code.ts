import { Refusal } from '../contract/errors.ts'
import {
  type Challenge,
  challengeLifetimeSeconds,
  resendAfterSeconds,
  type SendCodeRequest,
} from '../contract/schemas/identity.ts'
import { newCode, storeCode } from './challenges.ts'
import type { IdentityDeps, RequestContext } from './deps.ts'

/** Sends a code to any phone, registered or not, so that it does not reveal who has an account. */
export async function sendCode(
  deps: IdentityDeps,
  { phone }: SendCodeRequest,
  { requester }: RequestContext,
): Promise<Challenge> {
  const { store, digests, sms, clock } = deps
  const issued = newCode(deps, {
    contactDigest: digests.phone(phone).current,
    purpose: 'registration',
    accountId: null,
    lifetimeSeconds: challengeLifetimeSeconds,
  })
  await storeCode(deps, issued, requester)
  const { challengeId, code, row } = issued
  try {
    await sms.send({ kind: 'registration', phone, code, challengeId, sentAt: new Date(row.at).toISOString() })
  } catch (cause) {
    await store.write((tx) => tx.invalidateChallenge(row.challengeDigest, clock()))
    throw new Refusal('SMS_DELIVERY_UNAVAILABLE', { cause })
  }
  return { challengeId, expiresInSeconds: challengeLifetimeSeconds, resendAfterSeconds }
}
