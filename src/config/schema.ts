import { type Static, type TSchema, Type } from 'typebox'

/** Every setting of the configuration file, with default and meaning. docs/configuration.md is generated from it. */

/** Every number is bounded: past its bound a timer would fire at once or a date would not exist. */
const whole = (value: number, description: string, { minimum = 1, maximum }: { minimum?: number; maximum: number }) =>
  Type.Integer({ minimum, maximum, default: value, description })

const count = { maximum: 1_000_000_000 }
const oneHourMs = { maximum: 3_600_000 }
const oneYearSeconds = { maximum: 31_536_000 }
const hundredYearsDays = { maximum: 36_500 }

const group = <P extends Record<string, TSchema>>(properties: P, description: string) =>
  Type.Object(properties, { additionalProperties: false, default: {}, description })

const limit = (max: number, windowSeconds: number, description: string) =>
  group(
    {
      max: whole(max, 'How many are allowed per window.', count),
      windowSeconds: whole(windowSeconds, 'Length of the window, in seconds.', oneYearSeconds),
    },
    description,
  )

const httpUpstream = {
  baseUrl: Type.String({
    format: 'base-url',
    description: 'Base URL of the provider, such as https://host/v1, without credentials, query or fragment.',
  }),
  apiKeyEnv: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Name of the environment variable that holds the credential. It is read at each call.',
    }),
  ),
  maxConcurrent: whole(
    64,
    'Calls under way at once; further calls are refused. While several projects call, one may hold at most half of them.',
    { maximum: 10_000 },
  ),
}

/** Names of providers. They appear in paths of the configuration and in the contract. */
const named = <T extends TSchema>(schema: T, description: string) =>
  Type.Record(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' }), schema, {
    additionalProperties: false,
    default: {},
    description,
  })

const maxPromptChars = whole(8000, 'Maximum length of a prompt, in characters.', { maximum: 16_777_216 })

const localModel = Type.Object(
  {
    adapter: Type.Literal('local', { description: 'Responds by itself, for trying things out.' }),
    models: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      default: ['local-small', 'local-large'],
      description: 'Model names that callers use. The first is the default.',
    }),
    maxPromptChars,
  },
  { additionalProperties: false },
)

const openaiModel = Type.Object(
  {
    adapter: Type.Literal('openai', { description: 'Forwards to any server with the chat completions API of OpenAI.' }),
    ...httpUpstream,
    // Not digits alone: such keys of a JSON object lose their place, and with it which one is the first.
    models: Type.Record(Type.String({ pattern: '^(?![0-9]+$)\\S.*$' }), Type.String({ minLength: 1 }), {
      additionalProperties: false,
      minProperties: 1,
      description: 'Model names that callers use, each with its name at the provider. The first is the default.',
    }),
    maxPromptChars,
    timeoutMs: whole(30_000, 'Time limit for the whole call, in milliseconds.', oneHourMs),
    breaker: group(
      {
        failures: whole(
          5,
          'Consecutive failures that open the breaker: for one project if all are its own, otherwise for all.',
          { maximum: 1000 },
        ),
        coolSeconds: whole(30, 'Seconds until one call goes through as a probe.', {
          maximum: 86_400,
        }),
      },
      'Circuit breaker.',
    ),
  },
  { additionalProperties: false },
)

const disabled = Type.Object(
  { adapter: Type.Literal('disabled', { description: 'Refuses every call.' }) },
  { additionalProperties: false },
)

export const ModelProvider = Type.Unsafe<
  Static<typeof localModel> | Static<typeof openaiModel> | Static<typeof disabled>
>({
  type: 'object',
  required: ['adapter'],
  discriminator: { propertyName: 'adapter' },
  oneOf: [localModel, openaiModel, disabled],
})

const ShopProvider = Type.Object(
  {
    ...httpUpstream,
    linkHosts: Type.Array(Type.String({ pattern: '^[A-Za-z0-9.-]+(:[0-9]{1,5})?$' }), {
      default: [],
      description: 'Hosts that links may point to, with the port unless it is 443.',
    }),
    timeoutMs: whole(10_000, 'Time limit for the whole call, in milliseconds.', oneHourMs),
    disabled: Type.Boolean({ default: false, description: 'Whether every call to this shop is refused.' }),
  },
  { additionalProperties: false },
)

