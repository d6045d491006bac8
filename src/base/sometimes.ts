let note: ((name: string) => void) | null = null

/** Counts the cases that are reached; for the simulation. Null: none. */
export function useSometimes(other: typeof note): void {
  note = other
}

/**
 * Says that a rare case is reached. The simulation counts them, and reports those that none of its worlds has reached: then nothing tests
 * them. Does nothing in production. Each name occurs once. A case that is a condition is reached when it holds, and the
 * condition is returned.
 */
export function sometimes(name: string, isReached = true): boolean {
  if (isReached) note?.(name)
  return isReached
}
