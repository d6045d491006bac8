import { isFullMatrix } from '../store/engines.ts'
import type { VisitOptions } from './console-visit.ts'

const all = {
  wide: { language: 'en-US', width: 1280 },
  narrow: { language: 'zh-CN', width: 360 },
} as const satisfies Record<string, VisitOptions>

export type LookName = keyof typeof all
export type Look = (typeof all)[LookName]

export const look = (name: LookName): Look => all[name]
export const otherLook = (name: LookName): Look => all[name === 'wide' ? 'narrow' : 'wide']

/**
 * The language and width of a journey: one in the suite, where `fitsScreen` tries the other widths, and both in the full matrix.
 * The journeys of the suite differ in theirs, so that each language and width has some.
 */
export const looks = (inSuite: LookName): readonly Look[] =>
  isFullMatrix ? [look(inSuite), otherLook(inSuite)] : [look(inSuite)]
