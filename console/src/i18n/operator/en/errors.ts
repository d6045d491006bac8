import type { OperatorErrorCode } from '../../../../../src/contract/operator/errors.ts'

/** Every code of an operator's action as a sentence that says what to do. */
export const operatorErrorsEn = {
  GATEWAY_AUTH_REQUIRED: 'You are not signed in. Sign in again.',
  AUTHENTICATION_FAILED: 'Wrong name, password or one-time code.',
  TOTP_REQUIRED: 'Enter the 6-digit code of your authenticator app.',
  SIGN_IN_LINK_INVALID:
    'The link was used before or is older than 10 minutes. Restart the gateway for a new one, or sign in with a password.',
  CSRF_INVALID: 'Your session was refreshed in another tab. Reload the page and try again.',
  PASSWORD_CHANGE_REQUIRED: 'Change your first password before anything else.',
  ROLE_NOT_ALLOWED: 'Your role does not allow this. Ask an operator who may.',
  NO_PASSWORD: 'The local administrator has no password. Add an operator and sign in with its name.',
  PROJECT_NOT_FOUND: 'There is no such project.',
  ACCOUNT_NOT_FOUND: 'There is no such account.',
  KEY_NOT_FOUND: 'There is no such key.',
  CHARGE_NOT_FOUND: 'There is no such call.',
  APPROVAL_NOT_FOUND: 'There is no such request.',
  OPERATOR_NOT_FOUND: 'There is no such operator.',
  PROVIDER_NOT_FOUND: 'There is no such provider.',
  RECONCILE_RUN_NOT_FOUND: 'There is no such run.',
  QUERY_INVALID: 'Enter a whole phone number or email, an ID, or the start of an API key.',
  ROLE_INVALID: 'Choose a role.',
  DECISION_INVALID: 'Choose to settle or to release.',
  CHARGES_INVALID: 'Select 1 to 100 calls.',
  CREDITS_INVALID: 'Enter a whole number from 1 to 100,000.',
  REASON_INVALID: 'Say why, in one line of at most 500 characters.',
  REFERENCE_INVALID: 'Enter a reference of at most 200 characters on one line.',
  REFERENCE_ALREADY_USED:
    'This reference was booked before with another number of credits. Check the ledger of the account.',
  AVAILABLE_CREDITS_EXCEEDED: 'The account has fewer available credits than that.',
  NOT_IN_REVIEW: 'This call is no longer in review.',
  APPROVAL_NOT_PENDING: 'This request was decided meanwhile.',
  APPROVAL_OWN_REQUEST: 'Nobody approves their own request. Ask another operator.',
  OPERATOR_ALREADY_EXISTS: 'There is already an operator with this name.',
  OPERATOR_NAME_INVALID: 'Use 1 to 64 letters, digits, dots, dashes or underscores, and begin with a letter or digit.',
  RECOVERY_UNAVAILABLE: 'Password recovery cannot be started here. Ask the person to recover it themselves.',
  RECONCILE_RUNNING: 'A run is in progress. Wait until it has finished.',
} as const satisfies Record<OperatorErrorCode, string>
