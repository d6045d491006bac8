/** Medians over several rounds, because other programs on the machine only ever slow a round down. */

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The spread of the rounds relative to their median. */
export const spread = (values: readonly number[]): number =>
  (Math.max(...values) - Math.min(...values)) / (median(values) || 1)

/** Round by round, so that what slowed both cancels out. */
export const pairedRatio = (values: readonly number[], others: readonly number[]): number =>
  median(values.map((value, round) => value / others[round]!))

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * share) / 100))] ?? 0
}

/** Only what was measured; null when nothing was. */
export function medianOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : median(known)
}
