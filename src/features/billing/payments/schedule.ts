export interface Schedule {
  readonly expirySeconds: number
  /** After the creation. */
  readonly queryAfterSeconds: readonly number[]
  readonly queryEverySeconds: number
}

/** For projects that have never paid: the first and the last of the early queries, then a quarter as often. */
export const fewerQueries = ({ queryAfterSeconds, queryEverySeconds, ...rest }: Schedule): Schedule => ({
  ...rest,
  queryAfterSeconds: queryAfterSeconds.filter((_, index, { length }) => index === 0 || index === length - 1),
  queryEverySeconds: 4 * queryEverySeconds,
})

interface PaymentTimes {
  readonly createdAt: number
  readonly expiresAt: number
}

/** The next query of a payment that can still be paid; at most its expiry, which is always queried. */
export function nextQueryAt({ createdAt, expiresAt }: PaymentTimes, schedule: Schedule, now: number): number {
  const early = schedule.queryAfterSeconds.map((seconds) => createdAt + seconds * 1000).find((at) => at > now)
  return Math.min(early ?? now + schedule.queryEverySeconds * 1000, Math.max(expiresAt, now))
}

/** After a hint about a payment that has ended: some more queries, then none. `queries` counts those since the hint. */
export function nextAfterHint(queries: number, schedule: Schedule, now: number): number | null {
  const seconds = schedule.queryAfterSeconds[queries]
  return seconds === undefined ? null : now + seconds * 1000
}

/** Doubles with each failure in a row. */
export const retryAt = (failures: number, { queryEverySeconds }: Schedule, now: number): number =>
  now + 1000 * Math.min(queryEverySeconds, 2 ** Math.min(failures, 12))
