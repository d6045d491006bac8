import { type Static, type TObjectOptions, Type } from 'typebox'
import { Choice, named } from '../field.ts'

export const highlightsLimit = 3
export const itemsLimit = 3
export const modes = ['local-mock', 'pick-http'] as const

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
        description: 'Case-sensitive; white space at the edges is stripped.',
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
    testOnly: Type.Boolean({ description: 'True: from a local fixture, not a real shop.' }),
  })

export const Mode = () => Choice(modes, { description: 'Whether the result is a local fixture.' })

export type ItemRef = Static<ReturnType<typeof ItemRef>>
export type Item = Static<ReturnType<typeof Item>>
export type Mode = (typeof modes)[number]
