const dayMs = 86_400_000
const warningsMs = [7 * dayMs, dayMs]

/** The next moment to warn of an expiry: 7 days before it, then 1 day before it. A moment that has passed is left out. */
export function nextExpiryWarning(expiresAt: number | null, now: number): number | null {
  if (expiresAt === null) return null
  return warningsMs.map((beforeMs) => expiresAt - beforeMs).find((at) => at > now) ?? null
}
