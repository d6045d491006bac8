export interface Clock {
  readonly now: () => number
  readonly monotonicMs: () => number
}

export const systemClock: Clock = { now: () => Date.now(), monotonicMs: () => performance.now() }

let clock = systemClock

/** Replaces the clock of this thread; for the simulation. */
export function useClock(other: Clock): void {
  clock = other
}

/** Milliseconds since 1970. */
export const now = (): number => clock.now()

/** Milliseconds since an arbitrary moment. Never jumps, even if the time of day is set. */
export const monotonicMs = (): number => clock.monotonicMs()
