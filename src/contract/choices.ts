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

/**
 * Days of every report begin at midnight in Shanghai, which keeps one offset all year.
 * Apart from the schemas, because the store's thread needs this alone and starts a fifth of a second earlier without them.
 */
export const reportingZone = { name: 'Asia/Shanghai', offsetMs: 8 * 3_600_000 } as const

/** The configured names: always three model providers and three shops. */
export interface ProviderNames {
  readonly models: readonly string[]
  readonly shops: readonly string[]
}
