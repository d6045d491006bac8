import { tokenDigest } from '../../../base/signatures.ts'
import { isoOf, isoOrNull, latestWindowEnd, windowEnd } from '../../../base/time.ts'
import { Refusal } from '../../../contract/errors.ts'
import { chargeIdPattern } from '../../../contract/field.ts'
import { reasonOf } from '../../../contract/reasons.ts'
import { stateOf } from '../../identity/keys/keys.ts'
import { budgetView } from '../../identity/keys/named-keys.ts'
import { ledgerRangeOf, pageOf, timesOf } from '../../records/reports/ledger.ts'
import type { ReportStore } from '../../records/reports/store.ts'
import type { OwnCharge, OwnChargePage, OwnChargeParameters, OwnKey } from './contract.ts'
import type { HeldKey, KeyApiStore, KeyOwner, OwnChargeRow } from './store.ts'

interface KeyReadDeps {
  readonly store: KeyApiStore
  readonly reports: ReportStore
  readonly callsPerKey: { readonly max: number; readonly windowSeconds: number }
  readonly clock: () => number
}

export type KeyApi = ReturnType<typeof createKeyApi>

const isChargeId = new RegExp(chargeIdPattern)

/** A charge has two or three entries, so that a page is mostly found in one read. */
const entriesPerRow = 4

export function createKeyApi({ store, reports, callsPerKey, clock }: KeyReadDeps) {
  async function page({ projectId, keyId }: KeyOwner, { after, limit }: OwnChargeParameters): Promise<OwnChargePage> {
    const range = await ledgerRangeOf(reports, projectId, timesOf({}), after === undefined ? undefined : Number(after))
    const { rows, nextAfter } = await pageOf(range, { limit, entriesPerRow }, (part, most) =>
      store.charges(part, keyId, most),
    )
    return { items: rows.map(ownCharge), nextCursor: nextAfter }
  }

  return {
    async key(owner: KeyOwner): Promise<OwnKey> {
      const held = await store.key(owner)
      if (!held) throw new Refusal('UNAUTHORIZED')
      const now = clock()
      const { row, available, reserved } = held
      return {
        keyId: row.keyId,
        name: row.name,
        maskedKey: row.displayPrefix,
        scopes: [...row.scopes],
        state: stateOf(row, now),
        expiresAt: isoOrNull(row.expiresAt),
        allowedAddresses: row.allowedAddresses && [...row.allowedAddresses],
        rateLimit: rateLimitOf(held, callsPerKey, now),
        budget: budgetOf(row.budget, now),
        credits: row.showsBalance ? { available, reserved } : null,
      }
    },
    async charge(owner: KeyOwner, chargeId: string): Promise<OwnCharge> {
      const row = isChargeId.test(chargeId) ? await store.charge(owner, chargeId) : undefined
      if (!row) throw new Refusal('CHARGE_NOT_FOUND')
      return ownCharge(row)
    },
    async charges(owner: KeyOwner, parameters: OwnChargeParameters): Promise<OwnChargePage> {
      const { idempotencyKey, after } = parameters
      if (idempotencyKey === undefined) return page(owner, parameters)
      if (after !== undefined) {
        throw new Refusal('REQUEST_TARGET_INVALID', { explain: 'Send either idempotencyKey or after.' })
      }
      const row = await store.chargeOfIntent(owner, tokenDigest('idempotency', idempotencyKey))
      return { items: row ? [ownCharge(row)] : [], nextCursor: null }
    },
  }
}

/** What the next call would find, by the rule of the ledger. */
function rateLimitOf(
  { windowEndsAt, windowUsed }: HeldKey,
  { max, windowSeconds }: KeyReadDeps['callsPerKey'],
  now: number,
): OwnKey['rateLimit'] {
  const windowMs = windowSeconds * 1000
  const isOver = now >= windowEndsAt || windowEndsAt > latestWindowEnd(now, windowMs)
  return {
    max,
    windowSeconds,
    remaining: isOver ? max : Math.max(0, max - windowUsed),
    resetsAt: isoOf(isOver ? windowEnd(now, windowMs) : windowEndsAt),
  }
}

function budgetOf(row: HeldKey['row']['budget'], now: number): OwnKey['budget'] {
  const { budget, budgetSpent, budgetResetsAt } = budgetView(row, now)
  if (budget === null || budgetSpent === null) return null
  return {
    ...budget,
    spent: budgetSpent,
    remaining: Math.max(0, budget.credits - budgetSpent),
    resetsAt: budgetResetsAt,
  }
}

const ownCharge = ({ seq: _, ...row }: OwnChargeRow & { readonly seq?: number }): OwnCharge => ({
  ...row,
  reservedAt: isoOf(row.reservedAt),
  endedAt: isoOrNull(row.endedAt),
  reason: reasonOf(row.reason),
})
