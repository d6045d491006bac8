/** Why an operator's action is refused: the status of the operator's API, the meaning, and what to do. */
export const operatorErrors = {
  PROJECT_NOT_FOUND: row(404, 'There is no such project.', 'Find the account first.'),
  ACCOUNT_NOT_FOUND: row(404, 'There is no such account.', 'Find the account first.'),
  KEY_NOT_FOUND: row(404, 'There is no such key.', 'Show the account to see its keys.'),
  CHARGE_NOT_FOUND: row(404, 'There is no such charge.', 'List the reviews.'),
  APPROVAL_NOT_FOUND: row(404, 'There is no such approval.', 'List the approvals.'),
  OPERATOR_NOT_FOUND: row(404, 'There is no such operator.', 'List the operators.'),
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
  AVAILABLE_CREDITS_EXCEEDED: row(
    409,
    'The project has fewer available credits than that.',
    'Withdraw at most what is available.',
  ),
  NOT_IN_REVIEW: row(409, 'The charge is not in review.', 'There is nothing to decide.'),
  APPROVAL_NOT_PENDING: row(409, 'The approval is no longer pending.', 'List the approvals.'),
  APPROVAL_OWN_REQUEST: row(403, 'Nobody approves their own request.', 'Ask another operator.'),
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
} as const

export type OperatorErrorCode = keyof typeof operatorErrors

export interface OperatorErrorRow {
  readonly status: number
  readonly meaning: string
  readonly remedy: string
}

function row(status: number, meaning: string, remedy: string): OperatorErrorRow {
  return { status, meaning, remedy }
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
