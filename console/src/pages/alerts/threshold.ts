/** The steps of the slider; 0 means never. */
const steps = [0, 10, 20, 50, 100, 200, 300, 500, 1000, 2000, 3000, 5000, 10_000, 20_000, 50_000, 100_000]

/** The steps plus the current threshold if it is not one of them. */
export const stepsWith = (credits: number | null): number[] =>
  [...new Set([...steps, credits ?? 0])].sort((a, b) => a - b)

type Lasting =
  | { readonly unit: 'days' | 'hours'; readonly count: number }
  | { readonly unit: 'lessThanHour' | 'longer' }

const longDays = 365

/** How long the credits last at this rate; null without one. */
export function lastingOf(credits: number, spentPerDay: number | null): Lasting | null {
  if (spentPerDay === null) return null
  const hours = (credits * 24) / spentPerDay
  if (hours < 1) return { unit: 'lessThanHour' }
  if (hours < 24) return { unit: 'hours', count: Math.floor(hours) }
  const days = Math.floor(hours / 24)
  return days > longDays ? { unit: 'longer' } : { unit: 'days', count: days }
}
