/**
 * Halves of the young generation of 16 MiB, and an old generation of at most twice what is in use; see
 * docs/decisions/0009-speed.md. Every start line has them: V8 sizes the young generation before any script runs, so that
 * `v8.setFlagsFromString` is too late (128 MiB instead of 32 were measured).
 */
export const memoryFlags = ['--max-semi-space-size=16', '--heap-growing-percent=100'] as const

/** A flag that was given another value is not missing. */
export const missingMemoryFlags = (given: readonly string[] = process.execArgv): string[] =>
  memoryFlags.filter((flag) => !given.some((other) => other.startsWith(flag.split('=')[0]!)))
