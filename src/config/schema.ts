import { type Static, Type } from 'typebox'
import { chargesSection } from './charges-schema.ts'
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

const breaker = section(
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

export const MediaProvider = Type.Unsafe<
  Static<typeof localMedia> | Static<typeof httpMedia> | Static<typeof disabled>
>({
  type: 'object',
  required: ['adapter'],
  discriminator: { propertyName: 'adapter' },
  oneOf: [localMedia, httpMedia, disabled],
})

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
    media: section(
      {
        creditsPerSecond: integer(5, 'Price of a clip, for each of its seconds.', { maximum: 100_000 }),
        default: Type.Optional(
          Type.String({ minLength: 1, description: 'Provider of jobs that name none; the first one by default.' }),
        ),
        poll: section(
          {
            firstMs: integer(1000, 'Wait before the first poll of a job.', { minimum: 10, maximum: 3_600_000 }),
            maxMs: integer(30_000, 'Longest wait between two polls, until the deadline.', {
              minimum: 10,
              maximum: 3_600_000,
            }),
          },
          'How often a provider is asked about a job.',
        ),
        deadlineSeconds: integer(
          3600,
          'Age at which a job is overdue. It is then polled slowly for 24 hours before it needs a review.',
          oneYearSeconds,
        ),
        maxContentBytes: integer(67_108_864, 'Largest clip.', { maximum: 4_294_967_296 }),
        content: Type.Enum(['keep', 'proxy'], {
          default: 'keep',
          description:
            'Keep clips in the data directory, or fetch them from the provider for every reader. Several instances use proxy unless they share the directory.',
        }),
        contentDays: integer(7, 'How long a clip can be fetched.', hundredYearsDays),
        providers: byName(
          MediaProvider,
          'The three media providers. Of those left out, the first uses the local adapter and the others are disabled.',
        ),
      },
      'Media jobs.',
    ),
    limits: section(
      {
        sendCodePerRequester: rateLimit(300, 600, 'Code requests from one address.'),
        sendCodePerPhone: rateLimit(10, 3600, 'Codes sent to one phone.'),
        registerPerRequester: rateLimit(300, 600, 'Registration attempts from one address.'),
        loginPerRequester: rateLimit(300, 600, 'Login attempts from one address.'),
        loginPerIdentifierAndRequester: rateLimit(10, 600, 'Login attempts for one identifier from one address.'),
        loginPerIdentifier: rateLimit(100, 600, 'Login attempts for one identifier from all addresses.'),
        sessionWritesPerProject: rateLimit(300, 60, 'Session writes in one project.'),
        readsPerSession: rateLimit(
          1200,
          60,
          'Reads with one session, such as `/v1/me` and the pages of the console; counted per instance.',
        ),
        callsPerKey: rateLimit(6000, 60, 'Business calls with one key.'),
        mediaReadsPerKey: rateLimit(
          6000,
          60,
          'Reads and cancellations of media jobs with one key; counted per instance.',
        ),
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
    charges: chargesSection,
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
export type MediaProviderConfig = FileConfig['media']['providers'][string]
export type ShopProviderConfig = FileConfig['shopping']['providers'][string]
export type LimitSetting = FileConfig['limits']['callsPerKey']
