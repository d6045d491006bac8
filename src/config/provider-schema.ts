import { type Static, type TSchema, Type } from '../base/schema.ts'
import { chatParameters, passedParameters } from '../contract/chat-parameters.ts'
import type { CredentialUse } from './credentials.ts'

/** Every number is bounded: an oversized timer would fire at once, an oversized date is invalid. */
export const integer = (
  value: number,
  description: string,
  { minimum = 1, maximum }: { minimum?: number; maximum: number },
) => Type.Integer({ minimum, maximum, default: value, description })

/** Null by default: the setting is off. */
export const integerOrNull = (description: string, range: { minimum: number; maximum: number }) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], ...range, default: null, description })

const count = { maximum: 1_000_000_000 }
const oneHourMs = { maximum: 3_600_000 }
export const oneYearSeconds = { maximum: 31_536_000 }
export const hundredYearsDays = { maximum: 36_500 }

export const section = <P extends Record<string, TSchema>>(properties: P, description: string) =>
  Type.Object(properties, { additionalProperties: false, default: {}, description })

export const rateLimit = (max: number, windowSeconds: number, description: string) =>
  section(
    {
      max: integer(max, 'How many are allowed in one window.', count),
      windowSeconds: integer(windowSeconds, 'Length of the window.', oneYearSeconds),
    },
    description,
  )

/** Provider names appear in setting paths and in the contract. */
export const byName = <T extends TSchema>(schema: T, description: string) =>
  Type.Record(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' }), schema, {
    additionalProperties: false,
    default: {},
    description,
  })

const httpUpstream = {
  baseUrl: Type.String({
    format: 'base-url',
    description: 'Base URL of the provider, such as https://host/v1; without credentials, query or fragment.',
  }),
  apiKeyEnv: Type.Optional(
    Type.String({
      minLength: 1,
      credential: 'calls' satisfies CredentialUse,
      description: 'Name of the environment variable with the credential; read for each call.',
    }),
  ),
  maxConcurrent: integer(
    64,
    'Concurrent calls; further ones are refused. Active projects share them equally; an eighth, at most 8, is reserved for projects that have none.',
    { maximum: 10_000 },
  ),
}

const promptChars = (value: number) => integer(value, 'Longest prompt, in characters.', { maximum: 16_777_216 })
const maxPromptChars = promptChars(8000)

const maxOutputTokens = integer(
  4096,
  'Longest output of one call, in tokens; sent to the provider as its limit, because the price of a call is fixed.',
  { maximum: 16_777_216 },
)

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
    adapter: Type.Literal('local', { description: 'Responds without a provider; for trying things out.' }),
    models: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      default: ['local-small', 'local-large'],
      description: 'Aliases; the first is the default.',
    }),
    maxPromptChars,
    maxOutputTokens,
  },
  { additionalProperties: false },
)

const ownParameters = Object.keys(chatParameters)

const httpModelSettings = {
  ...httpUpstream,
  // Not digits alone: JavaScript sorts such keys first, and the first key is the default.
  models: Type.Record(Type.String({ pattern: '^(?![0-9]+$)\\S.*$' }), Type.String({ minLength: 1 }), {
    additionalProperties: false,
    minProperties: 1,
    description: 'Aliases and their upstream model names; the first is the default.',
  }),
  maxPromptChars: promptChars(200_000),
  maxOutputTokens,
  limitField: Type.Enum(['max_tokens', 'max_completion_tokens', 'both'], {
    type: 'string',
    default: 'max_tokens',
    description:
      'Name under which the provider takes the limit of output; it is used whatever name the caller uses, because a provider ignores a name that it does not know.',
  }),
  passes: Type.Array(Type.String({ pattern: `^(?!(?:${ownParameters.join('|')})$)[a-z][a-z0-9_]{0,63}$` }), {
    default: [...passedParameters],
    maxItems: 100,
    description:
      'Parameters of `/v1/chat/completions` that go upstream; the gateway handles others itself, or refuses them. Those of the default are checked (docs/openai.md), and dropped where they are not listed; any that you add go upstream as they are.',
  }),
  timeoutMs: integer(120_000, 'Time for the whole call; for a stream, the longest silence.', oneHourMs),
  streamTimeoutMs: integer(600_000, 'Time for a whole stream.', oneHourMs),
  onCutStream: Type.Enum(['review', 'release'], {
    type: 'string',
    default: 'review',
    description:
      'What happens to a charge whose stream breaks off or fails after a part was passed on: `review` holds it for an operator, `release` returns the credits.',
  }),
  breaker,
}

