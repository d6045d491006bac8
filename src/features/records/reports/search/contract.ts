import { type Static, Type } from '../../../../base/schema.ts'
import { Choice, DateTime, Nullable, named } from '../../../../contract/field.ts'
import { response } from '../../../../contract/operation.ts'
import { view } from '../../../../contract/operations/access.ts'

export const maxFound = 20

export const FoundThing = named('FoundThing', {
  kind: Choice(['charge', 'request', 'order', 'payment', 'key', 'job', 'event']),
  id: Type.String({ minLength: 1 }),
  name: Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
    description:
      'What it is called: the operation of a call, the order of a payment, the name of a key, the type of an event.',
  }),
  chargeId: Type.Union([Type.String({ minLength: 1 }), Type.Null()], { description: 'The charge of a call or a job.' }),
  at: Nullable(DateTime('When it was created.')),
})

export const SearchResults = named('SearchResults', {
  items: Type.Array(FoundThing, { maxItems: maxFound }),
})

export type FoundThing = Static<typeof FoundThing>
export type SearchResults = Static<typeof SearchResults>

export const searchParameters = {
  q: Type.String({
    minLength: 2,
    maxLength: 64,
    description:
      'An ID (chg_, req_, ord_, pay_, key_, job_ or evt_) or its beginning, or part of the name or prefix of a key. A phone number, an email or a whole key is refused.',
  }),
}

export interface SearchParameters {
  readonly q?: string
}

export const searchOperations = [
  view({
    id: 'console.search',
    tag: 'Resources',
    path: '/v1/console/search',
    summary: 'Find a call, order, payment, key, job or event',
    description: `By an ID or its beginning, or keys by part of their name; at most ${maxFound}. Calls are looked for around the time that the ID names, a request id then among the newest ones, each in a bounded part of the ledger; other beginnings among the newest 1,000.`,
    queryParameters: searchParameters,
    response: response(200, 'What was found.', SearchResults),
  }),
]
