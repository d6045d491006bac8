import type { ErrorCode } from '../../contract/errors.ts'
import { type AgentArguments, type AgentOperation, agentTool, type RequestOf } from '../../contract/schemas/business.ts'
import { promptOf } from '../../providers/models/completion.ts'
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
} from './operation.ts'

interface Models extends ModelNames {
  readonly providers: ReadonlyMap<string, ModelProvider>
}

/** model.chat: one prompt or one conversation, one response. */
export function createChat(models: Models): BusinessOperation<'model.chat'> {
  const prompts = createPrompts(models)
  const conversations = createConversations(models)
  return {
    refuse: (request) => ('completion' in request ? conversations.refuse(request) : prompts.refuse(request)),
    modelOf: (request) => ('completion' in request ? conversations.modelOf(request) : prompts.modelOf(request)),
    leavesProcess: (request) =>
      'completion' in request ? conversations.leavesProcess(request) : prompts.leavesProcess(request),
    perform: (request, context) =>
      'completion' in request ? conversations.perform(request, context) : prompts.perform(request, context),
  }
}

interface ChatVariant<R> {
  readonly refuse: (request: R) => ErrorCode | null
  readonly modelOf: (request: R) => string
  readonly leavesProcess: (request: R) => boolean
  readonly perform: (request: R, context: CallContext) => Promise<Outcome<OperationResult<'model.chat'>>>
}

function createConversations(models: Models): ChatVariant<Conversation> {
  const choose = ({ completion: { model } }: Conversation) => {
    const found = resolveModel(models, model)
    return found && { ...found, provider: models.providers.get(found.provider)!, providerName: found.provider }
  }
  return {
    refuse(request) {
      const found = choose(request)
      if (!found) return 'MODEL_NOT_ALLOWED'
      return isLongerThan(promptOf(request.completion.body), found.provider.maxPromptChars) ? 'PROMPT_TOO_LARGE' : null
    },
    modelOf(request) {
      const { providerName, alias } = choose(request)!
      return `${providerName}/${alias}`
    },
    leavesProcess: (request) => choose(request)!.provider.leavesProcess,
    async perform(request, context) {
      const { projectId, requestId, onSending, sink } = context
      const { provider, providerName, alias, name } = choose(request)!
      const question = { model: alias, body: request.completion.body, projectId, requestId, onSending, sink }
      const outcome = noteSent(context, provider, await provider.complete(question))
      if (outcome.kind !== 'confirmed') return outcome
      const { content, inputUnits, outputUnits, totalUnits } = outcome.value
      return confirmed({
        data: { provider: providerName, model: alias, output: content ?? '' },
        usage: { inputUnits, outputUnits, totalUnits },
        completion: { model: name, response: outcome.value },
      })
    },
  }
}

function createPrompts(models: Models): ChatVariant<RequestOf<'model.chat'>> {
  const choose = ({ provider: name = models.default }: RequestOf<'model.chat'>) => ({
    name,
    provider: models.providers.get(name)!,
  })
  const aliasOf = (request: RequestOf<'model.chat'>) => request.model ?? choose(request).provider.models?.[0] ?? ''
  return {
    modelOf: (request) => `${choose(request).name}/${aliasOf(request)}`,
    refuse(request) {
      const { provider } = choose(request)
      // A disabled provider has no models to check against; `perform` reports that it is disabled.
      if (!provider.models) return null
      if (request.model !== undefined && !provider.models.includes(request.model)) return 'MODEL_NOT_ALLOWED'
      return isLongerThan(request.prompt, provider.maxPromptChars) ? 'PROMPT_TOO_LARGE' : null
    },
    leavesProcess: (request) => choose(request).provider.leavesProcess,
    async perform(request, context) {
      const { projectId, requestId, onSending } = context
      const { name, provider } = choose(request)
      const model = aliasOf(request)
      const question = { model, prompt: request.prompt, projectId, requestId, onSending }
      const outcome = noteSent(context, provider, await provider.ask(question))
      if (outcome.kind !== 'confirmed') return outcome
      const { output, ...usage } = outcome.value
      return confirmed({ data: { provider: name, model, output }, usage })
    },
  }
}

/** In code points. The length in code units is an upper bound, so most texts need no counting. */
function isLongerThan(text: string, maxChars: number): boolean {
  return text.length > maxChars && Array.from(text).length > maxChars
}

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
