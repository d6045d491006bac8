import { type TObjectOptions, type TProperties, Type } from 'typebox'
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

export const DateTime = (description?: string) =>
  Type.String({ format: 'date-time', ...(description && { description }) })
export const Nullable = <T extends ReturnType<typeof DateTime>>(schema: T) => Type.Union([schema, Type.Null()])
