import type { TSchema } from 'typebox'
import type { ErrorCode } from '../errors.ts'
import type { Operation, ResponseRow } from '../operation.ts'
import { errorsOf } from '../operations/access.ts'
import type { OperatorApiCode } from './errors.ts'
import { type Permission, permissions } from './roles.ts'
import type { OperatorTag } from './tags.ts'

export interface OperatorOperation extends Operation<OperatorApiCode, OperatorTag> {
  /** What the operator's role must permit; null for whatever every signed-in operator may do. */
  readonly permission: Permission | null
  /** Works while the first password has not been changed. */
  readonly isBeforePasswordChange?: true
  /** Works while one-time codes have not been set up, although they are needed. So does what works before a password change. */
  readonly isBeforeEnrolment?: true
  /** Pages ask for it by themselves, so that it does not count as activity: an open page must not keep a session alive. */
  readonly isPolled?: true
}

type OperationRow = Pick<OperatorOperation, 'id' | 'tag' | 'path' | 'summary'> &
  Partial<
    Pick<
      OperatorOperation,
      'description' | 'pathParameters' | 'queryParameters' | 'isBeforePasswordChange' | 'isBeforeEnrolment' | 'isPolled'
    >
  > & { readonly ownErrors?: readonly OperatorApiCode[] }

/** Something that every signed-in operator may look at. */
export function operatorView({ answer, ownErrors = [], ...row }: OperationRow & { readonly answer: ResponseRow }) {
  return {
    ...row,
    method: 'GET',
    access: 'session',
    permission: null,
    takesIdempotencyKey: false,
    responses: [answer],
    errors: errorsOfSession('session', row, ownErrors),
  } satisfies OperatorOperation
}

export interface ActionRow extends OperationRow {
  readonly permission: Permission | null
  readonly request: TSchema
  readonly requestExample: unknown
  readonly answers: readonly ResponseRow[]
}

/** Something that changes state, or that needs private data in its body. */
export function operatorAction({ answers, ownErrors = [], description, ...row }: ActionRow): OperatorOperation {
  const needs = row.permission && `Needs the role \`${permissions[row.permission]}\` or a higher one.`
  const forbidden: OperatorApiCode[] = row.permission ? ['ROLE_NOT_ALLOWED'] : []
  return {
    ...row,
    description: [description ?? `${row.summary}.`, needs].filter(Boolean).join(' '),
    method: 'POST',
    access: 'session-write',
    takesIdempotencyKey: false,
    responses: answers,
    errors: errorsOfSession('session-write', row, [...forbidden, ...ownErrors]),
  }
}

function errorsOfSession(
  access: 'session' | 'session-write',
  { isBeforePasswordChange, isBeforeEnrolment }: Pick<OperationRow, 'isBeforePasswordChange' | 'isBeforeEnrolment'>,
  own: readonly OperatorApiCode[],
): OperatorApiCode[] {
  const change: OperatorApiCode[] = isBeforePasswordChange ? [] : ['PASSWORD_CHANGE_REQUIRED']
  const enrol: OperatorApiCode[] = isBeforePasswordChange || isBeforeEnrolment ? [] : ['TOTP_ENROLMENT_REQUIRED']
  return [...new Set<OperatorApiCode>([...errorsOf(access), ...change, ...enrol, ...own])]
}

/** For operations without a session. */
export const openErrors = (access: 'public' | 'origin', own: readonly OperatorApiCode[] = []): OperatorApiCode[] => [
  ...new Set<OperatorApiCode>([...(errorsOf(access) as ErrorCode[]), ...own]),
]

export const answered = (description: string, schema: TSchema, example: unknown, status = 200): ResponseRow => ({
  status,
  description,
  contentType: 'application/json',
  schema,
  example,
})
