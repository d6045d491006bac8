import { Type } from '../../../base/schema.ts'
import type { Config } from '../../../config/config.ts'
import { completionJsonDepth } from '../../../contract/chat-parameters.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import { named } from '../../../contract/field.ts'
import { documentResponse, type Operation, response } from '../../../contract/operation.ts'
import { errorsOf } from '../../../contract/operations/access.ts'
import { prices } from '../../../contract/prices.ts'
import { openapiDocument } from '../../../documents/openapi.ts'
import { endOfStream } from './chat-completion.ts'
import { completionErrors, errorShape, StreamError } from './errors.ts'
import { ChatCompletionRequest } from './request.ts'

export const completionId = 'openai.completions'

const Id = Type.String({ pattern: '^chatcmpl-[A-Za-z0-9]+$', description: 'Named after the charge.' })
const Created = Type.Integer({ minimum: 0, description: 'Seconds since 1970.' })
const ModelName = Type.String({ minLength: 1, description: 'As the request named it.' })
const FinishReason = Type.String({ minLength: 1, description: 'Such as stop, length or tool_calls.' })
const Count = () => Type.Integer({ minimum: 0 })

const TokenUsage = named('TokenUsage', {
  prompt_tokens: Count(),
  completion_tokens: Count(),
  total_tokens: Count(),
  prompt_tokens_details: Type.Optional(named('PromptTokensDetails', { cached_tokens: Count() })),
  completion_tokens_details: Type.Optional(named('CompletionTokensDetails', { reasoning_tokens: Count() })),
})

const reasoning = {
  reasoning_content: Type.Optional(Type.String({ description: 'As the provider sent it.' })),
  reasoning: Type.Optional(Type.String({ description: 'As the provider sent it.' })),
}
const SystemFingerprint = Type.Optional(Type.String({ description: 'As the provider reported it.' }))

const called = named('CalledFunction', { name: Type.String(), arguments: Type.String() })
const AnsweredToolCall = named('AnsweredToolCall', {
  id: Type.String(),
  type: Type.Literal('function'),
  function: called,
})

const ChatCompletion = named('ChatCompletion', {
  id: Id,
  object: Type.Literal('chat.completion'),
  created: Created,
  model: ModelName,
  choices: Type.Array(
    named('Choice', {
      index: Type.Literal(0),
      message: named('AnswerMessage', {
        role: Type.Literal('assistant'),
        content: Type.Union([Type.String(), Type.Null()]),
        refusal: Type.Union([Type.String(), Type.Null()]),
        ...reasoning,
        tool_calls: Type.Optional(Type.Array(AnsweredToolCall)),
      }),
      logprobs: Type.Null(),
      finish_reason: FinishReason,
    }),
    { minItems: 1, maxItems: 1 },
  ),
  usage: TokenUsage,
  system_fingerprint: SystemFingerprint,
})

export const ChatCompletionChunk = named('ChatCompletionChunk', {
  id: Id,
  object: Type.Literal('chat.completion.chunk'),
  created: Created,
  model: ModelName,
  choices: Type.Array(
    named('ChunkChoice', {
      index: Type.Literal(0),
      delta: Type.Object(
        {
          role: Type.Optional(Type.Literal('assistant')),
          content: Type.Optional(Type.Union([Type.String(), Type.Null()])),
          refusal: Type.Optional(Type.Union([Type.String(), Type.Null()])),
          ...reasoning,
          tool_calls: Type.Optional(Type.Array(Type.Object({}, { additionalProperties: true }))),
        },
        { additionalProperties: true, description: 'What is new.' },
      ),
      logprobs: Type.Null(),
      finish_reason: Type.Union([FinishReason, Type.Null()]),
    }),
    { maxItems: 1 },
  ),
  usage: Type.Optional(Type.Union([TokenUsage, Type.Null()])),
  system_fingerprint: SystemFingerprint,
})

const Model = named('Model', {
  id: Type.String({ minLength: 1, description: '`provider/alias`, or an alias that is unique.' }),
  object: Type.Literal('model'),
  created: Created,
  owned_by: Type.String({ minLength: 1, description: 'The provider.' }),
  max_output_tokens: Type.Integer({ minimum: 1, description: 'Longest output of one call.' }),
  max_prompt_chars: Type.Integer({ minimum: 1, description: 'Longest prompt, in characters.' }),
})

const ModelList = named('ModelList', { object: Type.Literal('list'), data: Type.Array(Model) })

const messages = [{ role: 'user', content: 'Name a mountain.' }]
const usage = { prompt_tokens: 4, completion_tokens: 3, total_tokens: 7 }
const shared = { id: 'chatcmpl-0VVm9aB4002dC6vTy2Kf', created: 1_789_000_000, model: 'local-small' }
const completionExample = {
  ...shared,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Mount Everest.', refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage,
}
const chunkExample = {
  ...shared,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: { role: 'assistant', content: 'Mount Everest.' }, logprobs: null, finish_reason: null }],
}
const modelExample = {
  id: 'model_provider_a/local-small',
  object: 'model',
  created: 1_789_000_000,
  owned_by: 'model_provider_a',
  max_output_tokens: 4096,
  max_prompt_chars: 8000,
}

