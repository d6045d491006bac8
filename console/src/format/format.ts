import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReasonCode } from '../../../src/contract/reasons.ts'
import { type ErrorCode, Refused, Unreachable } from '../api/ask.ts'
import type { Charge } from '../api/types.ts'
import { clockAt, dayAt, zone } from './calendar.ts'
import { createDates } from './dates.ts'
import { grouped, msText } from './numbers.ts'

const fenPerCredit = 10

type Format = ReturnType<typeof createFormat>

/** Formats numbers, money and times. Money stays in whole fen until it becomes text. */
function createFormat(language: string) {
  const month = once(() => new Intl.DateTimeFormat(language, { timeZone: zone, year: 'numeric', month: 'long' }))
  const relative = once(() => new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'long' }))

  return {
    ...createDates(language),
    number: grouped,
    yuanOfFen: (fen: number) => `¥${grouped(Math.trunc(fen / 100))}.${String(Math.abs(fen) % 100).padStart(2, '0')}`,
    /** In hundredths of any currency. */
    money(fen: number, currency: string) {
      const yuan = this.yuanOfFen(fen)
      return currency === 'CNY' ? yuan : `${yuan.slice(1)} ${currency}`
    },
    yuanOfCredits(credits: number) {
      return this.yuanOfFen(credits * fenPerCredit)
    },
    /** For table rows: `11-16 13:06:52`, with the year if it is not the current one. */
    shortTime(iso: string) {
      const at = Date.parse(iso)
      const day = dayAt(at)
      const isThisYear = day.startsWith(dayAt(Date.now()).slice(0, 4))
      return `${isThisYear ? day.slice(5) : day} ${clockAt(at)}`
    },
    /** Of a month such as 2026-09; the text itself if it is none. */
    month: (isoMonth: string) =>
      /^\d{4}-(0[1-9]|1[0-2])$/.test(isoMonth) ? month().format(noonOf(`${isoMonth}-01`)) : isoMonth,
    ago(iso: string, nowMs: number) {
      const seconds = Math.round((Date.parse(iso) - nowMs) / 1000)
      const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? units.at(-1)!
      return relative().format(Math.trunc(seconds / size), unit)
    },
    /** The time between two instants, as people say it. */
    took(fromIso: string, toIso: string) {
      return this.duration(Date.parse(toIso) - Date.parse(fromIso))
    },
    ms: (...values: number[]) => msText(language, values),
    duration(ms: number) {
      if (ms < 60_000) return this.ms(ms)
      const [unit, size] = units.find(([, seconds]) => ms >= seconds * 1000)!
      const long = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' })
      return long.format(Math.trunc(ms / 1000 / size))
    },
  }
}

/** Made when first used: each of these formats costs milliseconds, and no page uses all of them. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

const noonOf = (isoDay: string) => new Date(`${isoDay}T12:00:00+08:00`)

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const satisfies [Intl.RelativeTimeFormatUnit, number][]

export function useFormat(): Format {
  const { language } = useTranslation().i18n
  const known = formats.get(language)
  if (known) return known
  const format = createFormat(language)
  formats.set(language, format)
  return format
}

/** By language, because Intl formats are expensive to create and every table row uses some. */
const formats = new Map<string, Format>()

/** A key in a sentence: by its name, if it has one, and its prefix. */
export const keyText = ({
  name,
  displayPrefix,
}: {
  readonly name: string | null
  readonly displayPrefix: string
}): string => (name === null ? displayPrefix : `${name} (${displayPrefix})`)

/** A wait in seconds, or in minutes above one minute. */
export function useWaitText(): (seconds: number) => string {
  const { t } = useTranslation()
  return (seconds) =>
    seconds > 60
      ? t('common.minutes', { count: Math.ceil(seconds / 60) })
      : t('common.seconds', { count: Math.max(1, seconds) })
}

/**
 * Why a call was released or is in review, in the reader's language; in English for a code newer than this page. Callers have seen
 * an error code in their response, so it is shown too.
 */
export function useReason(): (reason: NonNullable<Charge['reason']>) => string {
  const { t, i18n } = useTranslation()
  return ({ code, text }) => {
    if (i18n.exists(`reasons.${code}`)) return t(`reasons.${code as ReasonCode}`)
    const sentence = t(`errors.${code as ErrorCode}`, { defaultValue: text })
    return i18n.language === 'en' ? `${sentence} (${code})` : `${sentence}（${code}）`
  }
}

/** Translates an error or an error code into a sentence. */
export function useSentence(): (error: unknown) => string {
  const { t } = useTranslation()
  return useCallback(
    (error) => {
      if (error instanceof Unreachable) return t('trouble.unreachable')
      if (error instanceof Refused && error.limitSource === 'key_budget') return t('trouble.budgetReached')
      // The operator console adds sentences for its own codes.
      const code = (
        error instanceof Refused ? error.code : typeof error === 'string' ? error : null
      ) as ErrorCode | null
      // A newer gateway may send a code that this page does not know.
      return t(`errors.${code ?? 'INTERNAL_ERROR'}`, { defaultValue: t('errors.INTERNAL_ERROR') })
    },
    [t],
  )
}
