import { type TSchema, Type } from 'typebox'
import { answers, named, request } from '../field.ts'
import type { AgentArguments, ProviderNames } from './business.ts'
import { compare, filter, prepurchaseReview, recommend } from './pick.ts'
import { search } from './search.ts'

export const agentTool = 'pick.assist'

export function agent(names: ProviderNames) {
  const tools = {
    search: search(names),
    filter: filter(names),
    compare: compare(names),
    recommend: recommend(names),
    prepurchase_review: prepurchaseReview(names),
  }
  const oneOf = (shape: (operation: string, tool: { request: TSchema; data: TSchema }) => TSchema) => ({
    type: 'object',
    required: ['operation'],
    discriminator: { propertyName: 'operation' },
    oneOf: Object.entries(tools).map(([operation, tool]) => shape(operation, tool)),
  })
  return {
    request: request('AgentRequest', {
      tool: Type.Literal(agentTool, answers('TOOL_NOT_ALLOWED')),
      arguments: Type.Unsafe<AgentArguments>({
        ...oneOf((operation, tool) =>
          named(`Agent${pascal(operation)}Arguments`, {
            operation: Type.Literal(operation, answers('TOOL_OPERATION_NOT_ALLOWED')),
            payload: tool.request,
          }),
        ),
        ...answers('INVALID_ARGUMENTS'),
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
