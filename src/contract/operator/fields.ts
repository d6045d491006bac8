import { type TSchema, Type } from 'typebox'
import { closed, DateTime, failsWith, Nullable, named, request } from '../field.ts'
import type { OperatorErrorCode } from './errors.ts'

export const accountIdPattern = '^acc_[A-Za-z0-9]+$'
export const projectIdPattern = '^prj_[A-Za-z0-9]+$'

export const Count = (description?: string) => Type.Integer({ minimum: 0, ...(description && { description }) })
export const Text = (description?: string) => Type.String({ minLength: 1, ...(description && { description }) })
export const OrNull = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })
export const Time = DateTime
export const TimeOrNull = (description?: string) => Nullable(DateTime(description))

const fails = (code: OperatorErrorCode) => failsWith(code)

/** Trimmed and checked for line breaks by the action itself. */
export const Reason = () =>
  Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'Why, in one line of at most 500 characters; it is stored in the audit log.',
    ...fails('REASON_INVALID'),
  })
export const Reference = () =>
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The number of a bank transfer or ticket. It counts once per project and kind of movement.',
    ...fails('REFERENCE_INVALID'),
  })

export const ReasonRequest = request('ReasonRequest', { reason: Reason() })
export const OptionalReasonRequest = request('OptionalReasonRequest', {
  reason: Type.Optional(Reason()),
})

export const operatorPage = { minimum: 1, maximum: 100, default: 50 } as const

/** A page of a list in a fixed order: send `nextAfter` as `after` until it is null. */
export const ListPage = <T extends TSchema>(title: string, item: T) =>
  named(title, {
    items: Type.Array(item, { maxItems: operatorPage.maximum }),
    nextAfter: OrNull(Text(), 'Send it as `after` for the next page; null when there is none.'),
  })

export const listParameters = (idPattern: string) => ({
  after: Type.String({ pattern: idPattern, maxLength: 64, description: 'The nextAfter of the page before.' }),
  limit: Type.Integer({ ...operatorPage, description: 'The most rows of a page.' }),
})

export interface ListParameters {
  readonly after?: string
  readonly limit: number
}

export const Fault = () => closed({ code: Type.String({ pattern: '^[A-Z_]+$' }), message: Text() })

/** An id in a path; unknown and malformed ones get the same code. */
export const idParameter = <Code extends OperatorErrorCode>(pattern: string, code: Code, example: string) => ({
  pattern,
  code,
  example,
})
