import { endpoint, ok, operationsById } from '../../../http/endpoint.ts'
import type { Call, Route } from '../../../http/route.ts'
import { createStaticContent } from '../../../http/static/static-content.ts'
import { type ModelNames, modelNames, type NamedModel, resolveModel } from '../../../providers/models/model-names.ts'
import type { Relay } from '../../../relay/relay.ts'
import type { Authenticate } from '../../identity/keys/authenticate.ts'
import { authenticateCall } from '../native/routes.ts'
import type { createCompletions } from './completions.ts'
import { completionId, completionOperations } from './contract.ts'
import { errorResponse, finishResponse } from './errors.ts'

interface ModelFacts {
  readonly maxOutputTokens: number
  readonly maxPromptChars: number
}

export interface CompletionRouteDeps {
  readonly authenticate: Authenticate
  readonly relay: Pick<Relay, 'use'>
  readonly completions: Pick<ReturnType<typeof createCompletions>, 'respond'>
  readonly models: ModelNames
  /** Of an enabled provider. */
  readonly factsOf: (provider: string) => ModelFacts
  /** When the models were configured, in seconds. */
  readonly configuredAt: number
  readonly document: () => object
  readonly bodyLimitBytes: number
}

/** Clients of the protocol that try another part of it learn what there is. */
const notOffered: Route = {
  operationId: 'unmatched',
  method: 'POST',
  path: '/v1/*',
  isFallback: true,
  handle: () =>
    errorResponse({
      code: 'NOT_FOUND',
      message: 'Not offered here. OpenAI clients can use /v1/chat/completions and /v1/models.',
    }),
  finish: finishResponse,
}

const inProtocolTerms = (route: Route): Route => ({ ...route, finish: finishResponse })

function shownModel(
  { provider, name }: NamedModel,
  { factsOf, configuredAt }: Pick<CompletionRouteDeps, 'factsOf' | 'configuredAt'>,
) {
  const { maxOutputTokens, maxPromptChars } = factsOf(provider)
  return {
    id: name,
    object: 'model',
    created: configuredAt,
    owned_by: provider,
    max_output_tokens: maxOutputTokens,
    max_prompt_chars: maxPromptChars,
  }
}

export function completionRoutes(deps: CompletionRouteDeps): Route[] {
  const { models } = deps
  const operation = operationsById(completionOperations)
  const document = createStaticContent({
    body: () => JSON.stringify(deps.document()),
    contentType: 'application/json; charset=utf-8',
  })

  /** Any active key may look; it costs nothing, but counts. */
  async function reader(call: Call): Promise<void> {
    const principal = await authenticateCall(deps.authenticate, call, {})
    await deps.relay.use({ principal, address: call.requester.address })
  }

  const shown = (model: NamedModel) => shownModel(model, deps)
  return [
    {
      ...inProtocolTerms(endpoint(operation(completionId), deps.completions.respond)),
      bodyLimitBytes: deps.bodyLimitBytes,
    },
    inProtocolTerms(
      endpoint(operation('openai.models.list'), async (call) => {
        await reader(call)
        return ok({ object: 'list', data: modelNames(models).map(shown) })
      }),
    ),
    {
      ...inProtocolTerms(
        endpoint(operation('openai.models.read'), async (call) => {
          await reader(call)
          const found = resolveModel(models, call.params['*'] ?? '')
          return found ? ok(shown(found)) : errorResponse({ code: 'MODEL_NOT_ALLOWED', param: 'model' })
        }),
      ),
      path: '/v1/models/*',
      takesEscapedSlash: true,
      // The path of the native operation, which has no GET.
      except: resolveModel(models, 'chat') ? [] : ['chat'],
    },
    notOffered,
    endpoint(operation('openai.openapi'), document.respond),
  ]
}
