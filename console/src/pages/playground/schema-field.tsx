import { ArrayField } from './array-field.tsx'
import type { FieldProps } from './field-props.ts'
import { ObjectField, VariantField } from './object-field.tsx'
import { type Json, type JsonObject, resolved } from './schema.ts'
import { ValueField } from './value-field.tsx'

/** The input that a part of the contract asks for. */
export function SchemaField(props: FieldProps) {
  const schema = resolved(props.schema, props.components)
  const outer = { ...props, schema, Field: SchemaField }
  if (schema.oneOf) return <VariantField {...outer} value={props.value as JsonObject | undefined} />
  if (schema.type === 'object') return <ObjectField {...outer} value={props.value as JsonObject | undefined} />
  if (schema.type === 'array') return <ArrayField {...outer} value={props.value as Json[] | undefined} />
  return <ValueField {...props} schema={schema} />
}
