/** As much of JSON Schema as the contract's requests use. */
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

/** The shape behind a reference; what stands beside the reference is kept. */
export function resolved(schema: Schema, components: Readonly<Record<string, Schema>>): Schema {
  if (!schema.$ref) return schema
  const { $ref, ...beside } = schema
  return { ...components[$ref.slice($ref.lastIndexOf('/') + 1)], ...beside }
}

/** What a field holds when it is first shown. */
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
