import type { ErrorObject } from '../base/ajv.ts'
import { maskUrl } from './database-url.ts'

/** An invalid setting: the key and what is wrong, without a full stop, and how to fix it. */
export interface SettingFault {
  readonly what: string
  readonly remedy: string
}

/** Invalid settings, one line for each. */
export class ConfigFault extends Error {
  override readonly name = 'ConfigFault'
  readonly faults: readonly SettingFault[]

  constructor(faults: readonly SettingFault[]) {
    super(faults.map(({ what, remedy }) => `${what}. ${remedy}`).join('\n'))
    this.faults = faults
  }
}

/** Values and parser messages may contain line breaks. */
const inOneLine = (text: string) => text.replace(/\s+/g, ' ')

const settingFault = (key: string, fault: string, remedy: string): SettingFault => ({
  what: inOneLine(`${key}: ${fault}`),
  remedy: inOneLine(remedy),
})

export const configFault = (key: string, fault: string, remedy: string) =>
  new ConfigFault([settingFault(key, fault, remedy)])

export type FaultCollector = ReturnType<typeof collectFaults>
export type ReportSetting = FaultCollector['report']

/** Collects all invalid settings, so that one start names all of them. */
export function collectFaults() {
  const found = new Map<string, SettingFault>()
  const add = (fault: SettingFault) => void found.set(fault.what, fault)
  return {
    add,
    /** The caller goes on with a value of its own, because nothing starts with it. */
    report(key: string, fault: string, remedy: string): undefined {
      add(settingFault(key, fault, remedy))
      return undefined
    },
    attempt<T>(work: () => T, otherwise: T): T {
      try {
        return work()
      } catch (error) {
        if (!(error instanceof ConfigFault)) throw error
        error.faults.forEach(add)
        return otherwise
      }
    },
    found: (): SettingFault[] => [...found.values()],
    throwIfAny(): void {
      if (found.size > 0) throw new ConfigFault([...found.values()])
    },
  }
}

/** What a setting of the configuration file breaks. */
export function fileFault({ instancePath, keyword, params, message, data, parentSchema }: ErrorObject): SettingFault {
  const path = instancePath.split('/').slice(1)
  const { description, patternProperties, oneOf = [] } = (parentSchema ?? {}) as FaultySchema
  const at = (...more: string[]) => [...path, ...more].join('.') || 'GATEWAY_CONFIG'
  switch (keyword) {
    case 'additionalProperties':
      return patternProperties
        ? settingFault(
            at(params.additionalProperty),
            'is not a valid name',
            `Use a name that matches ${Object.keys(patternProperties)[0]}.`,
          )
        : settingFault(
            at(params.additionalProperty),
            'is not a known key',
            'Remove it; docs/configuration.md lists them all.',
          )
    case 'required':
      return settingFault(at(params.missingProperty), 'is missing', 'Add it; docs/configuration.md describes it.')
    case 'discriminator': {
      const choices = oneOf.map(({ properties }) => properties[params.tag]!.const)
      return settingFault(at(params.tag), `${abbreviate(params.tagValue)} is not a valid choice`, useOneOf(choices))
    }
    case 'enum':
      return settingFault(at(), `${abbreviate(data)} is not a valid choice`, useOneOf(params.allowedValues))
    default: {
      const meaning = description ? ` It means: ${description}` : ''
      return settingFault(
        at(),
        `${message}, not ${abbreviate(data)}`,
        `Correct it in the configuration file.${meaning}`,
      )
    }
  }
}

export interface FaultySchema {
  description?: string
  patternProperties?: Record<string, object>
  oneOf?: { properties: Record<string, { readonly const: string; readonly default?: unknown }> }[]
}

export const useOneOf = (choices: readonly string[]) => `Use one of ${choices.join(', ')}.`

export function abbreviate(value: unknown): string {
  const isUrl = typeof value === 'string' && value.includes('://')
  const text = JSON.stringify(isUrl ? maskUrl(value) : value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}
