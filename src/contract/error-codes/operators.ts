import type { ErrorCode } from '../errors.ts'
import { errors } from '../errors.ts'
import type { ErrorRow } from './requests.ts'

/** Why an operator's action is refused: the status of the operator's API, the meaning, and what to do. */
export const operatorErrors = {
  // Signing in
  GATEWAY_AUTH_REQUIRED: row(401, 'You are not signed in, or the session has ended.', 'Sign in again.'),
  AUTHENTICATION_FAILED: row(
    401,
    'The name, the password or the one-time code is wrong, or the operator is disabled or not yet approved.',
    'Correct them and try again.',
  ),
  TOTP_REQUIRED: row(401, 'This sign-in needs a one-time code.', 'Send the code of your authenticator app as totp.'),
  TOTP_ENROLMENT_REQUIRED: row(
    403,
    'One-time codes must be set up before anything else.',
    'Send POST /api/me/totp and then POST /api/me/totp/confirm.',
  ),
  OPERATOR_LOCKED: row(
    403,
    'The operator is locked after five wrong one-time codes in a row.',
    'Ask an administrator for a reset, or reset the operator on the command line.',
  ),
  SIGN_IN_LINK_INVALID: row(
    401,
    'The sign-in link was used before or is older than 10 minutes.',
    'Restart the gateway for a new link, or sign in with a password.',
  ),
  CSRF_INVALID: row(403, 'The CSRF token does not belong to this session.', 'Read /api/me for the token.'),
  PASSWORD_CHANGE_REQUIRED: row(
    403,
    'The first password must be changed before anything else.',
    'Send POST /api/me/password.',
  ),
  ROLE_NOT_ALLOWED: row(403, 'Your role does not allow this.', 'Ask an operator with the role that is named.'),
  NO_PASSWORD: row(409, 'The local administrator has no password.', 'Add an operator and sign in with its name.'),

  // What is acted on
  PROJECT_NOT_FOUND: row(404, 'There is no such project.', 'Find the account first.'),
  ACCOUNT_NOT_FOUND: row(404, 'There is no such account.', 'Find the account first.'),
  KEY_NOT_FOUND: row(404, 'There is no such key.', 'Show the account to see its keys.'),
  CHARGE_NOT_FOUND: row(404, 'There is no such charge.', 'List the reviews.'),
  APPROVAL_NOT_FOUND: row(404, 'There is no such approval.', 'List the approvals.'),
  OPERATOR_NOT_FOUND: row(404, 'There is no such operator.', 'List the operators.'),
  PROVIDER_NOT_FOUND: row(404, 'There is no such provider.', 'List the providers.'),
  RECONCILE_RUN_NOT_FOUND: row(404, 'There is no such run.', 'List the runs.'),
  QUERY_INVALID: row(
    400,
    'Give exactly one of phone, email, id and keyPrefix, of 1 to 254 characters.',
    'Correct the query.',
  ),
  ROLE_INVALID: row(400, 'The role is unknown.', 'Use viewer, support, treasurer or admin.'),
  DECISION_INVALID: row(400, 'The decision is unknown.', 'Use settled or released.'),
  CHARGES_INVALID: row(400, 'The charges are not 1 to 100 different ids.', 'Correct the list.'),
  CREDITS_INVALID: row(400, 'The credits are not a whole number in the allowed range.', 'Correct the number.'),
  REASON_INVALID: row(400, 'The reason is not 1 to 500 characters on one line.', 'Say why.'),
  REFERENCE_INVALID: row(
    400,
    'The reference is not 1 to 200 characters on one line.',
    'Give the number of the bank transfer or ticket.',
  ),
  REFERENCE_ALREADY_USED: row(
    409,
    'This reference was already used in this project, with another number of credits.',
    'Check the ledger of the project; use a new reference for a new movement.',
  ),
  REFERENCE_SEEN_BEFORE: row(
    409,
    'A movement with the same reference, apart from spelling, exists in this or another project.',
    'Check whether it is the same payment; if it is not, send again with again set to true.',
  ),
  AVAILABLE_CREDITS_EXCEEDED: row(
    409,
    'The project has fewer available credits than that.',
    'Withdraw at most what is available.',
  ),
  NOT_IN_REVIEW: row(409, 'The charge is not in review.', 'There is nothing to decide.'),
  APPROVAL_NOT_PENDING: row(409, 'The approval is no longer pending.', 'List the approvals.'),
  APPROVAL_OWN_REQUEST: row(403, 'Nobody approves their own request.', 'Ask another operator.'),
  APPROVER_NOT_INDEPENDENT: row(
    403,
    'You were added or reset after this request, or by the operator who made it.',
    'Ask an operator who was there before, or approve it on the command line.',
  ),
  OPERATOR_NOT_PENDING: row(409, 'The operator does not wait for an approval.', 'List the operators.'),
  OPERATOR_ALREADY_EXISTS: row(
    409,
    'There is already an operator with this name.',
    'Choose another name, or reset it.',
  ),
  OPERATOR_NAME_INVALID: row(
    400,
    'The name is not 1 to 64 letters, digits, dots, dashes or underscores, beginning with a letter or digit.',
    'Choose another name.',
  ),
  RECOVERY_UNAVAILABLE: row(
    503,
    'Password recovery cannot be started here.',
    'Ask the person to recover it themselves.',
  ),
  RECONCILE_RUNNING: row(409, 'A run is under way.', 'Wait until it has finished.'),
} as const

export type OperatorErrorCode = keyof typeof operatorErrors

/** Codes of the transport and the codes above. */
export type OperatorApiCode = ErrorCode | OperatorErrorCode

/** The rows that the operator's API is described with. */
export const operatorApiErrors: Readonly<Record<OperatorApiCode, ErrorRow>> = { ...errors, ...operatorErrors }

function row(status: number, meaning: string, retry: string): ErrorRow {
  return { status, meaning, retry }
}

/** Thrown to refuse an operator's action. A message says more about this case than the code's meaning. */
export class OperatorRefusal extends Error {
  override readonly name = 'OperatorRefusal'
  readonly code: OperatorErrorCode

  constructor(code: OperatorErrorCode, message: string = operatorErrors[code].meaning) {
    super(message)
    this.code = code
  }
}
