import { type TSchema, Type } from '../base/schema.ts'
import type { OperatorApiCode, OperatorErrorCode } from '../contract/error-codes/operators.ts'
import type { ErrorCode } from '../contract/errors.ts'
import { closed, DateTime, failsWith, Nullable, request } from '../contract/field.ts'
import type { Operation, ResponseRow } from '../contract/operation.ts'
import {
  errorsOf,
  type Stated,
  type ViewOf,
  type ViewRow,
  view,
  type WriteOf,
  type WriteRow,
  write,
} from '../contract/operations/access.ts'
import { type Permission, permissions } from './roles.ts'

/** The sections of the operator's document, in order. */
export const operatorTags = {
  Session: 'Signing in and out, and your own password and one-time codes.',
  Overview: 'What happens now: calls, credits, providers, reviews and instances.',
  Accounts: 'Accounts with their ledger, orders, keys, charges and sign-ins, and what an operator can do about them.',
  Credits: 'Grants and withdrawals, and those that wait for a second operator.',
  Reviews: 'Calls with an uncertain outcome, whose credits stay reserved until an operator decides.',
  Payments: 'Payments and their refunds, and the comparison with the bills of the payment providers.',
  Providers: 'Their state on this instance, and taking them out of service on all instances.',
  Incidents: 'What the public status page says about outages and maintenance.',
  Audit: 'Who did what, when, on what and why.',
  Reconcile: 'Recomputing the books from their rows.',
  Settings: 'The effective configuration without secrets, and what doctor finds.',
  Operators: 'Who may sign in here.',
  Monitoring: 'Health and metrics of this instance, and this document.',
} as const

type OperatorTag = keyof typeof operatorTags

export interface OperatorOperation extends Operation<OperatorApiCode, OperatorTag> {
  /** What the operator's role must permit; null if every signed-in operator may do it. */
  readonly permission: Permission | null
  /** Works while the first password has not been changed. */
  readonly isBeforePasswordChange?: true
  /** Works while one-time codes have not been set up, although they are needed. So does what works before a password change. */
  readonly isBeforeEnrolment?: true
  /** Pages ask for it by themselves, so that it does not count as activity: an open page must not keep a session alive. */
  readonly isPolled?: true
  /** Its commands, where they differ from the one that its id and path name. */
  readonly commands?: readonly OperatorCommand[]
}

/** A command that runs an operation. Its options are the fields of the request, its errors those of the operation. */
export interface OperatorCommand {
  /** Such as `credits grant <projectId> <credits>`; the arguments are parameters of the path or fields of the request. */
  readonly usage?: string
  /** The summary of the operation by default. */
  readonly description?: string
  /** Fields of the request that the command itself fills in. */
  readonly fixed?: Readonly<Record<string, unknown>>
  /** A field whose values are options of their own, such as `--credit` and `--refund`. */
  readonly flags?: string
  /** Fields that the request needs, and an operator at the machine may leave out. */
  readonly defaults?: Readonly<Record<string, string>>
  /** What is printed with `--json`; the response by default. */
  readonly shows?: (response: never, given: CommandGiven) => object
  /** What is printed without `--json`; a list of the facts by default. */
  readonly says?: (shown: never) => string
  /** Whether what is shown is a failure: then the exit code is 1. */
  readonly isFailure?: (shown: never) => boolean
}

