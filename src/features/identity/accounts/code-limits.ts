import { Refusal } from '../../../contract/errors.ts'
import type { AccountFlowDeps, Ceiling, CodeLimits } from './accounts.ts'
import type { ChallengePurpose, ChallengeRow, ChallengeTarget, Limit } from './challenge-store.ts'
import { notifyOwnerOrDecoy } from './notices.ts'
import { refusalUntil } from './rate-limits.ts'
import type { AccountWriter } from './store.ts'

interface CodeWindow {
  readonly bucket: string
  readonly limit: Limit
  readonly ceiling?: Ceiling
}

/** A code of this contact and purpose, and the network it is asked for or guessed from; null if an operator asks for it. */
export interface CodeUse {
  readonly target: ChallengeTarget & Pick<ChallengeRow, 'accountId'>
  readonly requesterDigest: string | null
  /** By email instead of a text message. */
  readonly isByEmail?: boolean
}

const [hourSeconds, daySeconds] = [3600, 86_400]
const wrongPerContact: Limit = { max: 20, windowSeconds: daySeconds }
/** Below the limit of the contact, so that one network cannot lock its owner out. */
const wrongPerContactAndRequester: Limit = { max: 10, windowSeconds: daySeconds }
/** Reserved for recoveries, so that registrations and email verifications cannot use up all codes. */
const recoveryShare = 1 / 4
/** What one network can use of them. */
const networkShare = 1 / 4

/** What sending a code counts in. A network that has used up its own codes uses up no further ones of the contact. */
function sendWindows(limits: CodeLimits, { target, requesterDigest }: CodeUse): CodeWindow[] {
  const { purpose, contactDigest } = target
  const bucket = `send-code ${purpose} ${contactDigest}`
  const windows: CodeWindow[] = [{ bucket, limit: limits.sendCodePerPhone }]
  if (purpose === 'recovery')
    windows.unshift(
      { bucket: `send-code ${purpose} from ${requesterDigest}`, limit: limits.recoveryPerRequester },
      { bucket: `${bucket} ${requesterDigest}`, limit: limits.recoveryPerIdentifierAndRequester },
    )
  if (purpose === 'registration' || purpose === 'email_verification') windows.push(codesCeiling(limits))
  return windows
}

const recoveriesPerHour = ({ codesPerHour }: CodeLimits): number => Math.ceil(codesPerHour * recoveryShare)

const codesCeiling = (limits: CodeLimits): CodeWindow => ({
  bucket: 'codes',
  limit: { max: limits.codesPerHour - recoveriesPerHour(limits), windowSeconds: hourSeconds },
  ceiling: 'codesPerHour',
})

/** Text messages that recoveries really send. */
const recoveryCeiling = (limits: CodeLimits): CodeWindow => ({
  bucket: 'codes recovery',
  limit: { max: recoveriesPerHour(limits), windowSeconds: hourSeconds },
  ceiling: 'codesPerHour',
})

const networkCeiling = (limits: CodeLimits, requesterDigest: string | null): CodeWindow => ({
  bucket: `codes recovery from ${requesterDigest}`,
  limit: { max: Math.ceil(recoveriesPerHour(limits) * networkShare), windowSeconds: hourSeconds },
})

/** Whether a code counts in the ceiling of recoveries. An email costs nothing, and an operator who asks is not limited by strangers. */
const isTextedRecovery = ({ target, isByEmail = false }: CodeUse): boolean =>
  target.purpose === 'recovery' && !isByEmail

/**
 * Counts a recovery by text message, and returns whether its message is to be queued. Unknown numbers count in a window of their
 * own, so that they stop no recovery of an account. The responses are the same, so neither window reveals who has one.
 */
async function countTextedRecovery(deps: LimitDeps, tx: AccountWriter, use: CodeUse): Promise<boolean> {
  const { limiter, limits, clock } = deps
  const network = networkCeiling(limits, use.requesterDigest)
  await limiter.takeIn(tx, network.bucket, network.limit)
  const all = recoveryCeiling(limits)
  const { bucket, limit, ceiling } = all
  // Read for known numbers too: both do the same work.
  await refuseFull(deps, tx, all)
  if (use.target.accountId === null) {
    const { used } = await tx.countIn(`${bucket} unknown`, limit.windowSeconds, clock())
    return used <= limit.max
  }
  await observed(deps, ceiling, () => limiter.takeIn(tx, bucket, limit))
  return true
}

