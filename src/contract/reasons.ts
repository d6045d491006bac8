/**
 * Why a charge went to review, or why recovery released it: what its caller was told carries no error code.
 * Charges store the code; the console has words for each in both languages.
 */
export const reasons = {
  PROVIDER_ANSWERED_TIMEOUT: 'The provider answered 408 or 504.',
  PROVIDER_TIMED_OUT: 'The call was sent, but no response arrived in time.',
  PROVIDER_CONNECTION_LOST: 'The connection to the provider was lost before a response arrived.',
  PROVIDER_RESPONSE_CUT: 'The connection to the provider was lost in the middle of the response.',
  PROVIDER_RESPONSE_GARBLED: "The provider's response was not valid HTTP.",
  ADAPTER_FAILED_AFTER_SENDING: 'The gateway failed after it had sent the call.',
  INSTANCE_STOPPED_DURING_CALL: 'The gateway stopped while the call was under way.',
  INSTANCE_STOPPED_BEFORE_FORWARDING: 'The gateway stopped before it forwarded the call.',
} as const

export type ReasonCode = keyof typeof reasons