/** A model over HTTP; `src/providers/models/create-model.ts` has the protocol of each adapter. */
const httpModel = <A extends string>(adapter: A, description: string) =>
  Type.Object(
    { adapter: Type.Literal(adapter, { description }), ...httpModelSettings },
    { additionalProperties: false },
  )

const disabled = Type.Object(
  { adapter: Type.Literal('disabled', { description: 'Refuses every call.' }) },
  { additionalProperties: false },
)

export const ModelProvider = choiceOfAdapters([
  localModel,
  httpModel('openai', 'Forwards to a server with an OpenAI-compatible chat API.'),
  disabled,
])

export const ShopProvider = Type.Object(
  {
    ...httpUpstream,
    linkHosts: Type.Array(Type.String({ pattern: '^[A-Za-z0-9.-]+(:[0-9]{1,5})?$' }), {
      default: [],
      description: 'Hosts that links can point to (with the port unless it is 443).',
    }),
    timeoutMs: integer(10_000, 'Time for the whole call.', oneHourMs),
    disabled: Type.Boolean({ default: false, description: 'Refuse every call to this shop.' }),
  },
  { additionalProperties: false },
)

const localMedia = Type.Object(
  {
    adapter: Type.Literal('local', { description: 'Creates a test clip without a provider.' }),
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
        credential: 'callbacks' satisfies CredentialUse,
        description:
          'Name of the environment variable with the secret of its callbacks (whsec_...); without it, callbacks are refused.',
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

const text = (description: string, value?: string) =>
  Type.String({ minLength: 1, maxLength: 200, description, ...(value !== undefined && { default: value }) })

const variable = (description: string) =>
  Type.String({
    pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
    credential: 'calls' satisfies CredentialUse,
    description: `Name of the environment variable with ${description}.`,
  })

const endpoint = (value: string) =>
  Type.String({ format: 'base-url', default: value, description: "The vendor's endpoint." })

const templates = Type.Object(
  {
    registration: text('For registration codes; its only parameter is the code.'),
    recovery: text('For recovery codes; its only parameter is the code.'),
    notice: text('For notices; its parameters are the event and the time.'),
  },
  { additionalProperties: false, description: "The vendor's ids of the templates." },
)

const httpSms = Type.Object(
  {
    url: Type.String({ format: 'base-url', description: 'Where each message is posted.' }),
    secretEnv: variable('the signing secret: `whsec_` and at least 24 random bytes in base64'),
  },
  { additionalProperties: false, description: 'Your own relay (`GATEWAY_SMS=http`).' },
)

const aliyunSms = Type.Object(
  {
    region: text('Region.', 'cn-hangzhou'),
    endpoint: endpoint('https://dysmsapi.aliyuncs.com'),
    signName: text('The approved signature that messages begin with.'),
    templates,
    accessKeyIdEnv: variable('the AccessKey ID'),
    accessKeySecretEnv: variable('the AccessKey secret'),
  },
  { additionalProperties: false, description: 'Alibaba Cloud SMS (`GATEWAY_SMS=aliyun`).' },
)

const tencentSms = Type.Object(
  {
    region: text('Region.', 'ap-guangzhou'),
    endpoint: endpoint('https://sms.tencentcloudapi.com'),
    sdkAppId: Type.String({ pattern: '^[0-9]{1,20}$', description: 'Id of the SMS application.' }),
    signName: text('The approved signature that messages begin with.'),
    templates,
    secretIdEnv: variable('the SecretId'),
    secretKeyEnv: variable('the SecretKey'),
  },
  { additionalProperties: false, description: 'Tencent Cloud SMS (`GATEWAY_SMS=tencent`).' },
)

export const smsSection = section(
  { http: Type.Optional(httpSms), aliyun: Type.Optional(aliyunSms), tencent: Type.Optional(tencentSms) },
  'SMS adapters. `GATEWAY_SMS` chooses one; only its settings are needed.',
)

export const emailSection = section(
  {
    from: Type.Optional(
      Type.String({
        pattern: '^[^\\s<>()\\[\\]\\\\,;:"@]+@[A-Za-z0-9.-]+$',
        maxLength: 254,
        description: 'Sender of all email, such as no-reply@gateway.example; required with `GATEWAY_EMAIL=smtp`.',
      }),
    ),
    fromName: Type.Optional(
      Type.String({
        pattern: '^[^\\x00-\\x1f\\x7f]{1,100}$',
        description: 'Name shown with the address of the sender.',
      }),
    ),
  },
  'Email.',
)
