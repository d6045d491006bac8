import { type Static, Type } from '../base/schema.ts'
import { paymentsSection } from './payments-schema.ts'
import {
  byName,
  emailSection,
  hundredYearsDays,
  integer,
  integerOrNull,
  MediaProvider,
  ModelProvider,
  oneYearSeconds,
  rateLimit,
  ShopProvider,
  section,
  smsSection,
} from './provider-schema.ts'
import { siteSection } from './site-schema.ts'
import { transparencySection } from './witnesses.ts'

/** Every setting of the configuration file, with default and description; docs/configuration.md is generated from it. */
export const FileSchema = Type.Object(
  {
    models: section(
      {
        default: Type.Optional(
          Type.String({ minLength: 1, description: 'Provider for calls that name none; defaults to the first one.' }),
        ),
        providers: byName(
          ModelProvider,
          'The three model providers. Those left out use the local adapter; on a public origin they are disabled.',
        ),
      },
      'Model providers.',
    ),
    shopping: section(
      {
        mode: Type.Enum(['local-mock', 'pick-http'], {
          default: 'local-mock',
          description:
            'Local fixtures or the HTTP providers below, never both; on a public origin the default is pick-http.',
        }),
        cacheSeconds: integer(60, 'How long search results stay in the cache of a project; 0 turns the cache off.', {
          minimum: 0,
          maximum: 86_400,
        }),
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
        creditsPerSecond: integer(5, 'Price of a clip, per second.', { maximum: 100_000 }),
        default: Type.Optional(
          Type.String({ minLength: 1, description: 'Provider for jobs that name none; defaults to the first one.' }),
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
    payments: paymentsSection,
    limits: section(
      {
        sendCodePerRequester: rateLimit(
          300,
          600,
          'Code requests from one address. Behind trusted proxies (`GATEWAY_TRUSTED_PROXIES`) the default is 30.',
        ),
        sendCodePerPhone: rateLimit(10, 3600, 'Codes for one purpose sent to one phone number or email.'),
        recoveryPerRequester: rateLimit(
          300,
          3600,
          'Recovery code requests from one address. Behind trusted proxies the default is 20.',
        ),
        recoveryPerIdentifierAndRequester: rateLimit(
          5,
          3600,
          'Recovery code requests for one identifier from one address.',
        ),
        codesPerHour: integer(
          1000,
          'Codes sent in one hour, across all users. A quarter of them is kept for recoveries by text message, and one address gets a quarter of those; registrations and email verifications get the rest.',
          { minimum: 4, maximum: 1_000_000_000 },
        ),
        wrongCodesPerHour: integer(
          1000,
          'Wrong recovery codes of accounts in one hour, across all users; after that, recovery by code is refused until the hour ends.',
          { maximum: 1_000_000_000 },
        ),
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
        keyReadsPerKey: rateLimit(
          600,
          60,
          'Reads with one key about itself and its charges, such as `/v1/key`; counted per instance.',
        ),
        refusalsPerKey: rateLimit(
          1200,
          60,
          'Business calls with one key that are refused as invalid; counted per instance.',
        ),
      },
      'Fixed-window rate limits, shared by all instances.',
    ),
    openai: section(
      {
        bodyLimitBytes: integer(
          1_048_576,
          'Largest request body of `/v1/chat/completions`; at least `server.bodyLimitBytes` is accepted. Bodies above 64 KiB may have 8 MiB of one project, or two whole bodies, and 64 MiB of all, or eight, in memory until they are parsed; they must bring 16 KiB a second.',
          { maximum: 16_777_216 },
        ),
      },
      'The entry point for OpenAI clients.',
    ),
    server: section(
      {
        bodyLimitBytes: integer(65_536, 'Largest request body.', { maximum: 16_777_216 }),
        bodyDeadlineMs: integer(10_000, 'Time limit for receiving a whole request.', { maximum: 600_000 }),
        maxConnections: integer(
          8192,
          'Open connections; further ones are closed immediately. Capped at three quarters of the file descriptor limit.',
          { maximum: 1_000_000 },
        ),
        maxConnectionsPerRequester: integer(
          1024,
          'Open connections from one address. For trusted proxies, only the total limit applies.',
          { maximum: 1_000_000 },
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
        lifetimeSeconds: integerOrNull('Lifetime of new keys; null means that they do not expire.', {
          minimum: 1,
          maximum: 100 * oneYearSeconds.maximum,
        }),
        maxActive: integer(50, 'Active keys of one project.', { maximum: 1000 }),
      },
      'Business keys.',
    ),
    charges: section(
      {
        resultDays: integer(
          30,
          'How long a stored response can be replayed. The Idempotency-Key never charges again, even after that, unless retentionDays is set.',
          hundredYearsDays,
        ),
        retentionDays: integerOrNull(
          'Age at which ended charges and ledger entries are moved to archive files, not below resultDays; null keeps them all in the store. An archived Idempotency-Key does not charge again for another resultDays; after that it counts as new: docs/archives.md.',
          { minimum: 35, maximum: hundredYearsDays.maximum },
        ),
      },
      'Charges.',
    ),
    receipts: section(
      {
        header: Type.Boolean({
          default: false,
          description: 'Send a signed receipt in the header `Receipt` of settled calls: docs/receipts.md.',
        }),
        overlapHours: integer(24, 'How long a replaced signing key also signs checkpoints.', {
          minimum: 1,
          maximum: 8760,
        }),
      },
      'Signed receipts.',
    ),
    transparency: transparencySection,
    operators: section(
      {
        approvalAboveCredits: integerOrNull(
          'Credits that one operator may move into projects, and out of them, in 24 hours: by grants, withdrawals, refunds, decisions about refunds and ends of payments together. What goes beyond waits for a second operator, and so do new administrators and treasurers; null turns this off.',
          { minimum: 0, maximum: 1_000_000_000 },
        ),
      },
      'Operators.',
    ),
    site: siteSection,
  },
  { additionalProperties: false, default: {} },
)

export type FileConfig = Static<typeof FileSchema>
export type ModelProviderConfig = FileConfig['models']['providers'][string]
export type MediaProviderConfig = FileConfig['media']['providers'][string]
export type ShopProviderConfig = FileConfig['shopping']['providers'][string]
export type SiteConfig = FileConfig['site']
export type LimitSetting = FileConfig['limits']['callsPerKey']
