import { randomInt } from 'node:crypto'
import { Refusal } from '../contract/errors.ts'
import { newId } from '../contract/ids.ts'
import { clockSkewMs } from '../contract/rate-window.ts'
import { maxWrongAttempts, resendAfterSeconds } from '../contract/schemas/identity.ts'
import type { ContactKind } from './contacts.ts'
import type { IdentityDeps } from './deps.ts'
import { isDigestOf, tokenDigest } from './digests.ts'
import type { ChallengePurpose, ChallengeRow, NewChallenge } from './ports/challenges.ts'
import type { IdentityWriter } from './ports.ts'

/** A code on its way to its reader, and the row that recognizes it. */
export interface IssuedCode {
  readonly challengeId: string
  readonly code: string
  readonly kind: ContactKind
  readonly row: NewChallenge
}

interface CodeOptions {
  readonly kind: ContactKind
  readonly contactDigest: string
  readonly purpose: ChallengePurpose
  readonly accountId: string | null
  readonly lifetimeSeconds: number
}

export function newCode(
  { digests, clock }: Pick<IdentityDeps, 'digests' | 'clock'>,
  { kind, lifetimeSeconds, ...target }: CodeOptions,
): IssuedCode {
  const at = clock()
  const challengeId = newId('gvc')
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const row: NewChallenge = {
    ...target,
    challengeDigest: tokenDigest('challenge', challengeId),
    codeDigest: digests.code(challengeId, code).current,
    at,
    expiresAt: at + lifetimeSeconds * 1000,
  }
  return { challengeId, code, kind, row }
}

/** Stores the code, with whatever must commit with it, unless the contact was sent one a moment ago or too many before. */
export async function storeCode(
  deps: Pick<IdentityDeps, 'store' | 'limiter' | 'limits'>,
  issued: IssuedCode,
  writeAlso: (tx: IdentityWriter) => Promise<void> = async () => {},
): Promise<void> {
  deps.limiter.refuseExhausted(bucketOf(issued), deps.limits.sendCodePerPhone)
  await deps.store.write(async (tx) => {
    await storeCodeIn(deps, tx, issued)
    await writeAlso(tx)
  })
}

/** The same within a larger transaction. */
export async function storeCodeIn(
  { limiter, limits }: Pick<IdentityDeps, 'limiter' | 'limits'>,
  tx: IdentityWriter,
  issued: IssuedCode,
): Promise<void> {
  const { row } = issued
  // Counting first locks the contact's row, so that two concurrent requests cannot both pass the cooldown.
  await limiter.takeIn(tx, bucketOf(issued), limits.sendCodePerPhone)
  // A later time comes from an instance whose clock was ahead.
  const lastIssuedAt = await tx.lastIssuedAt(row, row.at + clockSkewMs)
  const waitMs = lastIssuedAt === null ? 0 : lastIssuedAt + resendAfterSeconds * 1000 - row.at
  if (waitMs > 0) throw new Refusal('RATE_LIMITED', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
  await tx.replaceChallenge(row)
}

const bucketOf = ({ kind, row }: IssuedCode) => `send-code-${kind} ${row.contactDigest}`

export interface Proof {
  readonly challengeId: string
  readonly verificationCode: string
}

/**
 * Counts a wrong code in its own transaction, so that the refusal does not undo the count. Concurrent guesses are checked one
 * at a time, so that none beyond the limit is ever compared.
 */
export async function checkCode(
  { store, digests, clock }: Pick<IdentityDeps, 'store' | 'digests' | 'clock'>,
  { challengeId, verificationCode }: Proof,
  isMeant: (challenge: ChallengeRow) => boolean,
): Promise<ChallengeRow> {
  const challengeDigest = tokenDigest('challenge', challengeId)
  const checked = await store.write(async (tx) => {
    const challenge = await tx.lockChallenge(challengeDigest)
    if (!challenge || challenge.wrongAttempts >= maxWrongAttempts) return 'VERIFICATION_FAILED'
    const isRight = isMeant(challenge) && isDigestOf(challenge.codeDigest, digests.code(challengeId, verificationCode))
    if (isRight && challenge.consumedAt !== null) return 'VERIFICATION_CONFLICT'
    if (isRight && isUsable(challenge, clock())) return challenge
    if (!isRight) await tx.countWrongAttempt(challengeDigest)
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
export async function consumeCode(tx: IdentityWriter, { challengeId }: Proof, at: number): Promise<void> {
  const challengeDigest = tokenDigest('challenge', challengeId)
  if (await tx.consumeChallenge(challengeDigest, maxWrongAttempts, at)) return
  const challenge = await tx.challenge(challengeDigest)
  throw new Refusal(challenge?.consumedAt ? 'VERIFICATION_CONFLICT' : 'VERIFICATION_FAILED')
}