export const FileSchema = Type.Object(
  {
    models: group(
      {
        default: Type.Optional(
          Type.String({ minLength: 1, description: 'Provider of calls that name none. By default the first.' }),
        ),
        providers: named(
          ModelProvider,
          'The model providers by name, always three. Those you leave out use the local adapter.',
        ),
      },
      'Model providers.',
    ),
    shopping: group(
      {
        mode: Type.Enum(['local-mock', 'pick-http'], {
          default: 'local-mock',
          description: '`local-mock` uses built-in test items, `pick-http` the providers below.',
        }),
        cacheSeconds: whole(
          60,
          'How long the results of a search are cached for its project, in seconds. 0 turns the cache off.',
          {
            minimum: 0,
            maximum: 86_400,
          },
        ),
        cachePerProject: whole(100, 'Cached searches per project.', { maximum: 10_000 }),
        snapshotDays: whole(
          30,
          'How long the pick operations can read an item that a search returned, in days.',
          hundredYearsDays,
        ),
        snapshotsPerProject: whole(1000, 'Items kept per project.', { minimum: 3, maximum: 100_000 }),
        providers: named(
          ShopProvider,
          'The shops of mode `pick-http` by name, always three. Those you leave out are disabled.',
        ),
      },
      'Shops.',
    ),
    limits: group(
      {
        sendCodePerRequester: limit(300, 600, 'Requests for a code from one address.'),
        sendCodePerPhone: limit(10, 3600, 'Codes sent to one phone.'),
        registerPerRequester: limit(300, 600, 'Attempts to register from one address.'),
        loginPerRequester: limit(300, 600, 'Attempts to log in from one address.'),
        loginPerIdentifier: limit(10, 600, 'Attempts to log in with one identifier.'),
        sessionWritesPerProject: limit(300, 60, 'Writes with the sessions of one project.'),
        callsPerKey: limit(6000, 60, 'Business calls with one API key.'),
        refusalsPerKey: limit(1200, 60, 'Faulty business calls with one API key, counted by each instance separately.'),
      },
      'Rate limits, in fixed windows shared by all instances.',
    ),
    server: group(
      {
        bodyLimitBytes: whole(65_536, 'Maximum size of a request body, in bytes.', { maximum: 16_777_216 }),
        bodyDeadlineMs: whole(10_000, 'Time limit for a request to arrive completely, in milliseconds.', {
          maximum: 600_000,
        }),
        maxConnections: whole(
          8192,
          'Connections at once; further ones are closed. Never more than three quarters of the file descriptor limit.',
          { maximum: 1_000_000 },
        ),
        maxConnectionsPerRequester: whole(4096, 'Connections at once from one address.', { maximum: 1_000_000 }),
        shedAfterMs: whole(
          250,
          'How long a request may wait in a long queue before it is refused because of overload, in milliseconds.',
          { maximum: 60_000 },
        ),
        drainMs: whole(15_000, 'Time that calls under way have to finish when the gateway stops, in milliseconds.', {
          maximum: 600_000,
        }),
      },
      'The public listener.',
    ),
    sessions: group(
      { lifetimeSeconds: whole(43_200, 'How long a session lasts, in seconds.', oneYearSeconds) },
      'Console sessions.',
    ),
    keys: group(
      {
        lifetimeSeconds: Type.Unsafe<number | null>({
          type: ['integer', 'null'],
          minimum: 1,
          maximum: 100 * oneYearSeconds.maximum,
          default: null,
          description: 'Lifetime of new keys, in seconds; null means that they never expire.',
        }),
        maxActive: whole(50, 'Active keys per project.', { maximum: 1000 }),
      },
      'API keys.',
    ),
    charges: group(
      {
        resultDays: whole(
          30,
          'How long a stored response can be replayed, in days. Its Idempotency-Key never charges again, even afterwards.',
          hundredYearsDays,
        ),
      },
      'Charges.',
    ),
  },
  { additionalProperties: false, default: {} },
)

export type FileConfig = Static<typeof FileSchema>
export type ModelProviderConfig = FileConfig['models']['providers'][string]
export type ShopProviderConfig = FileConfig['shopping']['providers'][string]
export type Limit = FileConfig['limits']['callsPerKey']
