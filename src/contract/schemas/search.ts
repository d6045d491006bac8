import { type TObjectOptions, Type } from 'typebox'
import { answers, Choice, named, request } from '../field.ts'
import type { ProviderNames } from './business.ts'
import { Item, itemsLimit, Mode } from './products.ts'

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
        query: Type.String({ minLength: 1, pattern: '\\S', ...answers('INVALID_QUERY') }),
        provider: Type.Optional(Choice(shops, answers('PROVIDER_NOT_ALLOWED'))),
        providers: Type.Optional(
          Type.Array(Choice(shops), {
            minItems: 1,
            maxItems: shops.length,
            uniqueItems: true,
            ...answers('PROVIDER_NOT_ALLOWED'),
            description: 'All shops by default. Not together with provider.',
          }),
        ),
        filters: Type.Optional(PriceCriteria(answers('INVALID_FILTERS'))),
        sort: Type.Optional(
          Choice(['price_asc', 'relevance'], { ...answers('INVALID_SORT'), description: 'relevance by default.' }),
        ),
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: itemsLimit, ...answers('INVALID_LIMIT'), description: '3 by default.' }),
        ),
      },
      {
        dependentSchemas: { provider: { properties: { providers: { not: {}, ...answers('PROVIDER_NOT_ALLOWED') } } } },
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
