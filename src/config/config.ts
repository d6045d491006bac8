import { readFileSync } from 'node:fs'
import type { BlockList } from 'node:net'
import { type ErrorObject, lazyAjv, type ValidateFunction } from '../base/ajv.ts'
import type { TSchema } from '../base/schema.ts'
import type { ProviderNames } from '../contract/choices.ts'
import type { PaymentMode } from '../contract/prices.ts'
import { maskUrl } from './database-url.ts'
import { chosenEmail, chosenSms, type EmailConfig, type SmsConfig } from './delivery.ts'
import { chosenPayments } from './payments-schema.ts'
import { MediaProvider, ModelProvider } from './provider-schema.ts'
import {
  type FileConfig,
  FileSchema,
  type MediaProviderConfig,
  type ModelProviderConfig,
  type ShopProviderConfig,
} from './schema.ts'
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

/** An invalid setting, in one line: the key, what is wrong and how to fix it. */
export class ConfigFault extends Error {
  constructor(key: string, fault: string, remedy: string) {
    // Values and parser messages may contain line breaks.
    super(`${key}: ${fault}. ${remedy}`.replace(/\s+/g, ' '))
    this.name = 'ConfigFault'
  }
}

type Environment = Readonly<Record<string, string | undefined>>

export function loadConfig(environment: Environment = process.env): Config {
  const { smsAdapter, emailAdapter, ...read } = readVariables(
    environment,
    (key, fault, remedy) => new ConfigFault(key, fault, remedy),
  )
  const file = loadFile(read.configFile, {
    isProxied: read.trustedProxies.rules.length > 0,
    isLoopback: read.isLoopback,
  })
  // A public gateway must not sell the responses of local adapters because a provider was left out.
  const leftOut = read.isLoopback ? 'local' : 'disabled'
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
  checkRetention(file.charges)
  checkWitnesses(file.transparency.witnesses, configFault)
  const modelNames = Object.keys(models)
  const mediaNames = Object.keys(media)
  return {
    ...file,
    ...read,
    providerNames: { models: modelNames, shops: Object.keys(shops) },
    models: {
      default: requireOneOf('models.default', file.models.default ?? modelNames[0]!, modelNames),
      providers: models,
    },
    shopping: { ...file.shopping, providers: shops },
    sms: chosenSms(smsAdapter, file.sms, missingSetting),
    email: chosenEmail(emailAdapter, file.email, missingSetting),
    payments: chosenPayments(file.payments, read.isLoopback, configFault),
    media: {
      ...file.media,
      default: requireOneOf('media.default', file.media.default ?? mediaNames[0]!, mediaNames),
      providers: media,
    },
    credential: (variable) => environment[variable] || undefined,
  }
}

/** A stored response can be replayed only while its charge is in the store. */
function checkRetention({ resultDays, retentionDays }: FileConfig['charges']): void {
  if (retentionDays === null || retentionDays >= resultDays) return
  throw new ConfigFault(
    'charges.retentionDays',
    `is ${retentionDays}, which is less than charges.resultDays (${resultDays})`,
    'Archive later, or keep stored responses for a shorter time.',
  )
}

const configFault = (key: string, fault: string, remedy: string) => new ConfigFault(key, fault, remedy)

const missingSetting = (key: string, neededBy: string) =>
  new ConfigFault(key, `is missing, and ${neededBy} needs it`, 'Add it; docs/configuration.md describes it.')

const defaultNames = (kind: 'model' | 'shop' | 'media') => ['a', 'b', 'c'].map((letter) => `${kind}_provider_${letter}`)

interface Surroundings {
  readonly isProxied: boolean
  readonly isLoopback: boolean
}

function loadFile(path: string | undefined, { isProxied, isLoopback }: Surroundings): FileConfig {
  let value: unknown = {}
  if (path !== undefined) {
    try {
      value = JSON.parse(readFileSync(path, 'utf8'))
    } catch (error) {
      throw new ConfigFault(
        'GATEWAY_CONFIG',
        `cannot read ${path} as JSON (${(error as Error).message})`,
        'Set it to the path of a readable JSON file.',
      )
    }
  }
  const asPublic = isLoopback ? value : withPublicDefaults(value)
  return checkFile(isProxied ? withProxiedDefaults(asPublic) : asPublic)
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
  { useDefaults: true, discriminator: true, strict: false, verbose: true, meta: false, validateSchema: false },
  (ajv) => ajv.addFormat('base-url', isBaseUrl),
)

