import { clockAt, dayAt, exactClockAt } from './calendar.ts'

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** As `Intl.DateTimeFormat` writes days and times; making the first of those takes a tenth of a second on a phone. */
export function createDates(language: string) {
  const isEnglish = language === 'en'
  function day(isoDay: string): string {
    const [, month, number] = isoDay.split('-').map(Number) as [number, number, number]
    return isEnglish ? `${monthNames[month - 1]} ${number}` : `${month}月${number}日`
  }
  function at(ms: number, clock: string): string {
    const isoDay = dayAt(ms)
    const year = isoDay.slice(0, 4)
    return isEnglish ? `${day(isoDay)}, ${year}, ${clock}` : `${year}年${day(isoDay)} ${clock}`
  }
  return {
    day,
    /** An end that is open keeps its own text. */
    days: (from: string, to: string) =>
      [...new Set([from, to])].map((end) => (/^\d/.test(end) ? day(end) : end)).join(' – '),
    dateTime: (iso: string) => at(Date.parse(iso), clockAt(Date.parse(iso)).slice(0, 5)),
    exactTime: (iso: string) => at(Date.parse(iso), exactClockAt(Date.parse(iso))),
  }
}
