import type { Credential } from '../upstream.ts'
import { disabledMedia } from './disabled.ts'
import { createHttpMedia } from './http.ts'
import { createLocalMedia } from './local.ts'
import type { MediaProvider, MediaSettings, MediaSurroundings } from './media-provider.ts'

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
