/** Fixed rate windows, as `Retry-After` promises them: they lie on multiples of their length. */
export const windowEnd = (at: number, windowMs: number): number => at - (at % windowMs) + windowMs

/**
 * Two instances read slightly different clocks. Without this allowance, calls around the end of a window would begin it
 * anew over and over.
 */
export const clockSkewMs = 5000

/** A window that ends later was begun by a clock that was ahead, and is over. */
export const latestWindowEnd = (at: number, windowMs: number): number => at + windowMs + clockSkewMs
