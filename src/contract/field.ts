import { type TObjectOptions, type TProperties, type TSchemaOptions, Type } from 'typebox'
import type { ErrorCode } from './errors.ts'

/** Annotates a field with the error code for a missing or invalid value. */
export const failsWith = <Code extends string = ErrorCode>(code: Code) => ({ 'x-error-code': code })

/** An object with no other fields than these. */
export function closed<P extends TProperties>(properties: P, options: TObjectOptions = {}) {
  return Type.Object(properties, { ...options, additionalProperties: false })
}

/** A closed object that the documents define once, under its title. */
export function named<P extends TProperties>(title: string, properties: P, options: TObjectOptions = {}) {
  return closed(properties, { title, ...options })
}

/** A request body: an extra field is UNKNOWN_FIELDS, whatever else is wrong. */
export function request<P extends TProperties>(title: string, properties: P, options: TObjectOptions = {}) {
  return named(title, properties, { ...options, 'x-unknown-fields-code': 'UNKNOWN_FIELDS' satisfies ErrorCode })
}

/** One of the given strings. With the explicit type, ajv checks `uniqueItems` of long lists in linear time. */
export function Choice<V extends string[]>(values: readonly [...V], options: TSchemaOptions = {}) {
  return Type.Enum<V>(values, { type: 'string', ...options })
}

export const DateTime = (description?: string) =>
  Type.String({ format: 'date-time', ...(description && { description }) })
export const Nullable = <T extends ReturnType<typeof DateTime>>(schema: T) => Type.Union([schema, Type.Null()])
