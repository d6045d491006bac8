import type { Item, ItemRef } from '../contract/schemas/products.ts'
import { confirmed, type FailedOutcome, type Outcome } from '../providers/outcome.ts'
import { failureOf } from '../providers/outcome-table.ts'
import type { ShopLinks } from '../providers/shopping/shop-provider.ts'
import { allEnded, neverThrow, noteSent } from './never-throw.ts'
import type { BusinessOperation, OperationResult } from './operation.ts'
import type { PickOptions } from './pick.ts'
import { readSnapshots } from './read-snapshots.ts'
import { combineFailures, isInService, type Shops } from './search.ts'

/** pick.links: a link for every item, or none at all. */
export function createLinks(shops: Shops, { snapshots, reportFault }: PickOptions): BusinessOperation<'pick.links'> {
  const { mode, providers } = shops
  return {
    leavesProcess: ({ itemRefs }) => itemRefs.some(({ provider }) => providers.get(provider)?.leavesProcess),
    perform: neverThrow<'pick.links'>(async ({ itemRefs }, { projectId, requestId }, trace) => {
      const items = await readSnapshots(itemRefs, { projectId, snapshots, mode })
      if (items.kind !== 'confirmed') return items
      const groups = [...Map.groupBy(items.value.map(refOf), ({ provider }) => provider)]
      // A disabled shop fails the whole call, so no other shop is asked.
      if (groups.some(([name]) => !isInService(providers.get(name)))) return failureOf('shop', 'disabled')
      const outcomes = await allEnded(
        groups.map(async ([name, refs]): Promise<Outcome<Group>> => {
          const shop = providers.get(name)!
          const productIds = refs.map(({ productId }) => productId)
          const outcome = noteSent(trace, shop, await shop.links(productIds, projectId, requestId, trace.onSending))
          return outcome.kind === 'confirmed' ? confirmed({ refs, links: outcome.value }) : outcome
        }),
      )
      const failures = outcomes.filter((outcome): outcome is FailedOutcome => outcome.kind !== 'confirmed')
      if (failures.length > 0) return failureOfAll(failures, outcomes)
      return confirmed(
        resultOf(
          items.value,
          outcomes.flatMap((o) => (o.kind === 'confirmed' ? [o.value] : [])),
          shops,
        ),
      )
    }, reportFault),
  }
}

interface Group {
  readonly refs: readonly ItemRef[]
  readonly links: ShopLinks
}

const refOf = ({ itemRef }: Item) => itemRef

/** If any shop responded, something was sent, even if another one failed before sending. */
function failureOfAll(failures: readonly FailedOutcome[], outcomes: readonly Outcome<Group>[]): FailedOutcome {
  const failure = combineFailures(failures)
  return outcomes.some(({ kind }) => kind === 'confirmed') ? { ...failure, sent: true } : failure
}

function resultOf(items: readonly Item[], groups: readonly Group[], { mode }: Shops): OperationResult<'pick.links'> {
  const urlOf = ({ provider, productId }: ItemRef) =>
    groups.flatMap(({ refs, links }) =>
      refs.flatMap((ref, i) =>
        ref.provider === provider && ref.productId === productId ? [links.productUrls[i]!] : [],
      ),
    )[0]!
  return {
    data: {
      items: items.map(({ itemRef }) => ({ itemRef, productUrl: urlOf(itemRef) })),
      disclosure: [...new Set(groups.map(({ links }) => links.disclosure))].join('\n'),
      mode,
    },
    usage: {},
  }
}
