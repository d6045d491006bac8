import { networksOf } from '../../../base/addresses.ts'
import { isoOf, isoOrNull } from '../../../base/time.ts'
import { countsAt, countsOf, periodEnd, withNew } from '../../../contract/budget-periods.ts'
import { Refusal } from '../../../contract/errors.ts'
import type {
  CreatedNamedKey,
  CreateNamedKeyRequest,
  KeyBudget,
  NamedKey,
  UpdateKeyRequest,
  UsedKey,
} from './contract.ts'
import {
  createdKey,
  insertKey,
  type KeysDeps,
  keyCreated,
  keyFacts,
  keyRotated,
  type NewKey,
  newKey,
  nextExpiryWarning,
  publicKey,
  stateOf,
} from './keys.ts'
import type { BudgetRow, KeyRequest, KeyRow, KeyWriter } from './store.ts'

/**
 * The budget after a change. Another number of credits keeps the count; another period starts a new one, because what was
 * spent in it is not known. A new count never has the time of an earlier one, which charges still refer to.
 */
function nextBudget(old: BudgetRow | null, wanted: KeyBudget | null, now: number): BudgetRow | null {
  if (wanted === null) return old && { ...old, credits: null }
  if (old && old.credits !== null && old.per === wanted.per) return { ...old, credits: wanted.credits }
  return { ...wanted, ...withNew(old ? countsOf(old) : [], now) }
}

const usedKey = (row: KeyRow, now: number): UsedKey => ({
  ...publicKey(row, now),
  name: row.name,
  showsBalance: row.showsBalance,
  logsContent: row.logsContent,
  ...budgetView(row.budget, now),
  allowedAddresses: row.allowedAddresses && [...row.allowedAddresses],
  calls: row.calls,
  lastUsedAt: isoOrNull(row.lastUsedAt),
  lastUsedFrom: row.lastUsedFrom,
})

export function budgetView(
  row: BudgetRow | null,
  now: number,
): Pick<UsedKey, 'budget' | 'budgetSpent' | 'budgetResetsAt'> {
  if (row === null || row.credits === null) return { budget: null, budgetSpent: null, budgetResetsAt: null }
  const { credits, per } = row
  return {
    budget: { credits, per },
    // The next call starts the new period.
    budgetSpent: countsAt(per, row, now).spent,
    budgetResetsAt: isoOrNull(periodEnd(per, now)),
  }
}

/** A new key with its plaintext, or the metadata of the one that the same request created before. */
export type NamedKeyResult =
  | { readonly isReplay: false; readonly key: CreatedNamedKey }
  | { readonly isReplay: true; readonly key: NamedKey }

export type NamedKeys = ReturnType<typeof createNamedKeys>

