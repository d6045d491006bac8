import { type BillableOperation, yuanOfFen } from '../../contract/prices.ts'
import type { DataOf } from '../../contract/schemas/business.ts'
import { compareDimensions, recommendMethod } from '../../contract/schemas/pick.ts'
import type { Item, ItemRef, Mode } from '../../contract/schemas/products.ts'
import { confirmed, type FailedOutcome, failureOf, type Outcome } from '../../providers/outcome.ts'
import type { ShopCall, ShopLinks, ShopProvider } from '../../providers/shopping/shop-provider.ts'
import {
  allEnded,
  type BusinessOperation,
  noteSent,
  operationBy,
  type RelayedRequest,
  type SnapshotReader,
} from './operation.ts'
import { combineFailures, isInService, type Shops } from './search.ts'

type ItemReview = Omit<DataOf<'pick.prepurchase_review'>, 'mode'>
type Check = ItemReview['checks'][number]

/** Lists what the last search says about an item, and marks everything else as unknown; see docs/pick-rules.md. */
function prepurchaseReview(item: Item, requirements: readonly string[]): ItemReview {
  const checks = [
    known('price', `上次搜索时的价格：${yuanOfFen(item.priceCents)} 元`),
    availabilityCheck(item),
    ...requirements.map((requirement, i) => requirementCheck(item, requirement, `requirement_${i + 1}`)),
    unknown('seller', '无法从搜索结果确认：商家资质'),
    unknown('shipping', '无法从搜索结果确认：运费和送达时间'),
    unknown('after_sales', '无法从搜索结果确认：退换货和保修'),
  ]
  const knownCount = checks.filter(({ status }) => status === 'known').length
  return {
    itemRef: item.itemRef,
    summary: `共 ${checks.length} 项：${knownCount} 项来自最近一次搜索，${checks.length - knownCount} 项需要在购买前核实。`,
    checks,
    limitations: [
      '价格和库存可能在搜索后发生变化。',
      '仅核对标题和卖点中的文字，不代表商品实际具备。',
      ...(item.testOnly ? ['这是本地测试数据，不是真实平台的商品。'] : []),
    ],
  }
}

const known = (code: string, message: string): Check => ({ code, status: 'known', message })
const unknown = (code: string, message: string): Check => ({ code, status: 'unknown', message })

function availabilityCheck({ availability }: Item): Check {
  switch (availability) {
    case 'available':
      return known('availability', '上次搜索时有货')
    case 'unavailable':
      return known('availability', '上次搜索时无货')
    case 'unknown':
      return unknown('availability', '无法从搜索结果确认：是否有货')
  }
}

const maxQuotedChars = 100

/** Known only if the seller used these very words: a looser match would claim too much. */
function requirementCheck({ title, highlights }: Item, requirement: string, code: string): Check {
  const wanted = normalize(requirement)
  if (wanted === '') return unknown(code, '该要求为空，无法核对')
  const quoted = quote(requirement)
  const source = normalize(title).includes(wanted)
    ? '标题'
    : highlights.some((text) => normalize(text).includes(wanted)) && '卖点'
  return source ? known(code, `${source}写明：${quoted}`) : unknown(code, `无法从搜索结果确认：${quoted}`)
}

const normalize = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/gu, '')

function quote(text: string): string {
  const chars = Array.from(text.toWellFormed().trim())
  return chars.length <= maxQuotedChars ? chars.join('') : `${chars.slice(0, maxQuotedChars).join('')}…`
}

