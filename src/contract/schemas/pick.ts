import { Type } from '../../base/schema.ts'
import type { ProviderNames } from '../choices.ts'
import { Choice, closed, failsWith, named, request } from '../field.ts'
import { Item, ItemRef, itemsLimit, Mode, PriceCriteria } from './products.ts'

export const recommendMethod = 'deterministic-local-rule'
export const compareDimensions = ['priceCents', 'availability', 'highlights'] as const

const NoUsage = () => named('NoUsage', {}, { description: 'This operation has no metered usage.' })

const itemRefs = (shops: readonly string[], minItems: number) =>
  Type.Array(ItemRef(shops, failsWith('INVALID_ITEM_REF')), {
    minItems,
    maxItems: itemsLimit,
    uniqueItemRefs: true,
    ...failsWith('INVALID_ITEM_REFS'),
    description:
      'Distinct items that a search returned to this project; white space around a productId makes no difference.',
  })

export function filter({ shops }: ProviderNames) {
  return {
    request: request('FilterRequest', {
      itemRefs: itemRefs(shops, 1),
      criteria: Type.Optional(PriceCriteria(failsWith('INVALID_FILTERS'))),
    }),
    data: named('FilterData', {
      items: Type.Array(Item(shops), { maxItems: itemsLimit }),
      criteria: PriceCriteria(),
      mode: Mode(),
    }),
    usage: NoUsage(),
  }
}

export function compare({ shops }: ProviderNames) {
  return {
    request: request('CompareRequest', { itemRefs: itemRefs(shops, 2) }),
    data: named('CompareData', {
      items: Type.Array(Item(shops), { minItems: 2, maxItems: itemsLimit }),
      dimensions: Type.Array(Choice(compareDimensions)),
      mode: Mode(),
    }),
    usage: NoUsage(),
  }
}

const Priority = () => Choice(['price', 'balanced'], { description: 'Defaults to balanced.' })

export function recommend({ shops }: ProviderNames) {
  return {
    request: request('RecommendRequest', {
      itemRefs: itemRefs(shops, 1),
      preferences: Type.Optional(closed({ priority: Type.Optional(Priority()) }, failsWith('INVALID_PREFERENCES'))),
    }),
    data: named('RecommendData', {
      items: Type.Array(Item(shops), { maxItems: itemsLimit, description: 'Best first, by a fixed rule.' }),
      preferences: closed({ priority: Priority() }),
      method: Type.Literal(recommendMethod),
      mode: Mode(),
    }),
    usage: NoUsage(),
  }
}

export function prepurchaseReview({ shops }: ProviderNames) {
  const Check = named('PrepurchaseCheck', {
    code: Type.String({ minLength: 1 }),
    status: Choice(['known', 'unknown']),
    message: Type.String({ minLength: 1 }),
  })
  return {
    request: request('PrepurchaseReviewRequest', {
      itemRef: ItemRef(shops, failsWith('INVALID_ITEM_REF')),
      requirements: Type.Optional(
        Type.Array(Type.String({ maxLength: 500 }), { maxItems: 5, ...failsWith('INVALID_REQUIREMENTS') }),
      ),
    }),
    data: named('PrepurchaseReviewData', {
      itemRef: ItemRef(shops),
      summary: Type.String({ minLength: 1 }),
      checks: Type.Array(Check),
      limitations: Type.Array(Type.String()),
      mode: Mode(),
    }),
    usage: NoUsage(),
  }
}

export function links({ shops }: ProviderNames) {
  const ProductLink = named('ProductLink', {
    itemRef: ItemRef(shops),
    productUrl: Type.String({ format: 'uri', pattern: '^https://', maxLength: 2048 }),
  })
  return {
    request: request('LinksRequest', { itemRefs: itemRefs(shops, 1) }),
    data: named('LinksData', {
      items: Type.Array(ProductLink, { minItems: 1, maxItems: itemsLimit }),
      disclosure: Type.String({ minLength: 1, description: 'Promotion disclosure. Show it with the links.' }),
      mode: Mode(),
    }),
    usage: NoUsage(),
  }
}
