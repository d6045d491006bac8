/** Two-sided p value of the Mann-Whitney rank test, by its normal approximation with tied ranks averaged. */
export function rankTest(first: readonly number[], second: readonly number[]): number {
  const all = [...first, ...second].sort((a, b) => a - b)
  const rankOf = new Map<number, number>()
  let tied = 0
  for (let from = 0; from < all.length; ) {
    let to = from
    while (all[to] === all[from]) to += 1
    rankOf.set(all[from]!, (from + 1 + to) / 2)
    tied += (to - from) ** 3 - (to - from)
    from = to
  }
  const [n, m] = [first.length, second.length]
  const ranks = first.reduce((sum, value) => sum + rankOf.get(value)!, 0)
  const u = ranks - (n * (n + 1)) / 2
  const variance = ((n * m) / 12) * (n + m + 1 - tied / ((n + m) * (n + m - 1)))
  return 2 * upperTail(Math.abs(u - (n * m) / 2) / Math.sqrt(variance))
}

/** P(Z > z) of the normal distribution; Abramowitz and Stegun 26.2.17, exact to 1e-7. */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z)
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series
}
