import { errors } from './errors.ts'

/**
 * Why a charge went to review, or why recovery released it, where the caller received no error code.
 * Charges store the code; the console has words for each in both languages.
 */
export const reasons = {
  PROVIDER_ANSWERED_TIMEOUT: 'The provider answered 408 or 504.',
  PROVIDER_TIMED_OUT: 'The call was sent, but no response arrived in time.',
  PROVIDER_CONNECTION_LOST: 'The connection to the provider was lost before a response arrived.',
  PROVIDER_RESPONSE_CUT: 'The connection to the provider was lost in the middle of the response.',
  PROVIDER_RESPONSE_GARBLED: "The provider's response was not valid HTTP.",
  ADAPTER_FAILED_AFTER_SENDING: 'The gateway failed after it had sent the call.',
  INSTANCE_STOPPED_DURING_CALL: 'The gateway stopped while the call was in progress.',
  PROVIDER_JOB_FAILED: 'The provider reported that the job failed.',
  PROVIDER_JOB_CANCELLED: 'The job was cancelled.',
  PROVIDER_JOB_NOT_ACCEPTED: 'The provider did not accept the job: it has no record of it.',
  PROVIDER_JOB_FORGOTTEN: 'The provider no longer has a record of the job.',
  PROVIDER_JOB_UNTRACEABLE:
    'The response to the submission was lost, and the provider cannot say whether it accepted the job.',
  PROVIDER_JOB_ID_REUSED: 'The provider responded with the ID of another job.',
  PROVIDER_JOB_OVERDUE: 'The job was still running 24 hours after its deadline.',
  INSTANCE_STOPPED_BEFORE_FORWARDING: 'The gateway stopped before it forwarded the call.',
} as const

export type ReasonCode = keyof typeof reasons

const texts: ReadonlyMap<string, string> = new Map([
  ...Object.entries(errors).map(([code, { meaning }]) => [code, meaning] as const),
  ...Object.entries(reasons),
])

/** The meaning of an error or reason code. A code that a newer version stored has no text here; the code itself is shown. */
export const reasonText = (code: string): string => texts.get(code) ?? code

export const reasonOf = (code: string | null): { readonly code: string; readonly text: string } | null =>
  code === null ? null : { code, text: reasonText(code) }
