import { type Static, Type } from 'typebox'
import { emailSection, smsSection } from './delivery-schema.ts'
import { byName, hundredYearsDays, integer, oneHourMs, oneYearSeconds, rateLimit, section } from './schema-parts.ts'

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
    'Concurrent calls; further ones are refused. One project gets at most half of them while others are calling.',
    { maximum: 10_000 },
  ),
}

const maxPromptChars = integer(8000, 'Longest prompt, in characters.', { maximum: 16_777_216 })

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
    breaker: section(
      {
        failures: integer(
          5,
          'Consecutive failures that open the breaker: for one project, or for all if several projects had failures.',
          { maximum: 1000 },
        ),
        coolSeconds: integer(30, 'How long the breaker stays open before it lets one call through as a probe.', {
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
      description: 'Hosts that links may point to (with the port unless it is 443).',
    }),
    timeoutMs: integer(10_000, 'Time for the whole call.', oneHourMs),
    disabled: Type.Boolean({ default: false, description: 'Refuse every call to this shop.' }),
  },
  { additionalProperties: false },
)

/** Every setting of the configuration file, with default and description; docs/configuration.md is generated from it. */
export const FileSchema = Type.Object(
  {
    models: section(
      {
        default: Type.Optional(
          Type.String({ minLength: 1, description: 'Provider of calls that name none; the first one by default.' }),
        ),
        providers: byName(ModelProvider, 'The three model providers. Those left out use the local adapter.'),
      },
      'Model providers.',
    ),
    shopping: section(
      {
        mode: Type.Enum(['local-mock', 'pick-http'], {
          default: 'local-mock',
          description: 'Local fixtures or the HTTP providers below, never both.',
        }),
        cacheSeconds: integer(60, 'How long search results stay in the cache of a project; 0 turns the cache off.', {
          minimum: 0,
          maximum: 86_400,
        }),
        cachePerProject: integer(100, 'Cached searches per project.', { maximum: 10_000 }),
        snapshotDays: integer(30, 'How long the pick operations can read a returned item.', hundredYearsDays),
        snapshotsPerProject: integer(1000, 'Returned items kept per project.', { minimum: 3, maximum: 100_000 }),
        providers: byName(ShopProvider, 'The three shops of mode pick-http. Those left out are disabled.'),
      },
      'Shops.',
    ),
    sms: smsSection,
    email: emailSection,
    limits: section(
      {
        sendCodePerRequester: rateLimit(300, 600, 'Code requests from one address.'),
        sendCodePerPhone: rateLimit(10, 3600, 'Codes sent to one phone.'),
        registerPerRequester: rateLimit(300, 600, 'Registration attempts from one address.'),
        loginPerRequester: rateLimit(300, 600, 'Login attempts from one address.'),
        loginPerIdentifierAndRequester: rateLimit(10, 600, 'Login attempts for one identifier from one address.'),
        loginPerIdentifier: rateLimit(100, 600, 'Login attempts for one identifier from all addresses.'),
        sessionWritesPerProject: rateLimit(300, 60, 'Session writes in one project.'),
        callsPerKey: rateLimit(6000, 60, 'Business calls with one key.'),
        refusalsPerKey: rateLimit(
          1200,
          60,
          'Business calls with one key that are refused as invalid; counted per instance.',
        ),
      },
      'Fixed-window rate limits, shared by all instances.',
    ),
    server: section(
      {
        bodyLimitBytes: integer(65_536, 'Largest request body.', { maximum: 16_777_216 }),
        bodyDeadlineMs: integer(10_000, 'Time limit for receiving a whole request.', { maximum: 600_000 }),
        maxConnections: integer(
          8192,
          'Open connections; further ones are closed at once. Capped at three quarters of the file descriptor limit.',
          { maximum: 1_000_000 },
        ),
        maxConnectionsPerRequester: integer(
          4096,
          'Open connections from one address. Trusted proxies have only the total limit.',
          { maximum: 1_000_000 },
        ),
        shedAfterMs: integer(
          250,
          'How long a request may wait in a long queue before it is refused because of overload.',
          { maximum: 60_000 },
        ),
        drainDelayMs: integer(
          0,
          'How long `/readyz` is 503 before the listener closes, when the process is asked to stop: longer than the load balancer takes to notice.',
          { minimum: 0, maximum: 600_000 },
        ),
        drainMs: integer(15_000, 'Time for running calls to finish when the process is asked to stop.', {
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
          'How long a stored response can be replayed. The Idempotency-Key never charges again, even afterwards.',
          hundredYearsDays,
        ),
      },
      'Charges.',
    ),
    operators: section(
      {
        approvalAboveCredits: Type.Unsafe<number | null>({
          type: ['integer', 'null'],
          minimum: 0,
          maximum: 1_000_000_000,
          default: null,
          description: 'Grants and withdrawals above this wait for a second operator; null means that none does.',
        }),
      },
      'Operators.',
    ),
  },
  { additionalProperties: false, default: {} },
)

export type FileConfig = Static<typeof FileSchema>
export type ModelProviderConfig = FileConfig['models']['providers'][string]
export type ShopProviderConfig = FileConfig['shopping']['providers'][string]
export type LimitSetting = FileConfig['limits']['callsPerKey']
