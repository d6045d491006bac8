import { readFileSync } from 'node:fs'
import type { BlockList } from 'node:net'
import { type ErrorObject, lazyAjv, type ValidateFunction } from '../base/ajv.ts'
import type { TSchema } from '../base/schema.ts'
import type { ProviderNames } from '../contract/choices.ts'
import type { PaymentMode } from '../contract/prices.ts'
import { chosenEmail, chosenSms, type EmailConfig, type SmsConfig } from './delivery.ts'
import {
  abbreviate,
  collectFaults,
  configFault,
  type FaultCollector,
  type FaultySchema,
  fileFault,
  useOneOf,
} from './faults.ts'
import { chosenPayments } from './payments-schema.ts'
import { MediaProvider, ModelProvider } from './provider-schema.ts'
import {
  type FileConfig,
  FileSchema,
  type MediaProviderConfig,
  type ModelProviderConfig,
  type ShopProviderConfig,
} from './schema.ts'
import { isPageUrl } from './site-schema.ts'
import { type Address, readVariables, type TracingConfig } from './variables.ts'
import { checkWitnesses } from './witnesses.ts'

export interface Config extends Omit<FileConfig, 'models' | 'shopping' | 'media' | 'sms' | 'email'> {
  readonly origin: URL
  readonly isLoopback: boolean
  readonly listen: Address
  readonly operatorListen: Address | null
  readonly operatorOrigin: URL | null
  /** Whether the operator listener is reachable only from this machine. */
  readonly isOperatorLocal: boolean
  readonly trustedProxies: BlockList
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly secret: string | undefined
  readonly secretPrevious: readonly string[]
  readonly paymentMode: PaymentMode
  readonly sms: SmsConfig
  readonly email: EmailConfig
  readonly logLevel: string
  readonly tracing: TracingConfig | null
  readonly configFile: string | undefined
  readonly providerNames: ProviderNames
  readonly models: { readonly default: string; readonly providers: Readonly<Record<string, ModelProviderConfig>> }
  readonly shopping: Omit<FileConfig['shopping'], 'providers'> & {
    readonly providers: Readonly<Record<string, ShopProviderConfig | null>>
  }
  readonly media: Omit<FileConfig['media'], 'default' | 'providers'> & {
    readonly default: string
    readonly providers: Readonly<Record<string, MediaProviderConfig>>
  }
  /** Reads a provider's credential from the environment; called for each use, so that it is never stored. */
  readonly credential: (variable: string) => string | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

export function loadConfig(environment: Environment = process.env): Config {
  const faults = collectFaults()
  const { smsAdapter, emailAdapter, ...read } = readVariables(environment, faults.report)
  const surroundings = { isProxied: read.trustedProxies.rules.length > 0, isLoopback: read.isLoopback, faults }
  const file = loadFile(read.configFile, surroundings)
  // A public gateway must not sell the responses of local adapters because a provider was left out.
  const leftOut = read.isLoopback ? 'local' : 'disabled'
  const threeProviders = namedProviders(faults)
  const models = threeProviders('models.providers', file.models.providers, defaultNames('model'), () =>
    withDefaults<ModelProviderConfig>(ModelProvider, leftOut),
  )
  const shops = threeProviders(
    'shopping.providers',
    file.shopping.providers,
    defaultNames('shop'),
    (): ShopProviderConfig | null => null,
  )
  const media = threeProviders('media.providers', file.media.providers, defaultNames('media'), (name) =>
    withDefaults<MediaProviderConfig>(MediaProvider, name.endsWith('_a') ? leftOut : 'disabled'),
  )
  faults.attempt(() => checkRetention(file.charges), undefined)
  faults.attempt(() => checkWitnesses(file.transparency.witnesses, configFault), undefined)
  const { attempt } = faults
  const requireOneOf = providerOf(faults)
  const modelNames = Object.keys(models)
  const mediaNames = Object.keys(media)
  const config: Config = {
    ...file,
    ...read,
    providerNames: { models: modelNames, shops: Object.keys(shops) },
    models: {
      default: requireOneOf('models.default', file.models.default ?? modelNames[0]!, modelNames),
      providers: models,
    },
    shopping: { ...file.shopping, providers: shops },
    sms: attempt(() => chosenSms(smsAdapter, file.sms, missingSetting), { adapter: 'disabled' }),
    email: attempt(() => chosenEmail(emailAdapter, file.email, missingSetting), { adapter: 'disabled' }),
    payments: attempt(() => chosenPayments(file.payments, read, configFault), file.payments),
    media: {
      ...file.media,
      default: requireOneOf('media.default', file.media.default ?? mediaNames[0]!, mediaNames),
      providers: media,
    },
    credential: (variable) => environment[variable] || undefined,
  }
  faults.throwIfAny()
  return config
}

/** A stored response can be replayed only while its charge is in the store. */
function checkRetention({ resultDays, retentionDays }: FileConfig['charges']): void {
  if (retentionDays === null || retentionDays >= resultDays) return
  throw configFault(
    'charges.retentionDays',
    `is ${retentionDays}, which is less than charges.resultDays (${resultDays})`,
    'Archive later, or keep stored responses for a shorter time.',
  )
}

const missingSetting = (key: string, neededBy: string) =>
  configFault(key, `is missing, and ${neededBy} needs it`, 'Add it; docs/configuration.md describes it.')

const defaultNames = (kind: 'model' | 'shop' | 'media') => ['a', 'b', 'c'].map((letter) => `${kind}_provider_${letter}`)

interface Surroundings {
  readonly isProxied: boolean
  readonly isLoopback: boolean
  readonly faults: FaultCollector
}

function loadFile(path: string | undefined, { isProxied, isLoopback, faults }: Surroundings): FileConfig {
  let value: unknown = {}
  if (path !== undefined) {
    try {
      value = JSON.parse(readFileSync(path, 'utf8'))
    } catch (error) {
      faults.report(
        'GATEWAY_CONFIG',
        `cannot read ${path} as JSON (${(error as Error).message})`,
        'Set it to the path of a readable JSON file.',
      )
      faults.throwIfAny()
    }
  }
  const asPublic = isLoopback ? value : withPublicDefaults(value)
  return checkFile(isProxied ? withProxiedDefaults(asPublic) : asPublic, faults)
}

/** The local shops sell fixtures. */
function withPublicDefaults(file: unknown): unknown {
  if (!isObject(file)) return file
  const { shopping = {} } = file
  return isObject(shopping) ? { ...file, shopping: { mode: 'pick-http', ...shopping } } : file
}

/** Behind trusted proxies a requester is one network; without them, all clients can share one address. */
const proxiedDefaults = { sendCodePerRequester: { max: 30 }, recoveryPerRequester: { max: 20 } }

function withProxiedDefaults(file: unknown): unknown {
  if (!isObject(file)) return file
  const { limits = {} } = file
  if (!isObject(limits)) return file
  const lowered = Object.entries(proxiedDefaults).map(([name, defaults]) => {
    const { [name]: given = {} } = limits
    // Malformed values go on to validation unchanged.
    return [name, isObject(given) ? { ...defaults, ...given } : given]
  })
  return { ...file, limits: { ...limits, ...Object.fromEntries(lowered) } }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// Without the meta-schema, which is slow to compile at startup; a test checks our schemas against it.
const ajv = lazyAjv(
  {
    allErrors: true,
    useDefaults: true,
    discriminator: true,
    strict: false,
    verbose: true,
    meta: false,
    validateSchema: false,
  },
  (ajv) => ajv.addFormat('base-url', isBaseUrl).addFormat('page-url', isPageUrl),
)

const sections: Record<string, TSchema> = FileSchema.properties

/** Validates a file and fills in its defaults. Throws with the faults of all its sections. */
function checkFile(file: unknown, faults: FaultCollector): FileConfig {
  const set = isObject(file) ? Object.keys(sections).filter((name) => Object.hasOwn(file, name)) : []
  const isOutlined = isObject(file) && Object.keys(file).length === set.length
  const schemas = [
    ...(isOutlined ? [] : [['', { ...FileSchema, required: [], properties: emptied(sections) }] as const]),
    ...set.map((name) => [name, { properties: { [name]: sections[name]! } }] as const),
  ]
  const errors = schemas.flatMap(([name, schema]) => errorsIn(name, schema, file))
  errors.map(fileFault).forEach(faults.add)
  if (errors.length > 0) faults.throwIfAny()
  return { ...filledIn(sections), ...(file as object) } as FileConfig
}

const emptied = (properties: object) => Object.fromEntries(Object.keys(properties).map((name) => [name, {}]))

/** By section: compiling those that a file does not set would take a tenth of the start. */
const checks = new Map<string, ValidateFunction>()

/** One for each setting: of several for one, the first is the most exact. */
function errorsIn(name: string, schema: object, file: unknown): ErrorObject[] {
  if (!checks.has(name)) checks.set(name, ajv.compile(schema))
  const isValid = checks.get(name)!
  if (isValid(file)) return []
  return [...new Map(isValid.errors!.toReversed().map((error) => [settingOf(error), error])).values()].toReversed()
}

const settingOf = ({ instancePath, params }: ErrorObject): string =>
  [instancePath, params.additionalProperty ?? params.missingProperty ?? params.tag ?? []].flat().join('/')

/** The settings of a provider that the file leaves out. */
function withDefaults<T extends { adapter: string }>(provider: TSchema, adapter: T['adapter']): T {
  const { oneOf = [] } = provider as FaultySchema
  const { properties } = oneOf.find((choice) => choice.properties.adapter!.const === adapter)!
  return { adapter, ...filledIn(properties) } as T
}

/** The defaults of these settings and of those in them, as Ajv fills them in. */
function filledIn(settings: Record<string, Setting>): object {
  const filled = Object.entries(settings).flatMap(([name, setting]) => {
    const { default: value, properties = {} } = setting
    if (value === undefined) return []
    return [[name, isObject(value) ? { ...filledIn(properties), ...value } : structuredClone(value)]]
  })
  return Object.fromEntries(filled)
}

interface Setting {
  readonly default?: unknown
  readonly properties?: Record<string, Setting>
}

/** An http(s) URL to which paths can be appended. */
function isBaseUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) && !/[?#@\s]/.test(text)
}

/** Exactly three providers: the default names, of which the file may configure any, or three others. */
const namedProviders =
  ({ report }: FaultCollector) =>
  <T>(key: string, configured: Record<string, T>, defaults: string[], missing: (name: string) => T | null) => {
    const names = Object.keys(configured).every((name) => defaults.includes(name)) ? defaults : Object.keys(configured)
    if (names.length !== 3) {
      report(
        key,
        `names ${names.length} providers`,
        `Configure exactly three, or use only the names ${defaults.join(', ')}.`,
      )
    }
    return Object.fromEntries(names.map((name) => [name, configured[name] ?? missing(name)])) as Record<string, T>
  }

const providerOf =
  ({ report }: FaultCollector) =>
  (key: string, value: string, allowed: string[]): string => {
    if (!allowed.includes(value)) report(key, `${abbreviate(value)} is not a provider`, useOneOf(allowed))
    return value
  }
