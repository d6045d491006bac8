import { isFullMatrix } from '../store/engines.ts'
import type { VisitOptions } from './console-visit.ts'

const all = {
  wide: { language: 'en-US', width: 1280 },
  narrow: { language: 'zh-CN', width: 360 },
} as const satisfies Record<string, VisitOptions>

export type LookName = keyof typeof all
export interface Look {
  readonly language: 'en-US' | 'zh-CN'
  readonly width: 360 | 1280
}

/** Two that have nothing in common, or all four in the full matrix. */
export const bothLooks = (): readonly Look[] =>
  isFullMatrix ? [all.narrow, all.wide, ...mixed] : [all.narrow, all.wide]

export const look = (name: LookName): Look => all[name]
export const otherLook = (name: LookName): Look => all[name === 'wide' ? 'narrow' : 'wide']

/** Only in the full matrix. */
const mixed: readonly Look[] = [
  { language: 'en-US', width: 360 },
  { language: 'zh-CN', width: 1280 },
]

/**
 * The language and width of a journey: one in the suite, where `fitsScreen` tries the other widths, and all four in the full matrix.
 * The journeys of the suite differ in theirs, so that each language and width has some.
 */
export const looks = (inSuite: LookName): readonly Look[] =>
  isFullMatrix ? [look(inSuite), otherLook(inSuite), ...mixed] : [look(inSuite)]
