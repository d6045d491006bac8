import { minuteMs } from '../base/time.ts'
import { every } from '../base/timers.ts'

export interface Task {
  readonly name: string
  readonly everyMs: number
  /** Returns early once the signal is aborted. */
  readonly run: (stopping: AbortSignal) => Promise<unknown>
}

/** Runs each task at its interval, never twice at once. A failed task runs again at its next interval. */
export function startMaintenance(
  tasks: readonly Task[],
  onFailure: (name: string, error: unknown) => void,
): { stop: () => Promise<void> } {
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()

  const timers = tasks.map((task) => {
    let isBusy = false
    return every(task.everyMs, () => {
      if (isBusy || stopping.signal.aborted) return
      isBusy = true
      const run = task
        .run(stopping.signal)
        .catch((error) => onFailure(task.name, error))
        .then(() => {
          isBusy = false
          running.delete(run)
        })
      running.add(run)
    }).unref()
  })

  return {
    async stop() {
      stopping.abort()
      for (const timer of timers) timer.cancel()
      await Promise.all(running)
    },
  }
}

/** Small enough that no call waits long for one of these writes. */
const rowsAtOnce = 1000
const maxRounds = 500

/** Repeats until a round finds fewer rows than its limit, so that one run clears a whole backlog. */
async function repeat(stopping: AbortSignal, round: () => Promise<number>): Promise<void> {
  for (let rounds = 0; rounds < maxRounds && !stopping.aborted && (await round()) >= rowsAtOnce; rounds += 1);
}

/** A task that works through its rows in small rounds; a round returns how many rows it found. */
export const inRounds = (name: string, round: (limit: number) => Promise<number>): Task => ({
  name,
  everyMs: minuteMs,
  run: (stopping) => repeat(stopping, () => round(rowsAtOnce)),
})
