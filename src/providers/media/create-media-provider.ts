import type { Credential } from '../upstream.ts'
import { disabledMedia } from './disabled.ts'
import { createHttpMedia } from './http.ts'
import { createLocalMedia } from './local.ts'
import type { MediaProvider, MediaSettings } from './media-provider.ts'

export function createMediaProvider(
  settings: MediaSettings,
  credential: Credential,
  clock: () => number,
): MediaProvider {
  switch (settings.adapter) {
    case 'local':
      return createLocalMedia(settings, clock)
    case 'http':
      return createHttpMedia(settings, credential)
    case 'disabled':
      return disabledMedia
  }
}
