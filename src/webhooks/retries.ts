/** What follows a failed attempt. */
export type NextAttempt =
  | { readonly kind: 'retry'; readonly at: number; readonly isHolding: boolean }
  /** The event is not sent again by itself. */
  | { readonly kind: 'giveUp' }

export interface FailedAttempt {
  /** Counts this one. */
  readonly attempts: number
  readonly firstAttemptAt: number
  readonly now: number
  /** From 0 to 1. */
  readonly random: number
}

/** How long an event is retried. */
export const giveUpMs = 3 * 86_400_000
/** How long a failing event holds back the later ones of its endpoint: as long as a restart of the endpoint may take. */
export const holdMs = 10 * 60_000

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** About 5 s, 30 s, 2, 5, 10 and 30 min, 1, 2, 4 and 8 h after the first attempt, then every 4 h. */
const waitsMs = [
  5 * secondMs,
  25 * secondMs,
  1.5 * minuteMs,
  3 * minuteMs,
  5 * minuteMs,
  20 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  4 * hourMs,
]

/** Waits are 20 % shorter or longer at random, so that endpoints that failed together are not retried together. */
export function nextAttempt({ attempts, firstAttemptAt, now, random }: FailedAttempt): NextAttempt {
  const lastAt = firstAttemptAt + giveUpMs
  if (now >= lastAt) return { kind: 'giveUp' }
  const waitMs = waitsMs[Math.min(attempts, waitsMs.length) - 1]! * (0.8 + 0.4 * random)
  return { kind: 'retry', at: Math.min(now + Math.round(waitMs), lastAt), isHolding: now - firstAttemptAt < holdMs }
}
