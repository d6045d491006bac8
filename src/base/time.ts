export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

export const isoOf = (at: number): string => new Date(at).toISOString()

/** `isoOf` for times that are close to each other: formats each second once. */
export function createIsoFormat(): (at: number) => string {
  let second = Number.NaN
  let prefix = ''
  return (at) => {
    const atSecond = Math.floor(at / 1000)
    if (atSecond !== second) {
      second = atSecond
      prefix = isoOf(second * 1000).slice(0, -4)
    }
    return `${prefix}${String(at - second * 1000).padStart(3, '0')}Z`
  }
}
export const isoOrNull = (at: number | null): string | null => (at === null ? null : isoOf(at))

/** A day in Shanghai, as the number of days since 1970-01-01 there. */
export type DayNumber = number

export const dayOf = (at: number): DayNumber => Math.floor((at + reportingZone.offsetMs) / dayMs)

export const startOfDay = (day: DayNumber): number => day * dayMs - reportingZone.offsetMs

export const dayText = (day: DayNumber): string => new Date(day * dayMs).toISOString().slice(0, 10)

/** Of a valid date such as 2026-09-03. */
export const dayOfText = (text: string): DayNumber => Date.parse(`${text}T00:00:00Z`) / dayMs

/**
 * Days of every report begin at midnight in Shanghai, which keeps one offset all year.
 * Apart from the schemas, because the store's thread needs this alone and starts a fifth of a second earlier without them.
 */
export const reportingZone = { name: 'Asia/Shanghai', offsetMs: 8 * 3_600_000 } as const

/** Rate windows are fixed and aligned to multiples of their length, as `Retry-After` promises. */
export const windowEnd = (at: number, windowMs: number): number => at - (at % windowMs) + windowMs

/** Clocks of instances differ slightly. Without this tolerance, calls near the end of a window would keep restarting it. */
export const clockSkewMs = 5000

/** A window that ends later was started by a clock that was ahead, and counts as over. */
export const latestWindowEnd = (at: number, windowMs: number): number => at + windowMs + clockSkewMs
