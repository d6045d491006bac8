import { InvalidArgumentError } from 'commander'

export const wholeNumber = (min: number, max: number) => (value: string) => {
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max) return number
  throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`)
}

/** Parses a day, meaning midnight UTC, or a time with its zone. */
export function parseTime(value: string): number {
  const isWellFormed = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/.exec(value)
  const at = isWellFormed ? Date.parse(value) : Number.NaN
  // Date.parse reads 30 February as 2 March.
  const isRealDay = isWellFormed && new Date(`${isWellFormed[1]}T00:00:00Z`).toJSON()?.startsWith(isWellFormed[1]!)
  if (isRealDay && !Number.isNaN(at)) return at
  throw new InvalidArgumentError('Give a day (2026-01-31) or a time with its zone (2026-01-31T08:00:00Z).')
}
