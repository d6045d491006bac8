import { type Static, type TSchema, Type } from 'typebox'
import { integer, oneHourMs, section } from './schema-parts.ts'

const httpUpstream = {
  baseUrl: Type.String({
    format: 'base-url',
    description: 'Base URL of the provider, such as https://host/v1; without credentials, query or fragment.',
  }),
  apiKeyEnv: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Name of the environment variable with the credential; read for each call.',
    }),
  ),
  maxConcurrent: integer(
    64,
    'Concurrent calls; further ones are refused. Projects that call share them equally; an eighth, at most 8, is for projects that have none.',
    { maximum: 10_000 },
  ),
}

const maxPromptChars = integer(8000, 'Longest prompt, in characters.', { maximum: 16_777_216 })

const breaker = section(
  {
    failures: integer(
      5,
      'Consecutive failures that open the breaker: for the projects that had them, or for all if they were at least three.',
      { maximum: 1000 },
    ),
    coolSeconds: integer(30, 'How long the breaker stays open before it lets one call through as a probe.', {
      maximum: 86_400,
    }),
  },
  'Circuit breaker of this provider.',
)

const localModel = Type.Object(
  {
    adapter: Type.Literal('local', { description: 'Answers by itself, without a provider; for trying things out.' }),
    models: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      default: ['local-small', 'local-large'],
      description: 'Aliases; the first is the default.',
    }),
    maxPromptChars,
  },
  { additionalProperties: false },
)

const openaiModel = Type.Object(
  {
    adapter: Type.Literal('openai', { description: 'Forwards to a server with an OpenAI-compatible chat API.' }),
    ...httpUpstream,
    // Not digits alone: JavaScript sorts such keys first, and the first key is the default.
    models: Type.Record(Type.String({ pattern: '^(?![0-9]+$)\\S.*$' }), Type.String({ minLength: 1 }), {
      additionalProperties: false,
      minProperties: 1,
      description: 'Aliases and their upstream model names; the first is the default.',
    }),
    maxPromptChars,
    timeoutMs: integer(30_000, 'Time for the whole call.', oneHourMs),
    breaker,
  },
  { additionalProperties: false },
)

const disabled = Type.Object(
  { adapter: Type.Literal('disabled', { description: 'Refuses every call.' }) },
  { additionalProperties: false },
)

export const ModelProvider = choiceOfAdapters([localModel, openaiModel, disabled])

export const ShopProvider = Type.Object(
  {
    ...httpUpstream,
    linkHosts: Type.Array(Type.String({ pattern: '^[A-Za-z0-9.-]+(:[0-9]{1,5})?$' }), {
      default: [],
      description: 'Hosts that links may point to (with the port unless it is 443).',
    }),
    timeoutMs: integer(10_000, 'Time for the whole call.', oneHourMs),
    disabled: Type.Boolean({ default: false, description: 'Refuse every call to this shop.' }),
  },
  { additionalProperties: false },
)

const localMedia = Type.Object(
  {
    adapter: Type.Literal('local', { description: 'Makes a test clip by itself, without a provider.' }),
    maxPromptChars,
  },
  { additionalProperties: false },
)

const httpMedia = Type.Object(
  {
    adapter: Type.Literal('http', { description: 'Forwards to a server with the API that docs/media.md describes.' }),
    ...httpUpstream,
    maxPromptChars,
    timeoutMs: integer(30_000, 'Time for one request; for a clip, the longest pause.', oneHourMs),
    breaker,
    callbackSecretEnv: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Name of the environment variable with the secret of its callbacks (whsec_...); none refuses them.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const MediaProvider = choiceOfAdapters([localMedia, httpMedia, disabled])

/** Its `adapter` says which settings a provider has, so that a fault names those of the chosen one. */
function choiceOfAdapters<T extends readonly TSchema[]>(choices: T) {
  return Type.Unsafe<Static<T[number]>>({
    type: 'object',
    required: ['adapter'],
    discriminator: { propertyName: 'adapter' },
    oneOf: choices,
  })
}
