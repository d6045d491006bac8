/** How an entry moves credits. Apart from the schemas, because the console's pages need this alone. */
export const entryKinds = ['credit', 'reserve', 'settle', 'release', 'review', 'grant', 'withdraw'] as const

/** What a caller can choose of a clip. Without the schema library, because the console loads this file. */
export const clipSeconds = [2, 4, 8] as const
export const clipSizes = ['480x270', '854x480'] as const
export type ClipSeconds = (typeof clipSeconds)[number]
export type ClipSize = (typeof clipSizes)[number]
export const clipDefaults = { seconds: clipSeconds[0], size: clipSizes[0] } as const

/**
 * The most alerts of one type that a project gets in a day. Counted by type, so that a storm of one does not silence another. The
 * last one says that more are in the console. Without the schema library, because the console loads this file.
 */
export const alertsPerDay = { sms: 3, email: 10 } as const

/** Minutes in which an order without a payment can be confirmed. */
export const orderMinutes = 30

/** The configured names: always three model providers and three shops. */
export interface ProviderNames {
  readonly models: readonly string[]
  readonly shops: readonly string[]
}

/** Days that an event is kept. */
export const eventDays = 90

/** Available credits below which `credits.low` is raised, for a project that has set nothing else. */
export const defaultLowBalanceCredits = 100

/** More unread events than this are counted as this many. */
export const unreadLimit = 100

/** From `submitting` to one of the last four, which are final. `unknown`: the outcome of the job cannot be determined. */
export const jobStatuses = [
  'submitting',
  'queued',
  'in_progress',
  'completed',
  'failed',
  'cancelled',
  'unknown',
] as const

export type JobStatus = (typeof jobStatuses)[number]

/**
 * Control characters, and those that turn the direction of the text or are invisible: no name may have one. As ranges, because few
 * languages know `\p` in patterns. Without the schema library, because the console loads this file.
 */
export const invisibleCharacters =
  '\\u0000-\\u001F\\u007F-\\u009F\\u061C\\u200B\\u200E\\u200F\\u202A-\\u202E\\u2060-\\u2069\\uFEFF'