/** Who ran a command, and with what. */
export interface CommandGiven {
  readonly by: string
  readonly params: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

type OperationRow = Pick<OperatorOperation, 'id' | 'tag' | 'path' | 'summary'> &
  Partial<
    Pick<
      OperatorOperation,
      'description' | 'pathParameters' | 'isBeforePasswordChange' | 'isBeforeEnrolment' | 'isPolled'
    >
  > & { readonly ownErrors?: readonly OperatorApiCode[] }

interface OperatorViewRow extends OperationRow {
  readonly queryParameters?: Readonly<Record<string, TSchema>>
  readonly response: ResponseRow
}

/** Something that every signed-in operator may look at. */
export function operatorView<const R extends OperatorViewRow>(row: R) {
  const ownErrors = [...errorsOfState(row), ...(row.ownErrors ?? [])] as ErrorCode[]
  return { ...view({ ...(row as OperatorViewRow & ViewRow), ownErrors }), permission: null } as unknown as ViewOf<
    R,
    Stated<OperatorOperation>
  >
}

interface ActionRow extends OperationRow {
  readonly permission: Permission | null
  readonly commands?: readonly OperatorCommand[]
  /** An empty object by default. */
  readonly request?: TSchema
  readonly requestExample?: unknown
  readonly responses: readonly ResponseRow[]
}

/** Something that changes state, or that needs private data in its body. */
export function operatorAction<const R extends ActionRow>(row: R) {
  const needs = row.permission && `Needs the role \`${permissions[row.permission]}\` or a higher one.`
  const description = [row.description ?? `${row.summary}.`, needs].filter(Boolean).join(' ')
  const forbidden: OperatorApiCode[] = row.permission ? ['ROLE_NOT_ALLOWED'] : []
  const ownErrors = [...errorsOfState(row), ...forbidden, ...(row.ownErrors ?? [])] as ErrorCode[]
  return write({ ...(row as ActionRow & WriteRow), description, ownErrors }) as unknown as WriteOf<
    R,
    Stated<OperatorOperation>
  >
}

/** What an operator gets who must change the password or set up one-time codes first. */
function errorsOfState({ isBeforePasswordChange, isBeforeEnrolment }: OperationRow): OperatorApiCode[] {
  if (isBeforePasswordChange) return []
  return isBeforeEnrolment ? ['PASSWORD_CHANGE_REQUIRED'] : ['PASSWORD_CHANGE_REQUIRED', 'TOTP_ENROLMENT_REQUIRED']
}

/** For operations without a session. */
export const openErrors = (access: 'public' | 'origin', own: readonly OperatorApiCode[] = []): OperatorApiCode[] => [
  ...new Set<OperatorApiCode>([...(errorsOf(access) as ErrorCode[]), ...own]),
]

/** What a second operator decides about. */
export const approvalSubjects = ['movement', 'refund', 'refund_decision', 'payment_end'] as const

export const accountIdPattern = '^acc_[A-Za-z0-9]+$'
export const projectIdPattern = '^prj_[A-Za-z0-9]+$'

export const Count = (description?: string) => Type.Integer({ minimum: 0, ...(description && { description }) })
export const Text = (description?: string) => Type.String({ minLength: 1, ...(description && { description }) })
export const OrNull = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })
export const Time = DateTime
export const TimeOrNull = (description?: string) => Nullable(DateTime(description))

const fails = (code: OperatorErrorCode) => failsWith(code)

const control = '\\u0000-\\u001f\\u007f-\\u009f'
/** Not blank, and without control characters and line breaks but for white space at both ends, which the action cuts. */
export const oneLinePattern = `^\\s*[^\\s${control}](?:[^${control}\\u2028\\u2029]*[^\\s${control}])?\\s*$`

export const Reason = () =>
  Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: oneLinePattern,
    description: 'Why, in one line of at most 500 characters; it is stored in the audit log.',
    ...fails('REASON_INVALID'),
  })
export const Reference = () =>
  Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: oneLinePattern,
    description:
      'The number of a bank transfer or ticket, in one line. It can be used once per project and kind of movement, and must not begin like an ID of a refund, payment, approval or order.',
    ...fails('REFERENCE_INVALID'),
  })

export const ReasonRequest = request('ReasonRequest', { reason: Reason() })
export const OptionalReasonRequest = request('OptionalReasonRequest', {
  reason: Type.Optional(Reason()),
})

const operatorPage = { minimum: 1, maximum: 100, default: 50 } as const

export const listParameters = (idPattern: string) => ({
  after: Type.String({ pattern: idPattern, maxLength: 64, description: 'The nextAfter of the previous page.' }),
  limit: Type.Integer({ ...operatorPage, description: 'The maximum number of rows per page.' }),
})

export interface ListParameters {
  readonly after?: string
  readonly limit: number
}

export const Fault = () => closed({ code: Type.String({ pattern: '^[A-Z_]+$' }), message: Text() })

/** An id in a path; unknown and malformed ones get the same code. */
export const idParameter = <Code extends OperatorErrorCode>(pattern: string, code: Code) => ({
  pattern,
  code,
})