const sections: Record<string, TSchema> = FileSchema.properties

/** Validates a file and fills in its defaults. */
function checkFile(file: unknown): FileConfig {
  const set = isObject(file) ? Object.keys(sections).filter((name) => Object.hasOwn(file, name)) : []
  const isOutlined = isObject(file) && Object.keys(file).length === set.length
  if (!isOutlined) check('', { ...FileSchema, required: [], properties: emptied(sections) }, file)
  for (const name of set) check(name, { properties: { [name]: sections[name]! } }, file)
  return { ...filledIn(sections), ...(file as object) } as FileConfig
}

const emptied = (properties: object) => Object.fromEntries(Object.keys(properties).map((name) => [name, {}]))

/** By section: compiling those that a file does not set would take a tenth of the start. */
const checks = new Map<string, ValidateFunction>()

function check(name: string, schema: object, file: unknown): void {
  if (!checks.has(name)) checks.set(name, ajv.compile(schema))
  const isValid = checks.get(name)!
  if (!isValid(file)) throw fileFault(isValid.errors![0]!)
}

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

function fileFault({ instancePath, keyword, params, message, data, parentSchema }: ErrorObject): ConfigFault {
  const path = instancePath.split('/').slice(1)
  const { description, patternProperties, oneOf = [] } = (parentSchema ?? {}) as FaultySchema
  const at = (...more: string[]) => [...path, ...more].join('.') || 'GATEWAY_CONFIG'
  switch (keyword) {
    case 'additionalProperties':
      return patternProperties
        ? new ConfigFault(
            at(params.additionalProperty),
            'is not a valid name',
            `Use a name that matches ${Object.keys(patternProperties)[0]}.`,
          )
        : new ConfigFault(
            at(params.additionalProperty),
            'is not a known key',
            'Remove it; docs/configuration.md lists them all.',
          )
    case 'required':
      return new ConfigFault(at(params.missingProperty), 'is missing', 'Add it; docs/configuration.md describes it.')
    case 'discriminator': {
      const choices = oneOf.map(({ properties }) => properties[params.tag]!.const)
      return new ConfigFault(at(params.tag), `${abbreviate(params.tagValue)} is not a valid choice`, useOneOf(choices))
    }
    case 'enum':
      return new ConfigFault(at(), `${abbreviate(data)} is not a valid choice`, useOneOf(params.allowedValues))
    default: {
      const meaning = description ? ` It means: ${description}` : ''
      return new ConfigFault(
        at(),
        `${message}, not ${abbreviate(data)}`,
        `Correct it in the configuration file.${meaning}`,
      )
    }
  }
}

interface FaultySchema {
  description?: string
  patternProperties?: Record<string, object>
  oneOf?: { properties: Record<string, Setting & { const: string }> }[]
}

const useOneOf = (choices: readonly string[]) => `Use one of ${choices.join(', ')}.`

function abbreviate(value: unknown): string {
  const isUrl = typeof value === 'string' && value.includes('://')
  const text = JSON.stringify(isUrl ? maskUrl(value) : value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}

/** Exactly three providers: the default names, of which the file may configure any, or three others. */
function threeProviders<T>(
  key: string,
  configured: Record<string, T>,
  defaults: string[],
  missing: (name: string) => T | null,
): Record<string, T> {
  const names = Object.keys(configured).every((name) => defaults.includes(name)) ? defaults : Object.keys(configured)
  if (names.length !== 3) {
    throw new ConfigFault(
      key,
      `names ${names.length} providers`,
      `Configure exactly three, or use only the names ${defaults.join(', ')}.`,
    )
  }
  return Object.fromEntries(names.map((name) => [name, configured[name] ?? missing(name)])) as Record<string, T>
}

function requireOneOf(key: string, value: string, allowed: string[]): string {
  if (!allowed.includes(value)) throw new ConfigFault(key, `${abbreviate(value)} is not a provider`, useOneOf(allowed))
  return value
}
