import { expect, test } from 'vitest'
import { createDates } from '../../../console/src/format/dates.ts'

const zone = 'Asia/Shanghai'
const times = ['2026-01-03T16:05:06.007Z', '2026-05-31T15:59:59.999Z', '2026-12-31T16:00:00.000Z']
const day = { year: 'numeric', month: 'short', day: 'numeric' } as const
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const exact = { ...clock, second: '2-digit', fractionalSecondDigits: 3 } as const

test.each(['en', 'zh'])('times in %s are written as Intl writes them', (language) => {
  const format = createDates(language)
  const byIntl = (options: Intl.DateTimeFormatOptions, iso: string) =>
    new Intl.DateTimeFormat(language, { timeZone: zone, ...options }).format(new Date(iso))
  for (const iso of times) {
    expect(format.dateTime(iso)).toBe(byIntl({ ...day, ...clock }, iso))
    expect(format.exactTime(iso)).toBe(byIntl({ ...day, ...exact }, iso))
  }
  for (let month = 1; month <= 12; month += 1) {
    const isoDay = `2026-${String(month).padStart(2, '0')}-09`
    expect(format.day(isoDay)).toBe(byIntl({ month: 'short', day: 'numeric' }, isoDay))
  }
})

test('a period may be one day, or open at one end', () => {
  const { days } = createDates('en')
  expect(days('2026-11-03', '2026-11-03')).toBe('Nov 3')
  expect(days('2026-10-21', '2026-11-03')).toBe('Oct 21 – Nov 3')
  expect(days('…', '2026-11-03')).toBe('… – Nov 3')
})
