import { type TObjectOptions, type TProperties, type TSchemaOptions, Type } from 'typebox'
import type { ErrorCode } from './errors.ts'

/** The annotation with which a field says what a caller is told when it is missing or wrong. */
export const answers = (code: ErrorCode) => ({ 'x-error-code': code })

/** An object of a response or inside a request: nothing but the stated fields. */
export function closed<P extends TProperties>(properties: P, options: TObjectOptions = {}) {
  return Type.Object(properties, { ...options, additionalProperties: false })
}

/** A closed object that the documents call by its name wherever it appears. */
export function named<P extends TProperties>(title: string, properties: P, options: TObjectOptions = {}) {
  return closed(properties, { title, ...options })
}

/** A request body: a key outside it is UNKNOWN_FIELDS, whatever else is wrong. */
export function request<P extends TProperties>(title: string, properties: P, options: TObjectOptions = {}) {
  return named(title, properties, { ...options, 'x-unknown-fields-code': 'UNKNOWN_FIELDS' satisfies ErrorCode })
}

/** One of the given strings. The stated type lets a long list of them be checked for repeats in linear time. */
export function Choice<V extends string[]>(values: readonly [...V], options: TSchemaOptions = {}) {
  return Type.Enum<V>(values, { type: 'string', ...options })
}

export const DateTime = (description?: string) =>
  Type.String({ format: 'date-time', ...(description && { description }) })
export const Nullable = <T extends ReturnType<typeof DateTime>>(schema: T) => Type.Union([schema, Type.Null()])
