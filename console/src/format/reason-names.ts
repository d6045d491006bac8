import type { Messages } from '../i18n/messages.ts'

/** The gateway's words for endings that have no error code. test/console/reason-names.test.ts holds them against it. */
export const reasonNames: Readonly<Record<string, keyof Messages['reasons']>> = {
  'answered 408 or 504': 'answeredTimeout',
  'the time for the call ran out after sending': 'timedOut',
  'the connection ended before an answer': 'reset',
  'the connection ended within the body of a 2xx': 'cutBody',
  'answered with something other than HTTP': 'garbled',
  'our own code failed after sending': 'failedAfterSending',
  'the adapter failed unexpectedly': 'failedAfterSending',
  'the instance stopped while the call was under way': 'stoppedDuring',
  'the instance stopped before anything was forwarded': 'stoppedBefore',
}
