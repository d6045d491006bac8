import { type Static, type TSchema, Type } from 'typebox'

/** Every knob of the configuration file with its default and its meaning; docs/configuration.md is written from it. */

/** Every number is bounded: past its bound a timer would fire at once or a date would not exist. */
const integer = (value: number, description: string, { minimum = 1, maximum }: { minimum?: number; maximum: number }) =>
  Type.Integer({ minimum, maximum, default: value, description })

const count = { maximum: 1_000_000_000 }
const oneHourMs = { maximum: 3_600_000 }
const oneYearSeconds = { maximum: 31_536_000 }
const hundredYearsDays = { maximum: 36_500 }

const section = <P extends Record<string, TSchema>>(properties: P, description: string) =>
  Type.Object(properties, { additionalProperties: false, default: {}, description })

const rateLimit = (max: number, windowSeconds: number, description: string) =>
  section(
    {
      max: integer(max, 'How many are let through in one window.', count),
      windowSeconds: integer(windowSeconds, 'Length of the window.', oneYearSeconds),
    },
    description,
  )

const httpUpstream = {
  baseUrl: Type.String({
    format: 'base-url',
    description: 'Where the provider is reached, such as https://host/v1; without credentials, query or fragment.',
  }),
  apiKeyEnv: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Name of the environment variable with the credential, read at each call.',
    }),
  ),
  maxConcurrent: integer(
    64,
    'Calls under way at once; one more is refused. One project holds at most half of them while others call.',
    { maximum: 10_000 },
  ),
}

/** Names of providers. They appear in paths of the configuration and in the contract. */
const byName = <T extends TSchema>(schema: T, description: string) =>
  Type.Record(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' }), schema, {
    additionalProperties: false,
    default: {},
    description,
  })

const maxPromptChars = integer(8000, 'Longest prompt, in characters.', { maximum: 16_777_216 })

const localModel = Type.Object(
  {
    adapter: Type.Literal('local', { description: 'Answers by itself, for trying things out.' }),
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
    adapter: Type.Literal('openai', { description: 'Forwards to a server with the chat interface of OpenAI.' }),
    ...httpUpstream,
    // Not digits alone: such keys of a JSON object lose their place, and with it which one is the first.
    models: Type.Record(Type.String({ pattern: '^(?![0-9]+$)\\S.*$' }), Type.String({ minLength: 1 }), {
      additionalProperties: false,
      minProperties: 1,
      description: 'Alias to upstream name; the first is the default.',
    }),
    maxPromptChars,
    timeoutMs: integer(30_000, 'Time for the whole call.', oneHourMs),
    breaker: section(
      {
        failures: integer(
          5,
          'Failures in a row that open the breaker: for their project, or for all when they are of several.',
          { maximum: 1000 },
        ),
        coolSeconds: integer(30, 'How long it stays open before one call is let through as a probe.', {
          maximum: 86_400,
        }),
      },
      'Circuit breaker of this provider.',
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
      description: 'Hosts (with a port, if it is not 443) that links may point to.',
    }),
    timeoutMs: integer(10_000, 'Time for the whole call.', oneHourMs),
    disabled: Type.Boolean({ default: false, description: 'Refuse every call to this shop.' }),
  },
  { additionalProperties: false },
)

export const FileSchema = Type.Object(
  {
    models: section(
      {
        default: Type.Optional(
          Type.String({ minLength: 1, description: 'Provider used when a call names none; the first by default.' }),
        ),
        providers: byName(
          ModelProvider,
          'The model providers, three in all. A name that is left out keeps its default, the local adapter.',
        ),
      },
      'Model providers.',
    ),
    shopping: section(
      {
        mode: Type.Enum(['local-mock', 'pick-http'], {
          default: 'local-mock',
          description: 'Local fixtures, or the HTTP providers below; never mixed.',
        }),
        cacheSeconds: integer(60, 'How long a search answers from the cache of its project; 0 turns it off.', {
          minimum: 0,
          maximum: 86_400,
        }),
        cachePerProject: integer(100, 'Searches kept in the cache of one project.', { maximum: 10_000 }),
        snapshotDays: integer(30, 'How long a returned item can be read by the pick operations.', hundredYearsDays),
        snapshotsPerProject: integer(1000, 'Returned items kept for one project.', { minimum: 3, maximum: 100_000 }),
        providers: byName(
          ShopProvider,
          'The shops, three in all, for mode pick-http. One that is left out is disabled there.',
        ),
      },
      'Shops.',
    ),
    limits: section(
      {
        sendCodePerRequester: rateLimit(300, 600, 'Codes asked for from one address.'),
        sendCodePerPhone: rateLimit(10, 3600, 'Codes sent to one phone.'),
        registerPerRequester: rateLimit(300, 600, 'Registrations tried from one address.'),
        loginPerRequester: rateLimit(300, 600, 'Logins tried from one address.'),
        loginPerIdentifier: rateLimit(10, 600, 'Logins tried for one identifier.'),
        sessionWritesPerProject: rateLimit(300, 60, 'Writes with the session of one project.'),
        callsPerKey: rateLimit(6000, 60, 'Business calls with one key.'),
        refusalsPerKey: rateLimit(
          1200,
          60,
          'Business calls with one key that are refused for what they contain; counted by each instance for itself.',
        ),
      },
      'Fixed-window rate limits, shared by all instances.',
    ),
    server: section(
      {
        bodyLimitBytes: integer(65_536, 'Largest request body.', { maximum: 16_777_216 }),
        bodyDeadlineMs: integer(10_000, 'Time for a request to arrive completely.', { maximum: 600_000 }),
        maxConnections: integer(
          8192,
          'Connections at once; one more is closed at once. Three quarters of the descriptor limit at most.',
          { maximum: 1_000_000 },
        ),
        maxConnectionsPerRequester: integer(4096, 'Connections at once from one address.', { maximum: 1_000_000 }),
        shedAfterMs: integer(
          250,
          'How long a request may wait for its turn; past it, the gateway is overloaded and turns the request away.',
          { maximum: 60_000 },
        ),
        drainMs: integer(15_000, 'Time that calls under way get to finish when the process is asked to stop.', {
          maximum: 600_000,
        }),
      },
      'The public listener.',
    ),
    sessions: section({ lifetimeSeconds: integer(43_200, 'How long a sign-in lasts.', oneYearSeconds) }, 'Sign-ins.'),
    keys: section(
      {
        lifetimeSeconds: Type.Unsafe<number | null>({
          type: ['integer', 'null'],
          minimum: 1,
          maximum: 100 * oneYearSeconds.maximum,
          default: null,
          description: 'Lifetime of new keys; null means permanent.',
        }),
        maxActive: integer(50, 'Active keys of one project.', { maximum: 1000 }),
      },
      'Business keys.',
    ),
    charges: section(
      {
        resultDays: integer(
          30,
          'How long a stored answer can be replayed; its key never charges again even afterwards.',
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
