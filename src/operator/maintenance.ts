export interface Task {
  readonly name: string
  readonly everyMs: number
  readonly run: () => Promise<unknown>
}

/** Runs housekeeping beside the traffic: one run of a task at a time, and a failure only waits for the next turn. */
export function startMaintenance(
  tasks: readonly Task[],
  onFailure: (name: string, error: unknown) => void,
): { stop: () => Promise<void> } {
  const running = new Set<Promise<void>>()
  let isStopping = false

  const timers = tasks.map((task) => {
    let isBusy = false
    return setInterval(() => {
      if (isBusy || isStopping) return
      isBusy = true
      const run = task
        .run()
        .catch((error) => onFailure(task.name, error))
        .then(() => {
          isBusy = false
          running.delete(run)
        })
      running.add(run)
    }, task.everyMs).unref()
  })

  return {
    async stop() {
      isStopping = true
      for (const timer of timers) clearInterval(timer)
      await Promise.all(running)
    },
  }
}
