/** What a caller can choose of a clip. Without the schema library, because the console loads this file. */
export const clipSeconds = [2, 4, 8] as const
export const clipSizes = ['480x270', '854x480'] as const
export type ClipSeconds = (typeof clipSeconds)[number]
export type ClipSize = (typeof clipSizes)[number]
export const clipDefaults = { seconds: clipSeconds[0], size: clipSizes[0] } as const
