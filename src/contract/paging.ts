import { type Static, type TProperties, type TSchema, Type } from '../base/schema.ts'
import { named } from './field.ts'

export const pageLimit = { minimum: 1, maximum: 100, default: 25 } as const
export const dailyLimit = { minimum: 1, maximum: 366, default: 30 } as const
/** Rows of an exported file; a longer range is cut there. */
export const exportRowsLimit = 100_000
/** How the last line of a file begins that was cut. It cannot be a header, because the file is sent while it is read. */
export const cutNotice = 'This file was cut after'
/** The same in a Chinese file. */
export const cutNoticeInChinese = '本文件已截断，仅包含前'

export const Day = (description: string) => Type.String({ format: 'date', description })

/** A page of a list. Following `nextAfter` to the end shows every row exactly once. */
export const Page = <T extends TSchema>(title: string, item: T) =>
  named(title, {
    items: Type.Array(item, { maxItems: pageLimit.maximum }),
    nextAfter: Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
      description: 'Send it as `after` for the next page; null when there is none.',
    }),
  })

/** `after` is made of what the list is ordered by; to a caller it is opaque. */
export const pageParameters = (afterPattern: string, note = '') => ({
  after: Type.String({
    pattern: afterPattern,
    maxLength: 80,
    description: `The nextAfter of the previous page. Without it, the list starts with the newest. ${note}`.trim(),
  }),
  limit: Type.Integer({ ...pageLimit, description: 'The maximum number of rows per page.' }),
})

export const dayParameters = {
  from: Day('The first day, in Shanghai.'),
  to: Day('The last day, in Shanghai; it is included.'),
}

/** Query parameters as they were read; each may be left out. */
export type QueryOf<P extends TProperties> = { readonly [Name in keyof P]?: Static<P[Name]> }

export interface PageParameters {
  readonly after?: string
  readonly limit: number
}
export interface DayParameters {
  readonly from?: string
  readonly to?: string
}
