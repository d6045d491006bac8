/** Report days begin at midnight in this zone, so all times are shown in it. */
export const zone = 'Asia/Shanghai'

/** A calendar day such as 2026-09-03. */
type Day = string

/** The zone has no daylight saving time, and making an `Intl` format blocks the first render. */
const offsetMs = 8 * 3_600_000

/** After a time that was typed in this zone. */
export const zoneOffset = '+08:00'

export const dayAt = (ms: number): Day => new Date(ms + offsetMs).toISOString().slice(0, 10)

/** The minute, as a field of a form has it: 2026-09-03T16:00. */
export const minuteAt = (ms: number): string => new Date(ms + offsetMs).toISOString().slice(0, 16)

/** The time of day, such as 13:06:52. */
export const clockAt = (ms: number): string => new Date(ms + offsetMs).toISOString().slice(11, 19)

/** With its milliseconds. */
export const exactClockAt = (ms: number): string => new Date(ms + offsetMs).toISOString().slice(11, 23)

export function addDays(day: Day, count: number): Day {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + count)
  return date.toISOString().slice(0, 10)
}

const dayBefore = (day: Day): Day => addDays(day, -1)

/** The Monday of its week. */
export function weekOf(day: Day): Day {
  const fromMonday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  return addDays(day, -fromMonday)
}

export interface Period {
  readonly from?: Day
  readonly to?: Day
}

export const presets = ['all', 'today', 'days7', 'days30', 'days90', 'thisMonth', 'lastMonth'] as const
type Preset = (typeof presets)[number]

/** The days of a preset, including today. */
export function periodOf(preset: Preset, today: Day): Period {
  const firstOfMonth = `${today.slice(0, 8)}01`
  switch (preset) {
    case 'all':
      return {}
    case 'today':
      return { from: today, to: today }
    case 'days7':
      return { from: addDays(today, -6), to: today }
    case 'days30':
      return { from: addDays(today, -29), to: today }
    case 'days90':
      return { from: addDays(today, -89), to: today }
    case 'thisMonth':
      return { from: firstOfMonth, to: today }
    case 'lastMonth': {
      const to = dayBefore(firstOfMonth)
      return { from: `${to.slice(0, 8)}01`, to }
    }
  }
}

/** The preset that a period matches; null if none. */
export const presetOf = ({ from, to }: Period, today: Day): Preset | null =>
  presets.find((preset) => {
    const period = periodOf(preset, today)
    return period.from === from && period.to === to
  }) ?? null

export const isBackwards = ({ from, to }: Period): boolean => from !== undefined && to !== undefined && from > to
