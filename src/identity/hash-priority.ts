import { readdirSync, readFileSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'

/** On Linux, ten steps give a thread a tenth of the time of one that competes with it. */
const steps = 10

/**
 * Gives the thread pool, which hashes passwords, a lower priority than the event loop: a flood of logins then gets only the
 * processor time that calls leave over. Linux only, where every thread has a priority of its own. The pool's other work, such
 * as DNS lookups, is short.
 */
export function lowerPoolPriority(): void {
  if (process.platform !== 'linux') return
  const lower = Math.min(getPriority() + steps, constants.priority.PRIORITY_LOW)
  try {
    for (const thread of readdirSync(tasks)) {
      if (readFileSync(`${tasks}/${thread}/comm`, 'utf8') === 'libuv-worker\n') setPriority(Number(thread), lower)
    }
  } catch {
    // A thread has ended, or /proc is hidden: hashing works with any priority.
  }
}

const tasks = '/proc/self/task'
