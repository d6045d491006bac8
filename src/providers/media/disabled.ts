import type { MediaProvider } from './media-provider.ts'

/** Refuses new jobs. Jobs from before it was disabled stay as they are, until the provider is back. */
export const disabledMedia: MediaProvider = {
  testOnly: false,
  maxPromptChars: Number.MAX_SAFE_INTEGER,
  timeoutMs: 1000,
  submit: async () => ({ kind: 'refused', code: 'PROVIDER_DISABLED', sent: false }),
  look: async () => ({ kind: 'no_answer' }),
  read: async () => ({ kind: 'no_answer' }),
  cancel: async () => ({ kind: 'failed', code: 'PROVIDER_DISABLED' }),
  open: async () => ({ kind: 'failed', code: 'PROVIDER_DISABLED' }),
  callbackSecret: () => null,
  close: async () => {},
}
