import { type Static, type TSchema, Type } from 'typebox'
import { answers, closed, request } from '../field.ts'
import { type BillableOperation, prices } from '../prices.ts'
import { Item, ItemRef, itemsLimit, Mode } from './products.ts'

/** The configured identifiers: always three model providers and three shops. */
export interface ProviderNames {
  readonly models: readonly string[]
  readonly shops: readonly string[]
}

export const recommendMethod = 'deterministic-local-rule'
export const agentTool = 'pick.assist'
export const compareDimensions = ['priceCents', 'availability', 'highlights'] as const

const Units = () => Type.Integer({ minimum: 0 })
const Nothing = () => closed({}, { description: 'This operation meters nothing.' })

function chat({ models }: ProviderNames) {
  return {
    request: request({
      prompt: Type.String({ pattern: '\\S', ...answers('INVALID_PROMPT') }),
      provider: Type.Optional(Type.Enum([...models], answers('PROVIDER_NOT_ALLOWED'))),
      model: Type.Optional(
        Type.String({
          pattern: '\\S',
          ...answers('INVALID_MODEL'),
          description: 'An alias of the provider; its first by default.',
        }),
      ),
    }),
    data: closed({ provider: Type.Enum([...models]), model: Type.String({ minLength: 1 }), output: Type.String() }),
    usage: closed(
      { inputUnits: Units(), outputUnits: Units(), totalUnits: Units() },
      { description: 'Units are not money.' },
    ),
  }
}

const MaxPrice = () =>
  closed({ maxPriceCents: Type.Optional(Type.Integer({ minimum: 0 })) }, answers('INVALID_FILTERS'))

function search({ shops }: ProviderNames) {
  return {
    request: request(
      {
        query: Type.String({ minLength: 1, pattern: '\\S', ...answers('INVALID_QUERY') }),
        provider: Type.Optional(Type.Enum([...shops], answers('PROVIDER_NOT_ALLOWED'))),
        providers: Type.Optional(
          Type.Array(Type.Enum([...shops]), {
            minItems: 1,
            maxItems: shops.length,
            uniqueItems: true,
            ...answers('PROVIDER_NOT_ALLOWED'),
            description: 'All shops by default. Not together with provider.',
          }),
        ),
        filters: Type.Optional(MaxPrice()),
        sort: Type.Optional(
          Type.Enum(['price_asc', 'relevance'], { ...answers('INVALID_SORT'), description: 'relevance by default.' }),
        ),
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: itemsLimit, ...answers('INVALID_LIMIT'), description: '3 by default.' }),
        ),
      },
      {
        dependentSchemas: { provider: { properties: { providers: { not: {}, ...answers('PROVIDER_NOT_ALLOWED') } } } },
      },
    ),
    data: closed({
      query: Type.String({ minLength: 1 }),
      items: Type.Array(Item(shops), { maxItems: itemsLimit }),
      mode: Mode(),
    }),
    usage: closed({
      providerCalls: Type.Integer({
        minimum: 0,
        maximum: shops.length,
        description: '0 when answered from the cache.',
      }),
      resultCount: Type.Integer({ minimum: 0, maximum: itemsLimit }),
    }),
  }
}

const itemRefs = (shops: readonly string[], minItems: number) =>
  Type.Array(ItemRef(shops, answers('INVALID_ITEM_REF')), {
    minItems,
    maxItems: itemsLimit,
    uniqueItemRefs: true,
    ...answers('INVALID_ITEM_REFS'),
    description: 'Distinct items that a search returned to this project.',
  })

function filter({ shops }: ProviderNames) {
  return {
    request: request({ itemRefs: itemRefs(shops, 1), criteria: Type.Optional(MaxPrice()) }),
    data: closed({
      items: Type.Array(Item(shops), { maxItems: itemsLimit }),
      criteria: closed({ maxPriceCents: Type.Optional(Type.Integer({ minimum: 0 })) }),
      mode: Mode(),
    }),
    usage: Nothing(),
  }
}

