import { isoOf, isoOrNull, minuteMs } from '../../../../base/time.ts'
import { acceptedStep, newTotpSecret, totpUri } from '../../../../base/totp.ts'
import { Refusal } from '../../../../contract/errors.ts'
import type { SignedIn } from '../../../../http/guards.ts'
import type { SignedInContext } from '../accounts.ts'
import { lockProven, provePassword } from '../change-password.ts'
import { cancelRemoval, noteFactorChange, removeIfDue } from '../factor-removal.ts'
import { isProven, stepUpMs } from '../guards.ts'
import type { Credentials } from '../store.ts'
import type { FactorAdded, NewRecoveryCodes, SecondFactor, SetUpTotpRequest, TotpSetup } from './contract.ts'
import { checkCounted, type FactorDeps, totpContext, writeProven } from './proof.ts'
import { digestOfCode, newRecoveryCodes } from './recovery-codes.ts'
import type { FactorReader, FactorWriter } from './store.ts'

export const readSecondFactor = ({ factors, flows }: FactorDeps, session: SignedIn): Promise<SecondFactor> =>
  factors.read((tx) => standingOf(tx, session, flows.clock()))

async function standingOf(tx: FactorReader, session: SignedIn, now: number): Promise<SecondFactor> {
  const { accountId, factorAt } = session
  const totp = await tx.totpOf(accountId)
  return {
    totpSince: isoOrNull(totp?.confirmedAt ?? null),
    recoveryCodesLeft: await tx.recoveryCodesLeft(accountId),
    provenUntil: session.hasFactor && isProven(session, now) ? isoOf(factorAt! + stepUpMs) : null,
    removedAt: isoOrNull(await tx.removalDueAt(accountId)),
  }
}

/** A secret for an app. Needs the password, so that someone who finds an open screen cannot lock out the owner. */
export async function setUpTotp(
  { factors, flows }: FactorDeps,
  { password }: SetUpTotpRequest,
  { session: { accountId }, requester }: SignedInContext,
): Promise<TotpSetup> {
  const account = await provePassword(flows, { accountId, password, requester })
  const secret = newTotpSecret()
  const sealed = flows.keyring.seal(totpContext(accountId), secret)
  await factors.write(async (tx) => {
    await lockProven(tx, account)
    if ((await tx.totpOf(accountId))?.confirmedAt) throw new Refusal('SECOND_FACTOR_EXISTS')
    await tx.setUpTotp({ accountId, ...sealed, createdAt: flows.clock() })
  })
  return { totpUri: totpUri(account.phoneMasked, secret) }
}

const setupMs = 15 * minuteMs

/** Proves with a first code that the app has the secret. */
export async function confirmTotp(
  deps: FactorDeps,
  { code }: { readonly code: string },
  { session: { accountId, sessionDigest }, requester }: SignedInContext,
): Promise<FactorAdded> {
  const { flows } = deps
  return writeProven(deps, 'setup', async (tx) => {
    const account = await lock(tx, accountId)
    const at = flows.clock()
    const totp = await tx.totpOf(accountId)
    if (!totp || totp.confirmedAt !== null || totp.createdAt + setupMs < at)
      throw new Refusal('SECOND_FACTOR_NOT_SET_UP')
    const secret = flows.keyring.open(totpContext(accountId), totp)
    const step = acceptedStep(secret, code, { now: at, lastStep: null })
    if (!(await checkCounted(deps, tx, account, { requester }, async () => step !== null))) return null
    await tx.confirmTotp(accountId, step!, at)
    await noteFactorChange(tx, flows, account, 'totp_added')
    return afterAdding(tx, { account, sessionDigest, at })
  })
}

/** The first factor brings recovery codes. The session that added one has just proven it. */
export async function afterAdding(
  tx: FactorWriter,
  { account, sessionDigest, at }: { account: Credentials; sessionDigest: string; at: number },
): Promise<FactorAdded> {
  await tx.proveFactor(sessionDigest, at)
  const isFirst = (await tx.recoveryCodesLeft(account.accountId)) === 0
  return { recoveryCodes: isFirst ? await writeRecoveryCodes(tx, account.accountId) : null }
}

async function writeRecoveryCodes(tx: FactorWriter, accountId: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  await tx.replaceRecoveryCodes(
    accountId,
    codes.map((code) => digestOfCode(code)!),
  )
  return codes
}

export async function replaceRecoveryCodes(
  { factors, flows }: FactorDeps,
  { accountId }: SignedIn,
): Promise<NewRecoveryCodes> {
  const recoveryCodes = await factors.write(async (tx) => {
    const account = await lock(tx, accountId)
    if (!account.hasFactor) throw new Refusal('SECOND_FACTOR_NOT_SET_UP')
    await noteFactorChange(tx, flows, account, 'recovery_codes_replaced')
    return writeRecoveryCodes(tx, accountId)
  })
  flows.outbox.wake()
  return { recoveryCodes }
}

export async function removeTotp({ factors, flows }: FactorDeps, session: SignedIn): Promise<SecondFactor> {
  const { accountId } = session
  const standing = await factors.write(async (tx) => {
    const account = await lock(tx, accountId)
    if (!(await tx.totpOf(accountId))?.confirmedAt) throw new Refusal('SECOND_FACTOR_NOT_SET_UP')
    await tx.removeTotp(accountId)
    await noteFactorChange(tx, flows, account, 'totp_removed')
    const hasFactor = await dropUnneeded(tx, accountId)
    return standingOf(tx, { ...session, hasFactor }, flows.clock())
  })
  flows.outbox.wake()
  return standing
}

/** Without a factor, recovery codes and a waiting removal mean nothing. Returns whether there still is one. */
export async function dropUnneeded(tx: FactorWriter, accountId: string): Promise<boolean> {
  const { hasFactor } = await lock(tx, accountId)
  if (!hasFactor) await tx.removeFactors(accountId)
  return hasFactor
}

export async function keepFactor({ factors, flows }: FactorDeps, session: SignedIn): Promise<SecondFactor> {
  const standing = await factors.write(async (tx) => {
    const account = await lock(tx, session.accountId)
    await cancelRemoval(tx, flows, account)
    return standingOf(tx, session, flows.clock())
  })
  flows.outbox.wake()
  return standing
}

/** Removes the factors of accounts whose wait is over. Returns how many there were. */
export async function removeDue({ factors, flows }: FactorDeps, limit: number): Promise<number> {
  const due = await factors.read((tx) => tx.dueRemovals(flows.clock(), limit))
  for (const accountId of due) {
    await factors.write(async (tx) => {
      // Checked again: it may have been cancelled since, or another instance was faster.
      await removeIfDue(tx, flows, await lock(tx, accountId))
    })
  }
  if (due.length > 0) flows.outbox.wake()
  return due.length
}

export async function lock(tx: FactorWriter, accountId: string): Promise<Credentials> {
  const account = await tx.lockAccount(accountId)
  if (!account) throw new Refusal('GATEWAY_AUTH_REQUIRED')
  return account
}
