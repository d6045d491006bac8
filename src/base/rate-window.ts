/** Rate windows are fixed and aligned to multiples of their length, as `Retry-After` promises. */
export const windowEnd = (at: number, windowMs: number): number => at - (at % windowMs) + windowMs

/** Clocks of instances differ slightly. Without this tolerance, calls near the end of a window would keep restarting it. */
export const clockSkewMs = 5000

/** A window that ends later was started by a clock that was ahead, and counts as over. */
export const latestWindowEnd = (at: number, windowMs: number): number => at + windowMs + clockSkewMs
