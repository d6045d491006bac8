import { queryOptions } from '@tanstack/react-query'
import { Refused, Unreachable } from '../../api/ask.ts'
import { readOrTakeEarly } from '../../api/early-reads.ts'
import { paths } from '../../installation.ts'

/** The subset of JSON Schema that the contract's requests use. */
export interface Schema {
  readonly $ref?: string
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'boolean'
  readonly title?: string
  readonly description?: string
  readonly const?: string
  readonly enum?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly oneOf?: readonly Schema[]
  readonly discriminator?: { readonly propertyName: string }
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }
export type JsonObject = { readonly [name: string]: Json }

/** The shape behind a reference; other keywords of the schema are kept. */
export function resolved(schema: Schema, components: Readonly<Record<string, Schema>>): Schema {
  if (!schema.$ref) return schema
  const { $ref, ...others } = schema
  return { ...components[$ref.slice($ref.lastIndexOf('/') + 1)], ...others }
}

export function startOf(schema: Schema, components: Readonly<Record<string, Schema>>): Json {
  const shape = resolved(schema, components)
  if (shape.const !== undefined) return shape.const
  if (shape.oneOf) return startOf(shape.oneOf[0]!, components)
  switch (shape.type) {
    case 'object':
      return Object.fromEntries(
        (shape.required ?? []).map((name) => [name, startOf(shape.properties![name]!, components)]),
      )
    case 'array':
      return Array.from({ length: shape.minItems ?? 0 }, () => startOf(shape.items!, components))
    case 'integer':
      return shape.minimum ?? 0
    case 'boolean':
      return false
    default:
      return shape.enum?.[0] ?? ''
  }
}

export interface FieldProps {
  readonly name: string
  readonly schema: Schema
  readonly components: Readonly<Record<string, Schema>>
  /** Undefined: the field is left out of the request. */
  readonly value: Json | undefined
  readonly isRequired: boolean
  readonly onChange: (value: Json | undefined) => void
  /** The object that contains the field. */
  readonly siblings?: JsonObject
}

export interface PublishedContract {
  readonly paths: Readonly<Record<string, { readonly post?: PublishedOperation }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export interface PublishedOperation {
  readonly operationId: string
  readonly 'x-credits': number
  readonly 'x-scope': string
  readonly requestBody: { readonly content: { readonly 'application/json': { schema: Schema; example: object } } }
}

/** The published OpenAPI document, with the configured provider names. */
export const contractQuery = queryOptions({
  queryKey: ['contract'],
  async queryFn(): Promise<PublishedContract> {
    const response = await readOrTakeEarly(paths.openapi).catch((cause) => {
      throw new Unreachable(cause)
    })
    if (!response.ok) throw new Refused('INTERNAL_ERROR', response)
    return response.json()
  },
  staleTime: Number.POSITIVE_INFINITY,
})
