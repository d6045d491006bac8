import { tokenDigest } from '../../../../base/signatures.ts'
import { acceptedStep } from '../../../../base/totp.ts'
import { Refusal } from '../../../../contract/errors.ts'
import type { AccountFlowDeps, Authenticated } from '../accounts.ts'
import type { Limit } from '../challenge-store.ts'
import { cancelRemoval, noteFactorChange } from '../factor-removal.ts'
import { stepUpMs } from '../guards.ts'
import { notifyOwner } from '../notices.ts'
import { refusalUntil } from '../rate-limits.ts'
import { finishSignIn, type LoginContext } from '../sign-in.ts'
import type { Credentials } from '../store.ts'
import { digestOfCode } from './recovery-codes.ts'
import type { FactorStore, FactorWriter } from './store.ts'

export interface FactorDeps {
  readonly flows: AccountFlowDeps
  readonly factors: FactorStore
  /** Called for every code that was not accepted. */
  readonly onCodeFailure: (failure: CodeFailure) => void
}

export const codeUses = ['sign_in', 'step_up', 'setup'] as const
export const codeFailureResults = ['wrong', 'limited'] as const

export interface CodeFailure {
  readonly use: (typeof codeUses)[number]
  /** Limited: not even compared, because too many were wrong before. */
  readonly result: (typeof codeFailureResults)[number]
}

/** A secret copied to another account does not open there. */
export const totpContext = (accountId: string): string => `payer totp ${accountId}`

interface CodeProof {
  readonly use: CodeFailure['use']
  readonly code: string
  /** The network that the code came from. */
  readonly requester: string
}

/** Completes a sign-in whose password was right. */
export async function proveSignIn(
  deps: FactorDeps,
  {
    pendingToken,
    code,
    ...context
  }: LoginContext & { readonly pendingToken: string | undefined; readonly code: string },
): Promise<Authenticated> {
  const { clock } = deps.flows
  const digest = tokenDigest('pending-sign-in', pendingToken ?? '')
  const pending = await deps.factors.read((tx) => tx.pendingSignIn(digest, clock()))
  if (!pending) throw new Refusal('SIGN_IN_EXPIRED')
  const proof = { use: 'sign_in' as const, code, requester: context.requester }
  return withProof(deps, pending.accountId, proof, async (tx, account) => {
    // Gone if the password was replaced in between, or another request used it.
    if (!(await tx.endPendingSignIn(digest)) || (await tx.isSuspended(account.accountId)))
      throw new Refusal('SIGN_IN_EXPIRED')
    return finishSignIn(tx, deps.flows, account, { ...context, factorAt: clock() })
  })
}

/** Allows changes in this session for a while. Returns until when. */
export async function proveInSession(
  deps: FactorDeps,
  { accountId, sessionDigest }: { readonly accountId: string; readonly sessionDigest: string },
  proof: Omit<CodeProof, 'use'>,
): Promise<number> {
  return withProof(deps, accountId, { use: 'step_up', ...proof }, async (tx) => {
    const at = deps.flows.clock()
    await tx.proveFactor(sessionDigest, at)
    return at + stepUpMs
  })
}

/**
 * Runs `then` in the transaction that uses the code up. A wrong code is counted in a transaction that commits. The account is
 * locked, so that concurrent guesses are checked one at a time and none beyond the limit is compared.
 */
async function withProof<T>(
  deps: FactorDeps,
  accountId: string,
  proof: CodeProof,
  then: (tx: FactorWriter, account: Credentials) => Promise<T>,
): Promise<T> {
  const { result } = await writeProven(deps, proof.use, async (tx) => {
    const account = await tx.lockAccount(accountId)
    if (!account?.hasFactor) throw new Refusal('SECOND_FACTOR_NOT_SET_UP')
    const isRight = await checkCounted(deps, tx, account, proof, () => isAccepted(deps, tx, account, proof.code))
    return isRight ? { result: await then(tx, account) } : null
  })
  return result
}

/** `work` returns null for a wrong code, so that the transaction that counted it commits. */
export async function writeProven<T>(
  { factors, flows, onCodeFailure }: FactorDeps,
  use: CodeFailure['use'],
  work: (tx: FactorWriter) => Promise<T | null>,
): Promise<T> {
  const result = await factors.write(work).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'RATE_LIMITED') onCodeFailure({ use, result: 'limited' })
    throw error
  })
  flows.outbox.wake()
  if (result !== null) return result
  onCodeFailure({ use, result: 'wrong' })
  throw new Refusal('SECOND_FACTOR_FAILED')
}

/** Uses up a one-time code or a recovery code. */
async function isAccepted(deps: FactorDeps, tx: FactorWriter, account: Credentials, code: string): Promise<boolean> {
  const { flows } = deps
  const { accountId } = account
  const at = flows.clock()
  const totp = await tx.totpOf(accountId)
  if (totp && totp.confirmedAt !== null) {
    const secret = flows.keyring.open(totpContext(accountId), totp)
    const step = acceptedStep(secret, code, { now: at, lastStep: totp.lastStep })
    if (step !== null && (await tx.useTotpStep(accountId, step))) {
      // Someone who can use the factor has not lost it.
      await cancelRemoval(tx, flows, account)
      return true
    }
  }
  const digest = digestOfCode(code)
  if (digest === null || !(await tx.useRecoveryCode(accountId, digest, at))) return false
  await noteFactorChange(tx, flows, account, 'recovery_code_used')
  return true
}

const wrongPerRequester: Limit = { max: 5, windowSeconds: 900 }
/** Together with the 3 codes that are valid at a time, a guess succeeds once in 45 years. */
const wrongPerAccount: Limit = { max: 20, windowSeconds: 86_400 }

/** Refuses once too many codes were wrong, and counts one more if this one is. */
export async function checkCounted(
  { flows }: FactorDeps,
  tx: FactorWriter,
  account: Credentials,
  { requester }: Pick<CodeProof, 'requester'>,
  check: () => Promise<boolean>,
): Promise<boolean> {
  const now = flows.clock()
  const bucket = `wrong-factor ${account.accountId}`
  const windows = [
    { bucket: `${bucket} ${flows.digests.requester(requester).current}`, limit: wrongPerRequester },
    { bucket, limit: wrongPerAccount },
  ]
  for (const { bucket, limit } of windows) {
    const { used, windowEndsAt } = await tx.usedIn(bucket, limit.windowSeconds, now)
    if (used >= limit.max) throw refusalUntil(windowEndsAt, now)
  }
  if (await check()) return true
  for (const { bucket, limit } of windows) {
    const { used } = await tx.countIn(bucket, limit.windowSeconds, now)
    if (limit === wrongPerAccount && used === limit.max) await notifyOwner(tx, flows, account, 'factor_guessed')
  }
  return false
}
