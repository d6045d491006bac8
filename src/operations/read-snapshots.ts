import type { Item, ItemRef, Mode } from '../contract/schemas/products.ts'
import { confirmed, type Outcome } from '../providers/outcome.ts'
import type { SnapshotReader } from './operation.ts'

/** The items as last shown to the project, in the requested order. Refuses unless all are found. */
export async function readSnapshots(
  refs: readonly ItemRef[],
  { projectId, snapshots, mode }: { projectId: string; snapshots: SnapshotReader; mode: Mode },
): Promise<Outcome<Item[]>> {
  const wanted = refs.map(strip)
  const found = wanted.every(isStorable) ? await snapshots.find(projectId, wanted) : []
  const items = wanted.flatMap((ref) => found.find((item) => isSame(item.itemRef, ref) && isOfMode(item, mode)) ?? [])
  return items.length === refs.length
    ? confirmed(items)
    : { kind: 'refused', code: 'PROVIDER_CAPABILITY_UNSUPPORTED', sent: false }
}

const strip = ({ provider, productId }: ItemRef): ItemRef => ({ provider, productId: productId.trim() })

/** No search returns an id with NUL or a lone surrogate, and not every store can be queried for one. */
const isStorable = ({ productId }: ItemRef) => productId.isWellFormed() && !productId.includes('\0')

const isSame = (a: ItemRef, b: ItemRef) => a.provider === b.provider && a.productId === b.productId

/** Items from before a change of mode are no longer served. */
const isOfMode = (item: Item, mode: Mode) => item.testOnly === (mode === 'local-mock')
