import { type AgentArguments, type AgentOperation, agentTool, type RequestOf } from '../../contract/schemas/business.ts'
import type { CompletionBody } from '../../providers/models/completion.ts'
import { type ModelNames, resolveModel } from '../../providers/models/model-names.ts'
import type { ModelProvider } from '../../providers/models/model-provider.ts'
import { confirmed, type Outcome } from '../../providers/outcome.ts'
import {
  type BusinessOperation,
  type BusinessOperations,
  type CallContext,
  type Conversation,
  noteSent,
  type OperationResult,
  type PreparedCall,
} from './operation.ts'

interface Models extends ModelNames {
  readonly providers: ReadonlyMap<string, ModelProvider>
}

/** model.chat: one prompt or one conversation, one completion. */
export function createChat(models: Models): BusinessOperation<'model.chat'> {
  return {
    prepare(request) {
      const asked = 'completion' in request ? ofConversation(models, request) : ofPrompt(models, request)
      const { provider, body } = asked
      return {
        refusal: asked.isUnknown ? unknownModel : (provider?.refuse(body) ?? null),
        model: { id: `${asked.providerName}/${asked.alias}`, name: asked.name },
        leavesProcess: provider?.leavesProcess ?? false,
        perform: (context) => complete(asked, context),
      }
    },
  }
}

const unknownModel = { code: 'MODEL_NOT_ALLOWED', param: 'model' } as const

/** The model that a request asks for, and what is sent to it. */
interface AskedModel {
  readonly provider: ModelProvider | undefined
  readonly providerName: string
  readonly alias: string
  readonly name: string
  readonly isUnknown: boolean
  readonly isPrompt: boolean
  readonly body: CompletionBody
}

function ofConversation(models: Models, { completion: { model, body } }: Conversation): AskedModel {
  const found = resolveModel(models, model)
  const { provider: providerName, alias, name } = found ?? { provider: '', alias: '', name: '' }
  const provider = models.providers.get(providerName)
  return { provider, providerName, alias, name, isUnknown: found === null, isPrompt: false, body }
}

function ofPrompt(models: Models, request: RequestOf<'model.chat'>): AskedModel {
  const { provider: providerName = models.default, model, prompt } = request
  const provider = models.providers.get(providerName)!
  const alias = model ?? provider.models?.[0] ?? ''
  // A disabled provider has no models to check against; `complete` reports that it is disabled.
  const isUnknown = model !== undefined && provider.models?.includes(model) === false
  const body = { messages: [{ role: 'user', content: prompt }] }
  return { provider, providerName, alias, name: alias, isUnknown, isPrompt: true, body }
}

async function complete(
  { provider, providerName, alias, name, isPrompt, body }: AskedModel,
  context: CallContext,
): Promise<Outcome<OperationResult<'model.chat'>>> {
  const { projectId, requestId, onSending, sink } = context
  const question = { model: alias, body, projectId, requestId, onSending, sink, needsContent: isPrompt }
  const outcome = noteSent(context, provider!, await provider!.complete(question))
  if (outcome.kind !== 'confirmed') return outcome
  const { content, inputUnits, outputUnits, totalUnits } = outcome.value
  return confirmed({
    data: { provider: providerName, model: alias, output: content ?? '' },
    usage: { inputUnits, outputUnits, totalUnits },
    ...(!isPrompt && { completion: { model: name, response: outcome.value } }),
  })
}

type Tools = { readonly [O in AgentOperation as `pick.${O}`]: BusinessOperations[`pick.${O}`] }

/** agent.run: runs one pick operation at the agent's own price; the wrapped operation is not charged. */
export function createAgent(tools: Tools): BusinessOperation<'agent.run'> {
  return {
    prepare({ arguments: { operation, payload } }) {
      const { leavesProcess, perform } = toolOf(tools, operation).prepare(payload)
      return {
        leavesProcess,
        async perform(context) {
          const outcome = await perform(context)
          if (outcome.kind !== 'confirmed') return outcome
          const { data, snapshots } = outcome.value
          return confirmed({
            data: { tool: agentTool, result: { operation, result: data as never } },
            usage: { toolCalls: 1 },
            ...(snapshots && { snapshots }),
          })
        },
      }
    },
  }
}

interface Tool {
  prepare(payload: AgentArguments['payload']): PreparedCall
}

/** Safe: the request was validated, so the payload fits the operation. The compiler cannot follow that through the union. */
function toolOf(tools: Tools, operation: RequestOf<'agent.run'>['arguments']['operation']): Tool {
  return tools[`pick.${operation}`] as unknown as Tool
}