function compare({ shops }: ProviderNames) {
  return {
    request: request({ itemRefs: itemRefs(shops, 2) }),
    data: closed({
      items: Type.Array(Item(shops), { minItems: 2, maxItems: itemsLimit }),
      dimensions: Type.Array(Type.Enum([...compareDimensions])),
      mode: Mode(),
    }),
    usage: Nothing(),
  }
}

const Priority = () => Type.Enum(['price', 'balanced'], { description: 'balanced by default.' })

function recommend({ shops }: ProviderNames) {
  return {
    request: request({
      itemRefs: itemRefs(shops, 1),
      preferences: Type.Optional(closed({ priority: Type.Optional(Priority()) }, answers('INVALID_PREFERENCES'))),
    }),
    data: closed({
      items: Type.Array(Item(shops), { maxItems: itemsLimit, description: 'Best first, by a fixed rule.' }),
      preferences: closed({ priority: Priority() }),
      method: Type.Literal(recommendMethod),
      mode: Mode(),
    }),
    usage: Nothing(),
  }
}

function prepurchaseReview({ shops }: ProviderNames) {
  const Check = closed({
    code: Type.String({ minLength: 1 }),
    status: Type.Enum(['known', 'unknown']),
    message: Type.String({ minLength: 1 }),
  })
  return {
    request: request({
      itemRef: ItemRef(shops, answers('INVALID_ITEM_REF')),
      requirements: Type.Optional(Type.Array(Type.String(), { maxItems: 5, ...answers('INVALID_REQUIREMENTS') })),
    }),
    data: closed({
      itemRef: ItemRef(shops),
      summary: Type.String({ minLength: 1 }),
      checks: Type.Array(Check),
      limitations: Type.Array(Type.String()),
      mode: Mode(),
    }),
    usage: Nothing(),
  }
}

function links({ shops }: ProviderNames) {
  const productUrl = Type.String({ format: 'uri', pattern: '^https://', maxLength: 2048 })
  return {
    request: request({ itemRefs: itemRefs(shops, 1) }),
    data: closed({
      items: Type.Array(closed({ itemRef: ItemRef(shops), productUrl }), { minItems: 1, maxItems: itemsLimit }),
      disclosure: Type.String({ minLength: 1, description: 'Promotion disclosure; show it with the links.' }),
      mode: Mode(),
    }),
    usage: Nothing(),
  }
}

function agent(names: ProviderNames) {
  const tools = {
    search: search(names),
    filter: filter(names),
    compare: compare(names),
    recommend: recommend(names),
    prepurchase_review: prepurchaseReview(names),
  }
  const each = <T>(shape: (operation: string, tool: { request: TSchema; data: TSchema }) => T) =>
    Object.entries(tools).map(([operation, tool]) => shape(operation, tool))
  return {
    request: request({
      tool: Type.Literal(agentTool, answers('TOOL_NOT_ALLOWED')),
      arguments: Type.Unsafe<AgentArguments>({
        type: 'object',
        required: ['operation'],
        discriminator: { propertyName: 'operation' },
        oneOf: each((operation, tool) =>
          closed({ operation: Type.Literal(operation, answers('TOOL_OPERATION_NOT_ALLOWED')), payload: tool.request }),
        ),
        ...answers('INVALID_ARGUMENTS'),
      }),
    }),
    data: closed({
      tool: Type.Literal(agentTool),
      result: Type.Unsafe<{ operation: string; result: object }>({
        oneOf: each((operation, tool) => closed({ operation: Type.Literal(operation), result: tool.data })),
      }),
    }),
    usage: closed({ toolCalls: Type.Literal(1) }),
  }
}

/** Request, data and usage of the nine billable operations, for the configured providers. */
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

/** The common envelope of a settled call. */
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

export type AgentOperation = 'search' | 'filter' | 'compare' | 'recommend' | 'prepurchase_review'
export type AgentArguments = {
  [O in AgentOperation]: { operation: O; payload: RequestOf<`pick.${O}`> }
}[AgentOperation]