export function createNamedKeys(deps: KeysDeps) {
  const { store, clock, lifetimeSeconds } = deps
  const latestExpiry = (now: number) => (lifetimeSeconds === null ? null : now + lifetimeSeconds * 1000)

  /** The time in a request: later than now, and not later than the operator allows. */
  function expiryOf(text: string | null, now: number): number | null {
    const latest = latestExpiry(now)
    const at = text === null ? null : Date.parse(text)
    const isValid = at === null ? latest === null : at > now && (latest === null || at <= latest)
    if (!isValid) throw new Refusal('INVALID_EXPIRY')
    return at
  }

  /** Runs `make` unless this request has already created a key. */
  function once(projectId: string, request: KeyRequest, make: (tx: KeyWriter) => Promise<NewKey>) {
    return store.write(async (tx): Promise<NamedKeyResult> => {
      await tx.lockKeys(projectId)
      const earlier = await tx.byRequest(projectId, request.idempotencyDigest)
      if (earlier) {
        if (earlier.requestDigest !== request.requestDigest) throw new Refusal('IDEMPOTENCY_CONFLICT')
        return { isReplay: true, key: namedKey(earlier.row, clock()) }
      }
      const key = await make(tx)
      return { isReplay: false, key: { ...createdKey(key), ...settingsOf(key.row) } }
    })
  }

  return {
    async list(projectId: string) {
      const now = clock()
      return (await store.read((tx) => tx.keysOf(projectId, now))).map((row) => usedKey(row, now))
    },
    create(projectId: string, wanted: CreateNamedKeyRequest, request: KeyRequest) {
      const { name, scopes, expiresAt, budget, allowedAddresses, showsBalance = true, logsContent = false } = wanted
      return once(projectId, request, async (tx) => {
        const now = clock()
        const settings = {
          projectId,
          name,
          scopes,
          expiresAt: expiresAt === undefined ? latestExpiry(now) : expiryOf(expiresAt, now),
          allowedAddresses: addressesOf(allowedAddresses ?? null),
          showsBalance,
          logsContent,
          budget: budget ? nextBudget(null, budget, now) : null,
        }
        const key = newKey(settings, now)
        await insertKey(tx, key, { ...deps, request })
        if (key.row.budget) await tx.setBudget(chainOf(key.row), key.row.budget)
        await tx.addEvent(keyCreated(key.row))
        return key
      })
    },
    update(projectId: string, keyId: string, changes: UpdateKeyRequest): Promise<UsedKey> {
      return store.write(async (tx) => {
        await tx.lockBalance(projectId)
        const now = clock()
        const row = await activeKey(tx, { projectId, keyId }, now)
        const changed: KeyRow = {
          ...row,
          ...(changes.name !== undefined && { name: changes.name }),
          ...(changes.expiresAt !== undefined && { expiresAt: expiryOf(changes.expiresAt, now) }),
          ...(changes.allowedAddresses !== undefined && { allowedAddresses: addressesOf(changes.allowedAddresses) }),
          ...(changes.showsBalance !== undefined && { showsBalance: changes.showsBalance }),
          ...(changes.logsContent !== undefined && { logsContent: changes.logsContent }),
          ...(changes.budget !== undefined && { budget: nextBudget(row.budget, changes.budget, now) }),
        }
        await tx.changeSettings({ ...changed, expiryWarningAt: nextExpiryWarning(changed.expiresAt, now) })
        if (changed.budget && changed.budget !== row.budget) await tx.setBudget(chainOf(row), changed.budget)
        return usedKey(changed, now)
      })
    },
    rotate(
      projectId: string,
      { keyId, graceSeconds }: { readonly keyId: string; readonly graceSeconds: number },
      request: KeyRequest,
    ) {
      return once(projectId, request, async (tx) => {
        const now = clock()
        const old = await activeKey(tx, { projectId, keyId }, now)
        const { chainId } = chainOf(old)
        // The newest key has the expiry that was chosen; an earlier one has that of its own rotation.
        const newest = (await tx.newestInChain(projectId, chainId)) ?? old
        const graceEnd = now + graceSeconds * 1000
        const oldExpiresAt = Math.min(old.expiresAt ?? graceEnd, graceEnd)
        const expiryWarningAt = nextExpiryWarning(oldExpiresAt, now)
        await tx.changeSettings({ ...old, expiresAt: oldExpiresAt, expiryWarningAt })
        const expiresAt = latestExpiry(now) ?? newest.expiresAt
        const key = newKey({ ...settingsToKeep(old), expiresAt, chainId, rotatedFromKeyId: keyId }, now)
        await insertKey(tx, key, { ...deps, request })
        await tx.addEvent(keyRotated(key.row, { keyId, expiresAt: oldExpiresAt }))
        return key
      })
    },
  }
}

async function activeKey(tx: KeyWriter, { projectId, keyId }: { projectId: string; keyId: string }, now: number) {
  const row = await tx.find(projectId, keyId)
  if (!row) throw new Refusal('KEY_NOT_FOUND')
  if (stateOf(row, now) !== 'active') throw new Refusal('KEY_NOT_FOUND', { message: 'The key is no longer active.' })
  return row
}

const chainOf = ({ projectId, chainId, keyId }: KeyRow) => ({ projectId, chainId: chainId ?? keyId })

const settingsToKeep = ({ projectId, name, scopes, allowedAddresses, showsBalance, logsContent, budget }: KeyRow) => ({
  projectId,
  name,
  scopes,
  allowedAddresses,
  showsBalance,
  logsContent,
  budget,
})

/** An empty list allows every requester, like none. */
function addressesOf(entries: readonly string[] | null): readonly string[] | null {
  if (entries === null || entries.length === 0) return null
  if (!networksOf(entries)) throw new Refusal('INVALID_ADDRESSES')
  return entries
}

const settingsOf = ({ name, budget, allowedAddresses, showsBalance, logsContent, createdAt }: KeyRow) => ({
  name,
  budget: budget === null || budget.credits === null ? null : { credits: budget.credits, per: budget.per },
  allowedAddresses: allowedAddresses && [...allowedAddresses],
  showsBalance,
  logsContent,
  createdAt: isoOf(createdAt),
})

const namedKey = (row: KeyRow, now: number): NamedKey => ({
  ...keyFacts(row),
  state: stateOf(row, now),
  shownOnce: true,
  ...settingsOf(row),
})
