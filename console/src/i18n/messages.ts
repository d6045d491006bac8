import type { en } from './en/en.ts'

/** The words that load with a page. The `words.ts` of each page adds its own here. */
// biome-ignore lint/suspicious/noEmptyInterface: the pages fill it.
export interface PageWords {}

/** The words of the operator console, below `operator`. Its frame and its pages add theirs. */
// biome-ignore lint/suspicious/noEmptyInterface: the pages fill it.
export interface OperatorWords {}

/** Every word of the payer's console. */
export type Messages = Translated<typeof en & PageWords>
/** Loaded at start. */
export type StartMessages = Translated<typeof en>

/** The keys of every language; one without plurals omits the singular. */
export type Translated<T> = {
  readonly [K in keyof T as K extends `${string}_one` ? never : K]: T[K] extends string ? string : Translated<T[K]>
} & { readonly [K in keyof T as K extends `${string}_one` ? K : never]?: string }
