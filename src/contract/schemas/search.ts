import { type TObjectOptions, Type } from 'typebox'
import { Choice, failsWith, named, request } from '../field.ts'
import { Item, itemsLimit, Mode } from './products.ts'
import type { ProviderNames } from './provider-names.ts'

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
            description: 'All shops by default. Cannot be combined with provider.',
          }),
        ),
        filters: Type.Optional(PriceCriteria(failsWith('INVALID_FILTERS'))),
        sort: Type.Optional(
          Choice(['price_asc', 'relevance'], { ...failsWith('INVALID_SORT'), description: 'relevance by default.' }),
        ),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: itemsLimit,
            ...failsWith('INVALID_LIMIT'),
            description: '3 by default.',
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
        description: '0 when answered from the cache.',
      }),
      resultCount: Type.Integer({ minimum: 0, maximum: itemsLimit }),
    }),
  }
}
