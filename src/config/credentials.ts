import type { TSchema } from '../base/schema.ts'

/** What a credential is needed for; in the schema it marks the setting that names the variable. */
export type CredentialUse = 'calls' | 'callbacks'

export interface CredentialVariable {
  readonly variable: string
  readonly use: CredentialUse
}

interface SettingsSchema {
  readonly properties?: Readonly<Record<string, { readonly credential?: CredentialUse; readonly const?: unknown }>>
  readonly oneOf?: readonly SettingsSchema[]
}

/** The environment variables that these settings name for credentials. */
export function credentialVariables(schema: TSchema, settings: object): CredentialVariable[] {
  const values = settings as Readonly<Record<string, unknown>>
  const { properties = {} } = chosenSchema(schema as SettingsSchema, values)
  return Object.entries(properties).flatMap(([key, { credential: use }]) => {
    const variable = values[key]
    return use !== undefined && typeof variable === 'string' ? [{ variable, use }] : []
  })
}

/** Of a choice, the schema of the settings' adapter. */
const chosenSchema = (schema: SettingsSchema, { adapter }: Readonly<Record<string, unknown>>): SettingsSchema =>
  schema.oneOf?.find(({ properties }) => properties?.adapter?.const === adapter) ?? schema
