import { type Static, type TSchema, Type } from 'typebox'

/** Every knob of the configuration file with its default and its meaning; docs/configuration.md is written from it. */

const whole = (value: number, description: string, range: { minimum?: number; maximum?: number } = {}) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, ...range, default: value, description })

const group = <P extends Record<string, TSchema>>(properties: P, description: string) =>
  Type.Object(properties, { additionalProperties: false, default: {}, description })

const limit = (max: number, windowSeconds: number, description: string) =>
  group(
    {
      max: whole(max, 'How many are let through in one window.'),
      windowSeconds: whole(windowSeconds, 'Length of the window.'),
    },
    description,
  )

const httpUpstream = {
  baseUrl: Type.String({ format: 'uri', pattern: '^https?://', description: 'Where the provider is reached.' }),
  apiKeyEnv: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Name of the environment variable with the credential, read at each call.',
    }),
  ),
  maxConcurrent: whole(64, 'Calls under way at once; one more is refused.', { maximum: 10_000 }),
}

const localModel = Type.Object(
  {
    adapter: Type.Literal('local'),
    models: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      default: ['local-small', 'local-large'],
      description: 'Aliases; the first is the default.',
    }),
    maxPromptChars: whole(8000, 'Longest prompt, in characters.'),
  },
  { additionalProperties: false },
)

const openaiModel = Type.Object(
  {
    adapter: Type.Literal('openai'),
    ...httpUpstream,
    models: Type.Record(Type.String({ minLength: 1 }), Type.String({ minLength: 1 }), {
      minProperties: 1,
      description: 'Alias to upstream name; the first is the default.',
    }),
    maxPromptChars: whole(8000, 'Longest prompt, in characters.'),
    timeoutMs: whole(30_000, 'Time for the whole call.'),
    breaker: group(
      {
        failures: whole(5, 'Failures in a row that open the breaker.'),
        coolSeconds: whole(30, 'How long it stays open before one call is let through as a probe.'),
      },
      'Circuit breaker of this provider.',
    ),
  },
  { additionalProperties: false },
)

const disabled = Type.Object({ adapter: Type.Literal('disabled') }, { additionalProperties: false })

const ModelProvider = Type.Unsafe<Static<typeof localModel> | Static<typeof openaiModel> | Static<typeof disabled>>({
  type: 'object',
  required: ['adapter'],
  discriminator: { propertyName: 'adapter' },
  oneOf: [localModel, openaiModel, disabled],
})

const ShopProvider = Type.Object(
  {
    ...httpUpstream,
    linkHosts: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description: 'Hosts (with a port, if it is not 443) that links may point to.',
    }),
    timeoutMs: whole(10_000, 'Time for the whole call.'),
    disabled: Type.Boolean({ default: false, description: 'Refuse every call to this shop.' }),
  },
  { additionalProperties: false },
)

export const FileSchema = Type.Object(
  {
    models: group(
      {
        default: Type.Optional(
          Type.String({ minLength: 1, description: 'Provider used when a call names none; the first by default.' }),
        ),
        providers: Type.Record(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' }), ModelProvider, {
          default: {},
          description:
            'The model providers, three in all. A name that is left out keeps its default, the local adapter.',
        }),
      },
      'Model providers.',
    ),
    shopping: group(
      {
        mode: Type.Enum(['local-mock', 'pick-http'], {
          default: 'local-mock',
          description: 'Local fixtures, or the HTTP providers below; never mixed.',
        }),
        cacheSeconds: whole(60, 'How long a search answers from the cache of its project; 0 turns it off.', {
          minimum: 0,
        }),
        cachePerProject: whole(100, 'Searches kept in the cache of one project.'),
        snapshotDays: whole(30, 'How long a returned item can be read by the pick operations.'),
        snapshotsPerProject: whole(1000, 'Returned items kept for one project.', { minimum: 3 }),
        providers: Type.Record(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' }), ShopProvider, {
          default: {},
          description: 'The shops, three in all, for mode pick-http. One that is left out is disabled there.',
        }),
      },
      'Shops.',
    ),
    limits: group(
      {
        sendCodePerRequester: limit(300, 600, 'Codes asked for from one address.'),
        sendCodePerPhone: limit(10, 3600, 'Codes sent to one phone.'),
        registerPerRequester: limit(300, 600, 'Registrations tried from one address.'),
        loginPerRequester: limit(300, 600, 'Logins tried from one address.'),
        loginPerIdentifier: limit(10, 600, 'Logins tried for one identifier.'),
        sessionWritesPerProject: limit(300, 60, 'Writes with the session of one project.'),
        callsPerKey: limit(6000, 60, 'Business calls with one key.'),
      },
      'Fixed-window rate limits, shared by all instances.',
    ),
    server: group(
      {
        bodyLimitBytes: whole(65_536, 'Largest request body.', { maximum: 16_777_216 }),
        bodyDeadlineMs: whole(10_000, 'Time for a request to arrive completely.', { maximum: 600_000 }),
        drainMs: whole(15_000, 'Time that calls under way get to finish when the process is asked to stop.', {
          maximum: 600_000,
        }),
      },
      'The public listener.',
    ),
    sessions: group({ lifetimeSeconds: whole(43_200, 'How long a sign-in lasts.') }, 'Sign-ins.'),
    keys: group(
      {
        lifetimeSeconds: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
          default: null,
          description: 'Lifetime of new keys; null means permanent.',
        }),
        maxActive: whole(50, 'Active keys of one project.', { maximum: 1000 }),
      },
      'Business keys.',
    ),
    charges: group(
      {
        resultDays: whole(30, 'How long a stored answer can be replayed; its key never charges again even afterwards.'),
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
