import type { Keyring } from '../../../base/keyring.ts'
import type { FoundSource, LookedUpRow } from '../../../operator-kit/found.ts'
import type { FeatureContext } from '../../../ops/feature.ts'
import { foundPaymentIds } from '../../billing/payments/operator/found.ts'
import { foundJobIds } from '../../calls/media/found.ts'
import { foundRefusedIds } from '../../calls/refused-calls/found.ts'
import { displayedPrefix, findAccounts } from '../../identity/accounts/operator/actions.ts'
import { foundAccountIds, ownersOf } from '../../identity/accounts/operator/found.ts'
import { foundKeyIds, foundKeys } from '../../identity/keys/found.ts'
import type { ArchivedReads } from '../../records/archives/archived-reads.ts'
import { foundChargeIds, foundRequests } from '../../records/reports/found-charges.ts'
import { type LookedUpItem, maxFound } from './contract.ts'

interface LookupDeps extends Pick<FeatureContext, 'engine'> {
  readonly archives: Pick<ArchivedReads, 'ownerOf'>
  /** Read when it is needed: only phone numbers and emails are stored as digests. */
  readonly readKeyring: () => Promise<Keyring>
}

const sources: ReadonlyMap<string, FoundSource> = new Map(
  [...foundAccountIds, ...foundKeyIds, ...foundChargeIds, ...foundPaymentIds, ...foundJobIds].map((source) => [
    source.prefix,
    source,
  ]),
)

/** What a customer quotes, of all projects. Each kind is found by an index, and nothing else is read. */
export async function findAnything(deps: LookupDeps, text: string): Promise<LookedUpItem[]> {
  const { engine } = deps
  const rows = await findRows(deps, text.trim())
  const owners = await engine.read((tx) =>
    ownersOf(
      tx,
      rows.map(({ projectId }) => projectId),
    ),
  )
  return rows.flatMap(({ page, ...row }) => {
    const accountId = owners.get(row.projectId)?.accountId
    if (accountId === undefined) return []
    const account = row.kind === 'order' ? `/accounts/${accountId}?view=orders` : `/accounts/${accountId}`
    return [{ ...row, accountId, path: page ?? account }]
  })
}

async function findRows(deps: LookupDeps, wanted: string): Promise<readonly LookedUpRow[]> {
  const contact = contactOf(wanted)
  if (contact) {
    const accounts = await findAccounts(deps, contact)
    return accounts.slice(0, maxFound).map(({ accountId, projectId, phoneMasked: label }) => ({
      ...{ kind: 'account', id: accountId, projectId, label, page: null },
    }))
  }
  if (/^gk_[!-~]+$/.test(wanted)) {
    return deps.engine.read((tx) => foundKeys(tx, displayedPrefix(wanted), maxFound))
  }
  const prefix = /^([a-z]{3})_[0-9A-Za-z]{0,60}$/.exec(wanted)?.[1] ?? ''
  if (prefix === 'req') {
    const refused = await deps.engine.read((tx) => foundRefusedIds.find(tx, wanted, maxFound))
    return [...(await foundRequests(deps.engine, wanted, maxFound)), ...refused].slice(0, maxFound)
  }
  const source = sources.get(prefix)
  const found = source ? await deps.engine.read((tx) => source.find(tx, wanted, maxFound)) : []
  return prefix === 'chg' && found.length === 0 ? archivedCharge(deps, wanted) : found
}

/** By its whole id. Its page would be empty, so it leads to the account. */
async function archivedCharge({ archives }: LookupDeps, chargeId: string): Promise<LookedUpRow[]> {
  const owner = await archives.ownerOf(chargeId)
  if (!owner) return []
  const { projectId, operation } = owner
  return [{ kind: 'charge', id: chargeId, projectId, label: `${operation} (archived)`, page: null }]
}

/** A whole phone number or email, in the ways that people write them. */
function contactOf(text: string): { readonly phone: string } | { readonly email: string } | null {
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return { email: text }
  const digits = text.normalize('NFKC').replaceAll(/[\s()+-]/g, '')
  const phone = /^(?:86)?(1\d{10})$/.exec(digits)?.[1]
  return phone === undefined ? null : { phone }
}
