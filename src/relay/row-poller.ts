import { delay } from '../base/timers.ts'

interface PolledRow<T> {
  readonly row: T | undefined
  readonly isLate: boolean
}

interface RowWaiter<T> {
  readonly id: string
  readonly deadline: number
  readonly isOver: (row: T | undefined) => boolean
  readonly resolve: (result: PolledRow<T>) => void
  readonly reject: (error: unknown) => void
}

const pauseMs = 50

/** Watches rows that other instances change. However many wait, and for however many rows, one read at a time serves all. */
export function createRowPoller<T>({
  read,
  clock,
}: {
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>
  clock: () => number
}) {
  const waiting = new Set<RowWaiter<T>>()
  let isPolling = false

  async function poll(): Promise<void> {
    isPolling = true
    while (waiting.size > 0) {
      const asked = [...waiting]
      // Taken before the read, so that the last read is after the deadline even if the process was paused.
      const now = clock()
      try {
        const rows = await read([...new Set(asked.map(({ id }) => id))])
        for (const waiter of asked) finishIfDue(waiter, rows.get(waiter.id), now)
      } catch (error) {
        for (const waiter of asked) {
          waiting.delete(waiter)
          waiter.reject(error)
        }
      }
      if (waiting.size > 0) await delay(pauseMs)
    }
    isPolling = false
  }

  function finishIfDue(waiter: RowWaiter<T>, row: T | undefined, now: number): void {
    const isOver = waiter.isOver(row)
    if (!isOver && now < waiter.deadline) return
    waiting.delete(waiter)
    waiter.resolve({ row, isLate: !isOver })
  }

  return {
    /** Resolves once `isOver` accepts the row. After the deadline it resolves with the row as it is then, `isLate` unless it is over. */
    until: (id: string, deadline: number, isOver: RowWaiter<T>['isOver']): Promise<PolledRow<T>> =>
      new Promise((resolve, reject) => {
        waiting.add({ id, deadline, isOver, resolve, reject })
        if (!isPolling) void poll()
      }),
  }
}
