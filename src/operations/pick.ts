import type { DataOf, RequestOf } from '../contract/schemas/business.ts'
import { compareDimensions, recommendMethod } from '../contract/schemas/pick.ts'
import type { Item, ItemRef, Mode } from '../contract/schemas/products.ts'
import { confirmed } from '../providers/outcome.ts'
import { neverThrow, type ReportFault } from './never-throw.ts'
import type { BusinessOperation, SnapshotReader } from './operation.ts'
import { prepurchaseReview } from './prepurchase-review.ts'
import { readSnapshots } from './read-snapshots.ts'
import { recommend } from './recommend.ts'

type ReadOperation = 'pick.filter' | 'pick.compare' | 'pick.recommend' | 'pick.prepurchase_review'

export interface PickOptions {
  readonly mode: Mode
  readonly snapshots: SnapshotReader
  readonly reportFault: ReportFault
}

/** The pick operations that only read items a search showed to the project; nothing leaves the process. */
export function createPick(options: PickOptions): { readonly [O in ReadOperation]: BusinessOperation<O> } {
  const { mode } = options
  const refs = ({ itemRefs }: { itemRefs: ItemRef[] }) => itemRefs
  return {
    'pick.filter': readOperation<'pick.filter'>(options, refs, (items, { criteria = {} }) => ({
      items: items.filter(({ priceCents }) => priceCents <= (criteria.maxPriceCents ?? Number.MAX_SAFE_INTEGER)),
      criteria,
      mode,
    })),
    'pick.compare': readOperation<'pick.compare'>(options, refs, (items) => ({
      items,
      dimensions: [...compareDimensions],
      mode,
    })),
    'pick.recommend': readOperation<'pick.recommend'>(options, refs, (items, { preferences }) => {
      const priority = preferences?.priority ?? 'balanced'
      return { items: recommend(items, priority), preferences: { priority }, method: recommendMethod, mode }
    }),
    'pick.prepurchase_review': readOperation<'pick.prepurchase_review'>(
      options,
      ({ itemRef }) => [itemRef],
      ([item], { requirements = [] }) => ({ ...prepurchaseReview(item!, requirements), mode }),
    ),
  }
}

function readOperation<O extends ReadOperation>(
  { mode, snapshots, reportFault }: PickOptions,
  refsOf: (request: RequestOf<O>) => readonly ItemRef[],
  compute: (items: Item[], request: RequestOf<O>) => DataOf<O>,
): BusinessOperation<O> {
  return {
    leavesProcess: () => false,
    perform: neverThrow<O>(async (request, { projectId }) => {
      const items = await readSnapshots(refsOf(request), { projectId, snapshots, mode })
      return items.kind === 'confirmed' ? confirmed({ data: compute(items.value, request), usage: {} as never }) : items
    }, reportFault),
  }
}
