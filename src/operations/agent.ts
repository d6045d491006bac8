import { type AgentArguments, type AgentOperation, agentTool, type RequestOf } from '../contract/schemas/business.ts'
import { confirmed, type Outcome } from '../providers/outcome.ts'
import type { BusinessOperation, BusinessOperations, CallContext, OperationResult } from './operation.ts'

type Tools = { readonly [O in AgentOperation as `pick.${O}`]: BusinessOperations[`pick.${O}`] }

/** agent.run: one pick operation under the agent's own price. The wrapped operation itself is not charged. */
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

/** The contract's discriminator has matched operation and payload; the compiler cannot follow it through the union. */
function toolOf(tools: Tools, operation: RequestOf<'agent.run'>['arguments']['operation']): Tool {
  return tools[`pick.${operation}`] as unknown as Tool
}
