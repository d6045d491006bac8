import type { ErrorCode } from '../errors.ts'
import type { Operation, ResponseRow } from '../operation.ts'
import { errorsOf } from '../operations/access.ts'

export type View = Pick<Operation, 'id' | 'tag' | 'path' | 'summary'> &
  Partial<Pick<Operation, 'description' | 'pathParameters' | 'queryParameters'>> & {
    readonly answer: ResponseRow
    readonly ownErrors?: readonly ErrorCode[]
  }

/** Something to look at with the session alone. */
export function view({ answer, ownErrors, ...row }: View): Operation {
  return {
    ...row,
    method: 'GET',
    access: 'session',
    takesIdempotencyKey: false,
    responses: [answer],
    errors: errorsOf('session', ownErrors),
  }
}
