import { type Static, type TSchema, Type } from 'typebox'
import { failsWith, named, request } from '../field.ts'
import { compare, filter, prepurchaseReview, recommend } from './pick.ts'
import type { ProviderNames } from './provider-names.ts'
import { search } from './search.ts'

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

export function agent(names: ProviderNames) {
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
