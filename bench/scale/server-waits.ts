import pg from 'pg'

/** Sessions that were at work on average, by what they waited for. */
export type Waits = ReadonlyMap<string, number>

const sampleMs = 50

/** What sessions wait for if they wait for nothing the server knows. */
export const running = 'processor'

const selectActive = `SELECT COALESCE(wait_event_type || ' ' || wait_event, '${running}') AS wait, COUNT(*)::integer AS sessions
  FROM pg_stat_activity WHERE state = 'active' AND backend_type = 'client backend' AND pid <> pg_backend_pid()
  GROUP BY wait`

/** Samples the sessions of a server until it is stopped. */
export async function sampleWaits(databaseUrl: string): Promise<{ stop(): Promise<Waits> }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const sums = new Map<string, number>()
  let samples = 0
  let isStopped = false
  const pause = () => new Promise((resolve) => setTimeout(resolve, sampleMs))
  async function sample(): Promise<void> {
    while (!isStopped) {
      const { rows } = await client.query<{ wait: string; sessions: number }>(selectActive)
      samples += 1
      for (const { wait, sessions } of rows) sums.set(wait, (sums.get(wait) ?? 0) + sessions)
      await pause()
    }
  }
  const sampling = sample()
  return {
    async stop() {
      isStopped = true
      await sampling.finally(() => client.end())
      return new Map([...sums].map(([wait, sum]) => [wait, sum / samples]))
    },
  }
}
