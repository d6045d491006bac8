import { type TObject, type TObjectOptions, type TProperties, type TSchemaOptions, Type } from '../base/schema.ts'
import { invisibleCharacters } from './choices.ts'
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

export const pickFields = <P extends TProperties, F extends keyof P & string>(
  { properties }: TObject<P>,
  fields: readonly F[],
): Pick<P, F> => Object.fromEntries(fields.map((field) => [field, properties[field]])) as Pick<P, F>

/** A request body: an extra field is UNKNOWN_FIELDS, even if other fields are wrong too. */
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

/** What a person calls something of theirs. */
export const DisplayName = () =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    // Not blank.
    pattern: `^(?=.*\\S)[^${invisibleCharacters}]+$`,
    wellFormed: true,
    ...failsWith('INVALID_NAME'),
  })

export const ErrorEnvelope = (codes: readonly string[]) =>
  closed({
    error: closed({
      code: Choice(codes, { description: 'Rely on the code, never on the message.' }),
      message: Type.String({ minLength: 1 }),
    }),
  })

/** 202: the outcome is uncertain and the credits stay reserved. */
export const ManualReview = (operation: string) =>
  closed({
    status: Type.Literal('manual_review'),
    operation: Type.Literal(operation),
    reservedCredits: Type.Integer({ minimum: 0, description: 'Credits that stay reserved until an operator decides.' }),
    chargeId: Type.String({ pattern: '^chg_[A-Za-z0-9]+$', description: 'Include it when you contact the operator.' }),
    resolution: Type.Optional(Type.Literal('settled', { description: 'Present once an operator settled the charge.' })),
  })

export const EmptyRequest = () => request('EmptyRequest', {})

export const jobIdPattern = '^job_[A-Za-z0-9]+$'

export const chargeIdPattern = '^chg_[A-Za-z0-9]+$'

export const paymentIdPattern = '^pay_[A-Za-z0-9]+$'
