import type { ComponentType } from 'react'
import type { Json, JsonObject, Schema } from './schema.ts'

export interface FieldProps {
  readonly name: string
  readonly schema: Schema
  readonly components: Readonly<Record<string, Schema>>
  /** Undefined: the field is left out of the request. */
  readonly value: Json | undefined
  readonly isRequired: boolean
  readonly onChange: (value: Json | undefined) => void
  /** The object that it is a field of. */
  readonly siblings?: JsonObject
}

/** For a field with fields inside. It is given the component that draws them, because importing that would be a circle. */
export interface OuterFieldProps<Value> extends Omit<FieldProps, 'value'> {
  readonly value: Value | undefined
  readonly Field: ComponentType<FieldProps>
}
