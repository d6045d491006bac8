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
interface CodeUse {
  readonly target: ChallengeTarget
  readonly requesterDigest: string | null
}

const [hourSeconds, daySeconds] = [3600, 86_400]
const wrongPerContact: Limit = { max: 20, windowSeconds: daySeconds }
/** Below the limit of the contact, so that one network cannot lock its owner out. */
const wrongPerContactAndRequester: Limit = { max: 10, windowSeconds: daySeconds }
/** Reserved for recoveries, so that registrations and email verifications cannot use up all codes. */
const recoveryShare = 1 / 4

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
  if (purpose !== 'operator_recovery') windows.push(ceilingOf(limits, purpose === 'recovery'))
  return windows
}

function ceilingOf({ codesPerHour }: CodeLimits, isRecovery: boolean): CodeWindow {
  const forRecoveries = Math.ceil(codesPerHour * recoveryShare)
  return {
    bucket: isRecovery ? 'codes recovery' : 'codes',
    limit: { max: isRecovery ? forRecoveries : codesPerHour - forRecoveries, windowSeconds: hourSeconds },
    ceiling: 'codesPerHour',
  }
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
  for (const { bucket, limit, ceiling } of sendWindows(deps.limits, use))
    observed(deps, ceiling, () => deps.limiter.refuseExhausted(bucket, limit))
}

/** Counts a code that is about to be sent. Counting locks the contact's row until the write ends. */
export async function countSentCode(deps: LimitDeps, tx: AccountWriter, use: CodeUse): Promise<void> {
  for (const { bucket, limit, ceiling } of sendWindows(deps.limits, use))
    await observed(deps, ceiling, () => deps.limiter.takeIn(tx, bucket, limit))
  await refuseGuessed(deps, tx, use)
}

/** Refuses once there were too many wrong codes. Only reads: a lock here and one on a challenge could deadlock. */
export async function refuseGuessed(deps: LimitDeps, tx: AccountWriter, use: CodeUse): Promise<void> {
  const now = deps.clock()
  for (const { bucket, limit, ceiling } of wrongWindows(deps.limits, use)) {
    const { used, windowEndsAt } = await tx.usedIn(bucket, limit.windowSeconds, now)
    if (used < limit.max) continue
    if (ceiling) deps.codes.refused(ceiling)
    throw refusalUntil(windowEndsAt, now)
  }
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
    const { used } = await tx.countIn(bucket, limit.windowSeconds, now)
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
