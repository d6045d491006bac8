import type { allEn } from './en/all.ts'
import type { en } from './en/en.ts'
import type { operatorEn } from './operator/en/en.ts'

/** The keys of every language; one without plurals omits the singular. */
export type Messages = Said<typeof allEn>
/** Loaded at start. */
export type StartMessages = Said<typeof en>

export type OperatorMessages = Said<typeof operatorEn>

type Said<T> = {
  readonly [K in keyof T as K extends `${string}_one` ? never : K]: T[K] extends string ? string : Said<T[K]>
} & { readonly [K in keyof T as K extends `${string}_one` ? K : never]?: string }