/** What a wrong code counts in. Once one of them is full, no code of the contact is sent or compared from there. */
function wrongWindows(limits: CodeLimits, { target, requesterDigest }: CodeUse): CodeWindow[] {
  const { purpose, contactDigest } = target
  const bucket = `wrong-code ${purpose} ${contactDigest}`
  const windows: CodeWindow[] = [{ bucket, limit: wrongPerContact }]
  if (requesterDigest !== null)
    windows.unshift({ bucket: `${bucket} ${requesterDigest}`, limit: wrongPerContactAndRequester })
  if (purpose === 'recovery') {
    const limit = { max: limits.wrongCodesPerHour, windowSeconds: hourSeconds }
    windows.push({ bucket: 'wrong-codes', limit, ceiling: 'wrongCodesPerHour' })
  }
  return windows
}

type LimitDeps = Pick<AccountFlowDeps, 'limiter' | 'limits' | 'clock' | 'codes'>

/** Refuses at no cost what a window that is known to be full would refuse. */
export function refuseExhaustedCodes(deps: LimitDeps, use: CodeUse): void {
  const { limits, limiter } = deps
  const ceilings = isTextedRecovery(use) ? [networkCeiling(limits, use.requesterDigest), recoveryCeiling(limits)] : []
  for (const { bucket, limit, ceiling } of [...sendWindows(limits, use), ...ceilings])
    observed(deps, ceiling, () => limiter.refuseExhausted(bucket, limit))
}

/**
 * Counts a code that is about to be sent, and returns whether its message is to be queued. Counting locks the contact's row until
 * the write ends.
 */
export async function countSentCode(deps: LimitDeps, tx: AccountWriter, use: CodeUse): Promise<boolean> {
  for (const { bucket, limit, ceiling } of sendWindows(deps.limits, use))
    await observed(deps, ceiling, () => deps.limiter.takeIn(tx, bucket, limit))
  const isQueued = !isTextedRecovery(use) || (await countTextedRecovery(deps, tx, use))
  await refuseGuessed(deps, tx, use)
  return isQueued
}

/** Refuses once there were too many wrong codes. Only reads: a lock here and one on a challenge could deadlock. */
export async function refuseGuessed(deps: LimitDeps, tx: AccountWriter, use: CodeUse): Promise<void> {
  for (const window of wrongWindows(deps.limits, use)) await refuseFull(deps, tx, window)
}

async function refuseFull(deps: LimitDeps, tx: AccountWriter, { bucket, limit, ceiling }: CodeWindow): Promise<void> {
  const now = deps.clock()
  const { used, windowEndsAt } = await tx.usedIn(bucket, limit.windowSeconds, now)
  if (used < limit.max) return
  if (ceiling) deps.codes.refused(ceiling)
  throw refusalUntil(windowEndsAt, now)
}

/** Counts a wrong code, and notifies the owner at most once a day when codes seem to be guessed. */
export async function countWrongCode(
  deps: AccountFlowDeps,
  tx: AccountWriter,
  challenge: ChallengeRow,
  requesterDigest: string,
): Promise<void> {
  const { limits, clock, codes } = deps
  const { purpose, contactDigest, accountId } = challenge
  const now = clock()
  let isGuessing = false
  for (const { bucket, limit, ceiling } of wrongWindows(limits, { target: challenge, requesterDigest })) {
    // A guess at an unknown contact cannot succeed, so it stops no recovery of an account.
    const counted = ceiling && accountId === null ? `${bucket} unknown` : bucket
    const { used } = await tx.countIn(counted, limit.windowSeconds, now)
    isGuessing ||= !ceiling && used === limit.max
  }
  codes.wrong(purpose)
  if (!isGuessing || !isRecovery(purpose)) return
  const notices = await tx.countIn(`wrong-codes-notified ${contactDigest}`, daySeconds, now)
  if (notices.used > 1) return
  // The same work without an account, so that the response time does not reveal who has one.
  await notifyOwnerOrDecoy(tx, deps, await tx.credentialsOf(accountId ?? ''), 'recovery_guessed')
}

export const isRecovery = (purpose: ChallengePurpose): boolean =>
  purpose === 'recovery' || purpose === 'operator_recovery'

function observed<T>({ codes }: LimitDeps, ceiling: Ceiling | undefined, count: () => T): T {
  const note = (error: unknown): never => {
    if (ceiling && error instanceof Refusal) codes.refused(ceiling)
    throw error
  }
  try {
    const counted = count()
    return (counted instanceof Promise ? counted.catch(note) : counted) as T
  } catch (error) {
    return note(error)
  }
}
