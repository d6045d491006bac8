/**
 * Runs `decide` once the input that had already arrived was read. Whoever judges that time ran out calls it first: when the
 * event loop was paused, its timers run before its sockets are read, and an answer that came in time would count as late.
 *
 * An immediate runs after the sockets were read once; the second one covers what the first read set off.
 */
export function afterPendingInput(decide: () => void): void {
  setImmediate(() => setImmediate(decide))
}
