import { type Static, type TSchema, Type } from '../../base/schema.ts'
import type { ProviderNames } from '../choices.ts'
import { Choice, closed, failsWith, named, request } from '../field.ts'
import { type BillableOperation, prices } from '../prices.ts'
import { compare, filter, links, prepurchaseReview, recommend } from './pick.ts'
import { search } from './products.ts'

export const agentTool = 'pick.assist'

const toolSchemas = (names: ProviderNames) => ({
  search: search(names),
  filter: filter(names),
  compare: compare(names),
  recommend: recommend(names),
  prepurchase_review: prepurchaseReview(names),
})

type ToolSchemas = ReturnType<typeof toolSchemas>
export type AgentOperation = keyof ToolSchemas
export type AgentArguments = {
  [O in AgentOperation]: { operation: O; payload: Static<ToolSchemas[O]['request']> }
}[AgentOperation]

function agent(names: ProviderNames) {
  const tools = toolSchemas(names)
  const oneOf = (shape: (operation: string, tool: { request: TSchema; data: TSchema }) => TSchema) => ({
    type: 'object',
    required: ['operation'],
    discriminator: { propertyName: 'operation' },
    oneOf: Object.entries(tools).map(([operation, tool]) => shape(operation, tool)),
  })
  return {
    request: request('AgentRequest', {
      tool: Type.Literal(agentTool, failsWith('TOOL_NOT_ALLOWED')),
      arguments: Type.Unsafe<AgentArguments>({
        ...oneOf((operation, tool) =>
          named(`Agent${pascal(operation)}Arguments`, {
            operation: Type.Literal(operation, failsWith('TOOL_OPERATION_NOT_ALLOWED')),
            payload: tool.request,
          }),
        ),
        ...failsWith('INVALID_ARGUMENTS'),
      }),
    }),
    data: named('AgentData', {
      tool: Type.Literal(agentTool),
      result: Type.Unsafe<{ operation: string; result: object }>(
        oneOf((operation, tool) =>
          named(`Agent${pascal(operation)}Result`, { operation: Type.Literal(operation), result: tool.data }),
        ),
      ),
    }),
    usage: named('AgentUsage', { toolCalls: Type.Literal(1) }),
  }
}

const pascal = (operation: string) =>
  operation
    .split('_')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('')

const Units = () => Type.Integer({ minimum: 0 })

function chat({ models }: ProviderNames) {
  return {
    request: request('ChatRequest', {
      prompt: Type.String({ pattern: '\\S', ...failsWith('INVALID_PROMPT') }),
      provider: Type.Optional(Choice(models, failsWith('PROVIDER_NOT_ALLOWED'))),
      model: Type.Optional(
        Type.String({
          pattern: '\\S',
          ...failsWith('INVALID_MODEL'),
          description: 'A model name of the provider. Defaults to its first model.',
        }),
      ),
    }),
    data: named('ChatData', {
      provider: Choice(models),
      model: Type.String({ minLength: 1 }),
      output: Type.String(),
    }),
    usage: named(
      'ChatUsage',
      { inputUnits: Units(), outputUnits: Units(), totalUnits: Units() },
      { description: 'Usage units, not money.' },
    ),
  }
}

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
