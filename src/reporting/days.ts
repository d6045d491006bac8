import { reportingZone } from '../contract/console/reporting-zone.ts'

const dayMs = 86_400_000

/** A day in Shanghai, as the number of days since 1970-01-01 there. */
export type DayNumber = number

export const dayOf = (at: number): DayNumber => Math.floor((at + reportingZone.offsetMs) / dayMs)

/** The moment at which a day begins. */
export const startOfDay = (day: DayNumber): number => day * dayMs - reportingZone.offsetMs

export const dayText = (day: DayNumber): string => new Date(day * dayMs).toISOString().slice(0, 10)

/** Of a valid date such as 2026-09-03. */
export const dayOfText = (text: string): DayNumber => Date.parse(`${text}T00:00:00Z`) / dayMs

/** The time on a clock in Shanghai, as spreadsheet programs read it. */
export const localTime = (at: number): string =>
  new Date(at + reportingZone.offsetMs).toISOString().replace('T', ' ').slice(0, 23)
