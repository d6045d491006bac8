import { type Static, type TSchema, Type } from 'typebox'
import { closed } from '../field.ts'
import { type BillableOperation, prices } from '../prices.ts'
import { agent } from './agent.ts'
import { chat } from './chat.ts'
import { compare, filter, links, prepurchaseReview, recommend } from './pick.ts'
import type { ProviderNames } from './provider-names.ts'
import { search } from './search.ts'

/** Schemas of the nine billable operations, for the configured providers. */
export function businessSchemas(names: ProviderNames) {
  return {
    'agent.run': agent(names),
    'model.chat': chat(names),
    'shopping.search': search(names),
    'pick.compare': compare(names),
    'pick.filter': filter(names),
    'pick.links': links(names),
    'pick.prepurchase_review': prepurchaseReview(names),
    'pick.recommend': recommend(names),
    'pick.search': search(names),
  } as const satisfies Record<BillableOperation, { request: TSchema; data: TSchema; usage: TSchema }>
}

/** The response of a settled call. */
export function Settled(operation: BillableOperation, { data, usage }: { data: TSchema; usage: TSchema }) {
  return closed({
    status: Type.Literal('settled'),
    operation: Type.Literal(operation),
    chargedCredits: Type.Literal(prices[operation].credits),
    data,
    usage,
  })
}

type Schemas = ReturnType<typeof businessSchemas>
export type RequestOf<O extends BillableOperation> = Static<Schemas[O]['request']>
export type DataOf<O extends BillableOperation> = Static<Schemas[O]['data']>
export type UsageOf<O extends BillableOperation> = Static<Schemas[O]['usage']>
