import { type Static, type TObjectOptions, Type } from '../../base/schema.ts'
import type { ProviderNames } from '../choices.ts'
import { Choice, failsWith, named, request } from '../field.ts'

export const highlightsLimit = 3
export const itemsLimit = 3
const modes = ['local-mock', 'pick-http'] as const

/** The shop of an item and its id there. */
export const ItemRef = (shops: readonly string[], options: TObjectOptions = {}) =>
  named(
    'ItemRef',
    {
      provider: Choice(shops),
      productId: Type.String({
        minLength: 1,
        maxLength: 500,
        pattern: '\\S',
        description: 'Case-sensitive. Leading and trailing white space is removed.',
      }),
    },
    options,
  )

export const Item = (shops: readonly string[]) =>
  named('Item', {
    itemRef: ItemRef(shops),
    title: Type.String({ minLength: 1, maxLength: 500 }),
    priceCents: Type.Integer({ minimum: 0 }),
    currency: Type.Literal('CNY'),
    availability: Choice(['available', 'unavailable', 'unknown'], {
      description: 'unknown: check again before you buy.',
    }),
    highlights: Type.Array(Type.String(), { maxItems: highlightsLimit }),
    reason: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Why the item matches the query.',
    }),
    testOnly: Type.Boolean({ description: 'True if it comes from a local fixture, not a real shop.' }),
  })

export const Mode = () => Choice(modes, { description: 'Whether the result is a local fixture.' })

export type ItemRef = Static<ReturnType<typeof ItemRef>>
export type Item = Static<ReturnType<typeof Item>>
export type Mode = (typeof modes)[number]

export const PriceCriteria = (options: TObjectOptions = {}) =>
  named(
    'PriceCriteria',
    { maxPriceCents: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })) },
    options,
  )

export function search({ shops }: ProviderNames) {
  return {
    request: request(
      'SearchRequest',
      {
        query: Type.String({ minLength: 1, pattern: '\\S', ...failsWith('INVALID_QUERY') }),
        provider: Type.Optional(Choice(shops, failsWith('PROVIDER_NOT_ALLOWED'))),
        providers: Type.Optional(
          Type.Array(Choice(shops), {
            minItems: 1,
            maxItems: shops.length,
            uniqueItems: true,
            ...failsWith('PROVIDER_NOT_ALLOWED'),
            description: 'Defaults to all shops. Cannot be combined with provider.',
          }),
        ),
        filters: Type.Optional(PriceCriteria(failsWith('INVALID_FILTERS'))),
        sort: Type.Optional(
          Choice(['price_asc', 'relevance'], { ...failsWith('INVALID_SORT'), description: 'Defaults to relevance.' }),
        ),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: itemsLimit,
            ...failsWith('INVALID_LIMIT'),
            description: 'Defaults to 3.',
          }),
        ),
      },
      {
        dependentSchemas: {
          provider: { properties: { providers: { not: {}, ...failsWith('PROVIDER_NOT_ALLOWED') } } },
        },
      },
    ),
    data: named('SearchData', {
      query: Type.String({ minLength: 1 }),
      items: Type.Array(Item(shops), { maxItems: itemsLimit }),
      mode: Mode(),
    }),
    usage: named('SearchUsage', {
      providerCalls: Type.Integer({
        minimum: 0,
        maximum: shops.length,
        description: '0 if the result came from the cache.',
      }),
      resultCount: Type.Integer({ minimum: 0, maximum: itemsLimit }),
    }),
  }
}
