import { readFileSync } from 'node:fs'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type FileConfig, FileSchema, type ModelProviderConfig, type ShopProviderConfig } from './config-schema.ts'
import { type Address, variables } from './config-variables.ts'
import type { PaymentMode } from './contract/prices.ts'
import type { ProviderNames } from './contract/schemas/business.ts'

export interface Config extends Omit<FileConfig, 'models' | 'shopping'> {
  readonly origin: URL
  readonly isLoopback: boolean
  readonly listen: Address
  readonly operatorListen: Address | null
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly secret: string | undefined
  readonly paymentMode: PaymentMode
  readonly sms: 'outbox' | 'failing' | 'disabled'
  readonly logLevel: string
  readonly providerNames: ProviderNames
  readonly models: { readonly default: string; readonly providers: Readonly<Record<string, ModelProviderConfig>> }
  readonly shopping: Omit<FileConfig['shopping'], 'providers'> & {
    readonly providers: Readonly<Record<string, ShopProviderConfig | null>>
  }
  /** Reads a provider's credential at the moment of the call, so that it is never kept. */
  readonly credential: (variable: string) => string | undefined
}

/** A wrong value: one line that names the key, its fault and the remedy. */
export class ConfigFault extends Error {
  constructor(key: string, fault: string, remedy: string) {
    super(`${key}: ${fault}. ${remedy}`)
    this.name = 'ConfigFault'
  }
}

type Environment = Readonly<Record<string, string | undefined>>

export function loadConfig(environment: Environment = process.env): Config {
  const read = variables(environment, (key, fault, remedy) => new ConfigFault(key, fault, remedy))
  const file = loadFile(read.configFile)
  const models = withNames(
    'models.providers',
    file.models.providers,
    defaultNames('model'),
    (): ModelProviderConfig => defaultModel,
  )
  const shops = withNames(
    'shopping.providers',
    file.shopping.providers,
    defaultNames('shop'),
    (): ShopProviderConfig | null => null,
  )
  const modelNames = Object.keys(models)
  return {
    ...file,
    ...read,
    providerNames: { models: modelNames, shops: Object.keys(shops) },
    models: { default: oneOf('models.default', file.models.default ?? modelNames[0]!, modelNames), providers: models },
    shopping: { ...file.shopping, providers: shops },
    credential: (variable) => environment[variable] || undefined,
  }
}

const defaultModel: ModelProviderConfig = {
  adapter: 'local',
  models: ['local-small', 'local-large'],
  maxPromptChars: 8000,
}
const defaultNames = (kind: 'model' | 'shop') => ['a', 'b', 'c'].map((letter) => `${kind}_provider_${letter}`)

function loadFile(path: string | undefined): FileConfig {
  let value: unknown = {}
  if (path !== undefined) {
    try {
      value = JSON.parse(readFileSync(path, 'utf8'))
    } catch (error) {
      throw new ConfigFault(
        'GATEWAY_CONFIG',
        `cannot read ${path} as JSON (${(error as Error).message})`,
        'Name a readable JSON file.',
      )
    }
  }
  const ajv = new Ajv2020({ useDefaults: true, discriminator: true, strict: false, verbose: true })
  addFormats.default(ajv)
  if (!ajv.validate(FileSchema, value)) throw fileFault(ajv.errors![0]!)
  return value as FileConfig
}

function fileFault({ instancePath, keyword, params, message, data, parentSchema }: ErrorObject): ConfigFault {
  const path = instancePath.split('/').slice(1)
  const { description } = (parentSchema ?? {}) as { description?: string }
  const meaning = description ? ` It means: ${description}` : ''
  if (keyword === 'additionalProperties') {
    return new ConfigFault(
      [...path, params.additionalProperty].join('.'),
      'is not a known key',
      'Remove it; docs/configuration.md lists them all.',
    )
  }
  if (keyword === 'required') {
    return new ConfigFault(
      [...path, params.missingProperty].join('.'),
      'is missing',
      'Add it; docs/configuration.md describes it.',
    )
  }
  return new ConfigFault(
    path.join('.') || 'GATEWAY_CONFIG',
    `${message}, not ${JSON.stringify(data)}`,
    `Correct it in the configuration file.${meaning}`,
  )
}

/** Three names in all: the default ones, of which a file states only what differs, or three others. */
function withNames<T>(
  key: string,
  stated: Record<string, T>,
  defaults: string[],
  missing: () => T | null,
): Record<string, T> {
  const names = Object.keys(stated).every((name) => defaults.includes(name)) ? defaults : Object.keys(stated)
  if (names.length !== 3) {
    throw new ConfigFault(
      key,
      `names ${names.length} providers`,
      `State exactly three, or use only the names ${defaults.join(', ')}.`,
    )
  }
  return Object.fromEntries(names.map((name) => [name, stated[name] ?? missing()])) as Record<string, T>
}

function oneOf(key: string, value: string, allowed: string[]): string {
  if (!allowed.includes(value))
    throw new ConfigFault(key, `"${value}" is not a provider`, `Use one of ${allowed.join(', ')}.`)
  return value
}