const callErrors: ErrorCode[] = [
  'INVALID_PARAMETER',
  'UNSUPPORTED_PARAMETER',
  'MODEL_NOT_ALLOWED',
  'PROMPT_TOO_LARGE',
  'INSUFFICIENT_PAID_CREDITS',
  'IDEMPOTENCY_CONFLICT',
  'MANUAL_REVIEW',
  'ADAPTER_FAILURE',
  'PROVIDER_CONTRACT_INVALID',
  'PROVIDER_REQUEST_REJECTED',
  'PROVIDER_UNAVAILABLE',
  'PROVIDER_DISABLED',
  'PROVIDER_AUTH_REQUIRED',
  'PROVIDER_CIRCUIT_OPEN',
  'PROVIDER_RATE_LIMITED',
  'PROVIDER_CAPACITY_EXHAUSTED',
]
const keyErrors: ErrorCode[] = ['UNAUTHORIZED', 'KEY_EXPIRED', 'FORBIDDEN', 'PROVIDER_CAPACITY_EXHAUSTED']
const modelRead = { tag: 'Models', method: 'GET', access: 'key', takesIdempotencyKey: false } as const
const { credits, scope } = prices['model.chat']

/** Another entrance to `model.chat`, for clients of the chat completions protocol. */
export const completionOperations: readonly Operation[] = [
  {
    id: completionId,
    tag: 'Models',
    method: 'POST',
    path: '/v1/chat/completions',
    access: 'key',
    takesIdempotencyKey: true,
    isIdempotencyKeyOptional: true,
    billing: { operation: 'model.chat', scope, credits },
    summary: 'Complete a chat',
    description:
      'With `stream: true`, the response is sent as server-sent events. `data: [DONE]` means that the call is charged and its response stored; a stream without it ends with an error event. The price is per call, even if you disconnect early. Without an Idempotency-Key, one is generated and returned.',
    request: ChatCompletionRequest,
    requestExample: { model: 'local-small', messages },
    responses: [
      {
        ...response(200, 'The whole response; the price is settled.', ChatCompletion, completionExample),
        headers: ['X-Charge-Id', 'Idempotency-Key', 'X-Credits-Charged', 'X-Credits-Reserved', 'Idempotent-Replayed'],
        events: {
          schema: Type.Union([ChatCompletionChunk, StreamError]),
          example: `data: ${JSON.stringify(chunkExample)}\n\n${endOfStream}`,
        },
      },
    ],
    errors: errorsOf('key', callErrors).filter((code) => code !== 'UNKNOWN_FIELDS'),
  },
  {
    ...modelRead,
    id: 'openai.models.list',
    path: '/v1/models',
    summary: 'List the models',
    description: 'Costs nothing, but counts against the rate limit of the key. Any scope will do.',
    responses: [response(200, 'The models, the default first.', ModelList, { object: 'list', data: [modelExample] })],
    errors: errorsOf('public', keyErrors),
  },
  {
    ...modelRead,
    id: 'openai.models.read',
    path: '/v1/models/{id}',
    summary: 'Read a model',
    description: 'The id is the rest of the path, with its slash if it has one.',
    pathParameters: { id: { pattern: '^.+$', code: 'MODEL_NOT_ALLOWED', example: 'local-small' } },
    responses: [response(200, 'The model.', Model, modelExample)],
    errors: errorsOf('public', [...keyErrors, 'MODEL_NOT_ALLOWED']),
  },
  {
    id: 'openai.openapi',
    tag: 'Documentation',
    method: 'GET',
    path: '/openai/openapi.json',
    access: 'public',
    takesIdempotencyKey: false,
    summary: 'Read this document',
    responses: [documentResponse],
    errors: errorsOf('public'),
  },
]

/** The document of these paths, which are no part of the public operations. */
export const completionDocument = ({ origin: { origin } }: Pick<Config, 'origin'>) =>
  openapiDocument({
    operations: completionOperations,
    origin,
    errors: completionErrors,
    errorShape,
    about: {
      title: 'API Relay Gateway: chat completions',
      summary: 'The entry point for OpenAI clients.',
      description: [
        `Give an OpenAI client the base URL \`${origin}/v1\` and an API key with the scope \`${scope}\`. A call costs ${credits} credits, the same as \`model.chat\` in \`/openapi.json\`, and shares its budgets, limits and Idempotency-Keys.`,
        `A body may be nested ${completionJsonDepth} deep; a deeper one is refused with \`INVALID_JSON\`.`,
        'Errors have the shape of the protocol. Only where the head of a request cannot be read as far as its path, they have the plain envelope of `/openapi.json`, which has no `type`.',
      ].join('\n\n'),
    },
  })
