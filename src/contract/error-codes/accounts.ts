import { row } from './requests.ts'

/** Errors of accounts, keys and orders. */
export const accountErrors = {
  // Identity
  PHONE_INVALID: row(
    400,
    'The phone is not a mainland-China mobile number.',
    'Send 11 digits that match ^1[3-9][0-9]{9}$.',
  ),
  EMAIL_INVALID: row(
    400,
    'The recovery email is not a valid address of at most 254 characters.',
    'Correct the address.',
  ),
  PASSWORD_INVALID: row(400, 'A password needs 12 to 128 characters.', 'Choose another password.'),
  NEXT_PATH_INVALID: row(400, 'The next path is not allowed.', 'Leave it out or send /console.'),
  IDENTIFIER_INVALID: row(
    400,
    'The identifier is neither a phone number nor an email address.',
    'Correct the identifier.',
  ),
  VERIFICATION_FAILED: row(400, 'The verification code is not valid.', 'Check the code, or request a new one.'),
  AUTHENTICATION_FAILED: row(401, 'The identifier or the password is wrong.', 'Correct them and try again.'),
  ACCOUNT_ALREADY_EXISTS: row(409, 'This phone already has an account.', 'Log in instead.'),
  ACCOUNT_UNAVAILABLE: row(
    409,
    'The request conflicts with another account.',
    'Try to log in; otherwise request a new code.',
  ),
  VERIFICATION_CONFLICT: row(
    409,
    'This verification is already complete.',
    'Try to log in before you request a new code.',
  ),
  PASSWORD_STATE_INVALID: row(500, 'The stored password digest is invalid.', 'Stop retrying and contact the operator.'),
  SMS_DELIVERY_UNAVAILABLE: row(503, 'The message could not be delivered.', 'Request a new code later.'),
  EMAIL_DELIVERY_UNAVAILABLE: row(503, 'This service does not send email.', 'Do not retry; ask the operator.'),

  // Keys
  INVALID_SCOPE: row(
    400,
    'The scopes are empty, repeated, of the wrong type or not allowed.',
    'Send a non-empty list of distinct known scopes.',
  ),
  INVALID_NAME: row(400, 'The name does not have 1 to 64 characters.', 'Correct the name.'),
  INVALID_EXPIRY: row(
    400,
    'The expiry is not a time in the future, or later than is allowed here.',
    'Correct the time.',
  ),
  INVALID_BUDGET: row(
    400,
    'The budget is not a number of credits from 1 per day, month or total.',
    'Send credits and per, or null for no budget.',
  ),
  INVALID_ADDRESSES: row(
    400,
    'The allowed addresses are not a list of at most 20 IP addresses or CIDR ranges.',
    'Correct the list, or send null to allow every address.',
  ),
  INVALID_GRACE: row(400, 'The grace period is not a number of seconds from 0 to 604800.', 'Correct the number.'),
  KEY_NOT_FOUND: row(404, 'There is no such key in this project.', 'List the keys first.'),

  // Alerts
  INVALID_THRESHOLD: row(
    400,
    'The threshold is not a number of credits from 1.',
    'Correct the number, or send null for no threshold.',
  ),
  INVALID_ALERT_TYPES: row(
    400,
    'The types for email or SMS are repeated or not types of events.',
    'Send lists of distinct known types; an empty list sends nothing.',
  ),

  // Webhooks
  INVALID_URL: row(
    400,
    'The URL is not an allowed https address on port 443 or above 1023.',
    'Send a public https URL without user, password or fragment.',
  ),
  INVALID_EVENT_TYPES: row(
    400,
    'The types are empty, repeated or not types of events.',
    'Send a non-empty list of distinct known types.',
  ),
  INVALID_STATE: row(400, 'The state is neither enabled nor disabled.', 'Correct the state.'),
  WEBHOOK_LIMIT_REACHED: row(409, 'The project has as many webhooks as it may have.', 'Delete one first.'),
  WEBHOOK_NOT_FOUND: row(404, 'There is no such webhook in this project.', 'List the webhooks first.'),
  WEBHOOK_DISABLED: row(409, 'The webhook is disabled.', 'Enable it first.'),
  WEBHOOK_TESTS_WAITING: row(
    409,
    'Three tests of this webhook still wait to be sent.',
    'Wait until they are sent; each takes at most 10 seconds.',
  ),
  DELIVERY_NOT_FOUND: row(
    404,
    'There is no such delivery of this webhook. Only the last 50 are kept.',
    'List the deliveries first.',
  ),

  // Recharge
  RECHARGE_AMOUNT_INVALID: row(
    400,
    'The amount is not a multiple of 100 fen between 100 and 1000000.',
    'Correct the amount.',
  ),
  SIMULATED_PAYMENT_DISABLED: row(404, 'Simulated payment is disabled here.', 'Do not retry.'),
  ORDER_NOT_FOUND: row(404, 'There is no such order in this project.', 'Check the order id.'),
  ORDER_NOT_PAYABLE: row(409, 'The order cannot be confirmed in its current state.', 'Read /v1/me; never pay again.'),
  ORDER_CONFIRM_CONFLICT: row(409, 'Another confirmation of this order is under way.', 'Read /v1/me; never pay again.'),
  ORDER_CREDIT_CONFLICT: row(
    409,
    'The credit of this order conflicts with the recorded one.',
    'Reconcile through /v1/me; never pay again.',
  ),
} as const
