import { newId } from '../../../base/ids.ts'
import { randomInt } from '../../../base/randomness.ts'
import { tokenDigest } from '../../../base/signatures.ts'
import { clockSkewMs, isoOf } from '../../../base/time.ts'
import { Refusal } from '../../../contract/errors.ts'
import {
  type Challenge,
  challengeLifetimeSeconds,
  maxWrongAttempts,
  recoveryCodeDigits,
  resendAfterSeconds,
  type SendCodeRequest,
} from '../../../contract/schemas/identity.ts'
import type { AccountFlowDeps, RequestContext } from './accounts.ts'
import type { ChallengePurpose, ChallengeRow, NewChallenge } from './challenge-store.ts'
import {
  type CodeUse,
  countSentCode,
  countWrongCode,
  isRecovery,
  refuseExhaustedCodes,
  refuseGuessed,
} from './code-limits.ts'
import { isDigestOf } from './contacts.ts'
import type { AccountWriter } from './store.ts'

/** A code on its way to its reader, and the row that recognizes it. */
interface IssuedCode {
  readonly challengeId: string
  readonly code: string
  readonly row: NewChallenge
}

interface CodeOptions {
  readonly contactDigest: string
  readonly purpose: ChallengePurpose
  readonly accountId: string | null
  readonly lifetimeSeconds: number
}

export function newCode(
  { digests, clock }: Pick<AccountFlowDeps, 'digests' | 'clock'>,
  { lifetimeSeconds, ...target }: CodeOptions,
): IssuedCode {
  const at = clock()
  const challengeId = newId('gvc')
  const digits = isRecovery(target.purpose) ? recoveryCodeDigits : 6
  const code = String(randomInt(10 ** digits)).padStart(digits, '0')
  const row: NewChallenge = {
    ...target,
    challengeDigest: tokenDigest('challenge', challengeId),
    codeDigest: digests.code(challengeId, code).current,
    at,
    expiresAt: at + lifetimeSeconds * 1000,
  }
  return { challengeId, code, row }
}

type StoreCodeDeps = Pick<AccountFlowDeps, 'limiter' | 'limits' | 'clock' | 'codes'>

/** Stores the code, with the message that must commit with it, unless the contact was sent one a moment ago or too many before. */
export async function storeCode(
  deps: StoreCodeDeps & Pick<AccountFlowDeps, 'store' | 'digests'>,
  issued: IssuedCode,
  { requester, isByEmail = false, message }: CodeDelivery,
): Promise<void> {
  const use = { target: issued.row, requesterDigest: deps.digests.requester(requester).current, isByEmail }
  refuseExhaustedCodes(deps, use)
  await deps.store.write(async (tx) => {
    const isQueued = await storeCodeIn(deps, tx, issued, use)
    if (message && isQueued) await tx.addMessage(message)
  })
}

interface CodeDelivery {
  readonly requester: string
  readonly isByEmail?: boolean
  /** Commits with the code. */
  readonly message?: Parameters<AccountWriter['addMessage']>[0]
}

/** The same within a larger transaction. Returns whether its message is to be queued. */
export async function storeCodeIn(
  deps: StoreCodeDeps,
  tx: AccountWriter,
  { row }: IssuedCode,
  use: Omit<CodeUse, 'target'>,
): Promise<boolean> {
  // Counting first locks the contact's row, so that two concurrent requests cannot both pass the cooldown.
  const isQueued = await countSentCode(deps, tx, { ...use, target: row })
  // A later time comes from an instance whose clock was ahead.
  const lastIssuedAt = await tx.lastIssuedAt(row, row.at + clockSkewMs)
  const waitMs = lastIssuedAt === null ? 0 : lastIssuedAt + resendAfterSeconds * 1000 - row.at
  if (waitMs > 0) throw new Refusal('RATE_LIMITED', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
  await tx.replaceChallenge(row, row.purpose === 'recovery' ? openRecoveryCodes : 1)
  return isQueued
}

/** Anyone can request a recovery code for a contact, so a new one must not invalidate the one that its owner is typing. */
const openRecoveryCodes = 3

interface Proof {
  readonly challengeId: string
  readonly verificationCode: string
}

interface CodeCheck {
  /** The network that the code came from. */
  readonly requester: string
  readonly isMeant: (challenge: ChallengeRow) => boolean
}

/**
 * Counts a wrong code in its own transaction, so that the refusal does not undo the count. Concurrent guesses are checked one
 * at a time, so that none beyond the limit is ever compared.
 */
export async function checkCode(
  deps: AccountFlowDeps,
  { challengeId, verificationCode }: Proof,
  { requester, isMeant }: CodeCheck,
): Promise<ChallengeRow> {
  const { store, digests, clock } = deps
  const challengeDigest = tokenDigest('challenge', challengeId)
  const requesterDigest = digests.requester(requester).current
  const checked = await store.write(async (tx) => {
    const challenge = await tx.lockChallenge(challengeDigest)
    if (!challenge || challenge.wrongAttempts >= maxWrongAttempts) return 'VERIFICATION_FAILED'
    await refuseGuessed(deps, tx, { target: challenge, requesterDigest })
    const isRight = isMeant(challenge) && isDigestOf(challenge.codeDigest, digests.code(challengeId, verificationCode))
    if (isRight && challenge.consumedAt !== null) return 'VERIFICATION_CONFLICT'
    if (isRight && isUsable(challenge, clock())) return challenge
    if (!isRight) await tx.countWrongAttempt(challengeDigest)
    // A guess at a code that has ended cannot succeed, so it uses up none of the contact's.
    if (!isRight && isUsable(challenge, clock())) await countWrongCode(deps, tx, challenge, requesterDigest)
    return 'VERIFICATION_FAILED'
  })
  if (typeof checked === 'string') throw new Refusal(checked)
  return checked
}

const isUsable = (challenge: ChallengeRow, now: number) =>
  challenge.consumedAt === null &&
  challenge.invalidatedAt === null &&
  challenge.expiresAt > now &&
  challenge.wrongAttempts < maxWrongAttempts

/** Uses the code up in the transaction of what it allows. Of two concurrent requests one is refused. */
export async function consumeCode(tx: AccountWriter, { challengeId }: Proof, at: number): Promise<void> {
  const challengeDigest = tokenDigest('challenge', challengeId)
  if (await tx.consumeChallenge(challengeDigest, maxWrongAttempts, at)) return
  const challenge = await tx.challenge(challengeDigest)
  throw new Refusal(challenge?.consumedAt ? 'VERIFICATION_CONFLICT' : 'VERIFICATION_FAILED')
}

/** Sends a code to any phone, registered or not, so that it does not reveal who has an account. */
export async function sendCode(
  deps: AccountFlowDeps,
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
  await storeCode(deps, issued, { requester })
  const { challengeId, code, row } = issued
  try {
    await sms.send({ kind: 'registration', phone, code, challengeId, sentAt: isoOf(row.at) })
  } catch (cause) {
    await store.write((tx) => tx.invalidateChallenge(row.challengeDigest, clock()))
    throw new Refusal('SMS_DELIVERY_UNAVAILABLE', { cause })
  }
  return { challengeId, expiresInSeconds: challengeLifetimeSeconds, resendAfterSeconds }
}
