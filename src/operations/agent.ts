import { type AgentArguments, type AgentOperation, agentTool } from '../contract/schemas/agent.ts'
import type { RequestOf } from '../contract/schemas/business.ts'
import { confirmed, type Outcome } from '../providers/outcome.ts'
import type { BusinessOperation, BusinessOperations, CallContext, OperationResult } from './operation.ts'

type Tools = { readonly [O in AgentOperation as `pick.${O}`]: BusinessOperations[`pick.${O}`] }

/** agent.run: runs one pick operation at the agent's own price; the wrapped operation is not charged. */
export function createAgent(tools: Tools): BusinessOperation<'agent.run'> {
  return {
    leavesProcess: ({ arguments: { operation, payload } }) => toolOf(tools, operation).leavesProcess(payload),
    async perform({ arguments: { operation, payload } }, context) {
      const outcome = await toolOf(tools, operation).perform(payload, context)
      if (outcome.kind !== 'confirmed') return outcome
      const { data, snapshots } = outcome.value
      return confirmed({
        data: { tool: agentTool, result: { operation, result: data } },
        usage: { toolCalls: 1 },
        ...(snapshots && { snapshots }),
      })
    },
  }
}

interface Tool {
  leavesProcess(payload: AgentArguments['payload']): boolean
  perform(payload: AgentArguments['payload'], context: CallContext): Promise<Outcome<OperationResult>>
}

/** Safe: the request was validated, so the payload fits the operation. The compiler cannot follow that through the union. */
function toolOf(tools: Tools, operation: RequestOf<'agent.run'>['arguments']['operation']): Tool {
  return tools[`pick.${operation}`] as unknown as Tool
}
