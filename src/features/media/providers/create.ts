import type { Credential } from '../../../providers/upstream.ts'
import { createHttpMedia } from './http.ts'
import { createLocalMedia } from './local.ts'
import type { MediaProvider, MediaSettings, MediaSurroundings } from './provider.ts'

/** Refuses new jobs. Jobs from before it was disabled stay as they are, until the provider is back. */
const disabledMedia: MediaProvider = {
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

export function createMediaProvider(
  settings: MediaSettings,
  credential: Credential,
  surroundings: MediaSurroundings,
): MediaProvider {
  switch (settings.adapter) {
    case 'local':
      return createLocalMedia(settings, surroundings)
    case 'http':
      return createHttpMedia(settings, credential, surroundings.traceHeaders)
    case 'disabled':
      return disabledMedia
  }
}
