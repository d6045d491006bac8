import type { allEn } from './en/all.ts'
import type { en } from './en/en.ts'
import type { operatorEn } from './operator/en/en.ts'

/** What every language has to say; a language without plurals leaves the singular out. */
export type Messages = Said<typeof allEn>
/** What is loaded at the start. */
export type StartMessages = Said<typeof en>

export type OperatorMessages = Said<typeof operatorEn>

type Said<T> = {
  readonly [K in keyof T as K extends `${string}_one` ? never : K]: T[K] extends string ? string : Said<T[K]>
} & { readonly [K in keyof T as K extends `${string}_one` ? K : never]?: string }