/** The items as last shown to the project, in the requested order. Refuses unless all are found. */
async function readSnapshots(
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

type Priority = 'price' | 'balanced'

/** Sorts items best first, by the rules in docs/pick-rules.md. The result does not depend on the input order. */
export function recommend(items: readonly Item[], priority: Priority): Item[] {
  const cheapest = Math.min(...items.map(({ priceCents }) => priceCents))
  const byPriority =
    priority === 'price'
      ? (a: Item, b: Item) =>
          a.priceCents - b.priceCents || availabilityPoints[b.availability] - availabilityPoints[a.availability]
      : (a: Item, b: Item) => points(b, cheapest) - points(a, cheapest) || a.priceCents - b.priceCents
  return items.toSorted((a, b) => byPriority(a, b) || compareText(keyOf(a), keyOf(b)))
}

const availabilityPoints = { available: 50, unknown: 25, unavailable: 0 } as const
const pricePoints = 35
const highlightPoints = 5

/** Out of 100: availability (50), closeness to the cheapest price (35), highlights (5 each). */
function points({ availability, priceCents, highlights }: Item, cheapest: number): number {
  const price = priceCents === cheapest ? pricePoints : Math.floor(pricePoints * (cheapest / priceCents))
  return availabilityPoints[availability] + price + highlightPoints * highlights.length
}

const keyOf = ({ itemRef }: Item) => `${itemRef.provider} ${itemRef.productId}`
/** By code unit, so that the locale does not matter. */
const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

type ReadOperation = 'pick.filter' | 'pick.compare' | 'pick.recommend' | 'pick.prepurchase_review'

interface PickOptions {
  readonly mode: Mode
  readonly snapshots: SnapshotReader
}

/** The pick operations that only read items a search showed to the project; nothing leaves the process. */
export function createPick(options: PickOptions): { readonly [O in ReadOperation]: BusinessOperation<O> } {
  const { mode } = options
  return {
    'pick.filter': readOperation<'pick.filter'>(options, listedItems, (items, { criteria = {} }) => ({
      items: items.filter(({ priceCents }) => priceCents <= (criteria.maxPriceCents ?? Number.MAX_SAFE_INTEGER)),
      criteria,
      mode,
    })),
    'pick.compare': readOperation<'pick.compare'>(options, listedItems, (items) => ({
      items,
      dimensions: [...compareDimensions],
      mode,
    })),
    'pick.recommend': readOperation<'pick.recommend'>(options, listedItems, (items, { preferences }) => {
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

const listedItems = ({ itemRefs }: { itemRefs: ItemRef[] }) => itemRefs

function readOperation<O extends ReadOperation>(
  { mode, snapshots }: PickOptions,
  refsOf: (request: RelayedRequest<O>) => readonly ItemRef[],
  compute: (items: Item[], request: RelayedRequest<O>) => DataOf<O>,
): BusinessOperation<O> {
  return operationBy({
    leavesProcess: () => false,
    async perform(request, { projectId }) {
      const items = await readSnapshots(refsOf(request), { projectId, snapshots, mode })
      return items.kind === 'confirmed' ? confirmed({ data: compute(items.value, request), usage: {} as never }) : items
    },
  })
}

/** pick.links: a link for every item, or none at all. */
export function createLinks(shops: Shops, options: PickOptions): BusinessOperation<'pick.links'> {
  return askShops<'pick.links', ShopLinks>(shops, options, {
    refsOf: listedItems,
    ask: (shop, ...call) => shop.links(...call),
    dataOf: (items, responses) => ({
      items: items.map(({ itemRef }) => ({
        itemRef,
        productUrl: entryOf(itemRef, responses, ({ productUrls }) => productUrls),
      })),
      disclosure: [...new Set(responses.map(({ response }) => response.disclosure))].join('\n'),
      mode: shops.mode,
    }),
  })
}

/** What a shop says about its items, in the order of `refs`. */
interface ShopResponse<T> {
  readonly refs: readonly ItemRef[]
  readonly response: T
}

interface Asking<O extends BillableOperation, T> {
  readonly refsOf: (request: RelayedRequest<O>) => readonly ItemRef[]
  readonly ask: (shop: ShopProvider, productIds: readonly string[], ...call: ShopCall) => Promise<Outcome<T>>
  readonly dataOf: (items: readonly Item[], responses: readonly ShopResponse<T>[]) => DataOf<O>
}

/** Asks each shop once about its items, which a search returned. Succeeds only if all of them respond. */
function askShops<O extends BillableOperation, T>(
  { mode, providers }: Shops,
  { snapshots }: PickOptions,
  { refsOf, ask, dataOf }: Asking<O, T>,
): BusinessOperation<O> {
  return operationBy<O>({
    leavesProcess: (request) => refsOf(request).some(({ provider }) => providers.get(provider)?.leavesProcess),
    async perform(request, context) {
      const { projectId, requestId, onSending } = context
      const items = await readSnapshots(refsOf(request), { projectId, snapshots, mode })
      if (items.kind !== 'confirmed') return items
      const groups = [...Map.groupBy(items.value.map(refOf), ({ provider }) => provider)]
      // A disabled shop fails the whole call, so no other shop is asked.
      if (groups.some(([name]) => !isInService(providers.get(name)))) return failureOf('shop', 'disabled')
      const outcomes = await allEnded(
        groups.map(async ([name, refs]): Promise<Outcome<ShopResponse<T>>> => {
          const shop = providers.get(name)!
          const productIds = refs.map(({ productId }) => productId)
          const outcome = noteSent(context, shop, await ask(shop, productIds, projectId, requestId, onSending))
          return outcome.kind === 'confirmed' ? confirmed({ refs, response: outcome.value }) : outcome
        }),
      )
      const failures = outcomes.filter((outcome): outcome is FailedOutcome => outcome.kind !== 'confirmed')
      if (failures.length > 0) return failureOfAll(failures, outcomes)
      const responses = outcomes.flatMap((outcome) => (outcome.kind === 'confirmed' ? [outcome.value] : []))
      return confirmed({ data: dataOf(items.value, responses), usage: {} as never })
    },
  })
}

const refOf = ({ itemRef }: Item) => itemRef

/** The entry of an item in a list that its shop returned. */
function entryOf<T, E>(
  { provider, productId }: ItemRef,
  responses: readonly ShopResponse<T>[],
  listOf: (response: T) => readonly E[],
): E {
  return responses.flatMap(({ refs, response }) =>
    refs.flatMap((ref, i) => (ref.provider === provider && ref.productId === productId ? [listOf(response)[i]!] : [])),
  )[0]!
}

/** If any shop responded, something was sent, even if another one failed before sending. */
function failureOfAll(failures: readonly FailedOutcome[], outcomes: readonly Outcome<unknown>[]): FailedOutcome {
  const failure = combineFailures(failures)
  return outcomes.some(({ kind }) => kind === 'confirmed') ? { ...failure, sent: true } : failure
}
