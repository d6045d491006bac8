import { soon } from './timers.ts'

/**
 * Runs `decide` after reading all input that has already arrived. Every timeout must go through it: after a pause of the
 * event loop, timers run before sockets are read, so a response that arrived in time would count as late.
 *
 * The first immediate runs after one read of the sockets, the second after whatever that read triggered.
 */
export function afterPendingInput(decide: () => void): void {
  soon(() => soon(decide))
}
