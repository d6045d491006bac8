import type { en } from './en/en.ts'
import type { operatorEn } from './operator/en/en.ts'

/** The words that load with a page. The `words.ts` of each page adds its own here. */
// biome-ignore lint/suspicious/noEmptyInterface: the pages fill it.
export interface PageWords {}

/** Every word of the payer's console. */
export type Messages = Said<typeof en & PageWords>
/** Loaded at start. */
export type StartMessages = Said<typeof en>

export type OperatorMessages = Said<typeof operatorEn>

/** The keys of every language; one without plurals omits the singular. */
export type Said<T> = {
  readonly [K in keyof T as K extends `${string}_one` ? never : K]: T[K] extends string ? string : Said<T[K]>
} & { readonly [K in keyof T as K extends `${string}_one` ? K : never]?: string }
