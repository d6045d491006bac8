import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { PostgresServer } from '../../testkit/store/postgres-server.ts'
import { onServer } from '../../testkit/store/postgres-standby.ts'
import { processTree } from '../process-usage.ts'
import { ratioDuring, type Scenario, untilService } from './scenario.ts'

const quietMs = 2000

/** Every process of the primary stands still, and goes on. */
export const stalledDatabase: Scenario = {
  kind: 'database stalled for 4 s',
  async run(stage) {
    await delay(quietMs)
    const processes = await processesOf(stage.site.database.primary())
    for (const pid of processes) signal(pid, 'SIGSTOP')
    await delay(4000)
    for (const pid of processes) signal(pid, 'SIGCONT')
    const secondsWithoutService = await untilService(stage, performance.now())
    await delay(quietMs)
    return { secondsWithoutService }
  },
}

/** The server ends all sessions of the gateways, six times in three seconds. */
export const terminatedBackends: Scenario = {
  kind: 'backends terminated',
  async run(stage) {
    await delay(quietMs)
    await onServer(stage.site.database.primary(), async (client) => {
      for (let i = 0; i < 6; i += 1) {
        await client.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'api-relay-gateway'",
        )
        await delay(500)
      }
    })
    const secondsWithoutService = await untilService(stage, performance.now())
    await delay(quietMs)
    return { secondsWithoutService }
  },
}

/** One gateway stands still for longer than its lease, and goes on. */
export const frozenGateway: Scenario = {
  kind: 'gateway frozen for 20 s',
  async run(stage) {
    const frozen = stage.site.gateways.at(-1)!
    const ratio = await ratioDuring(stage, async () => frozen.process.pause(), {
      beforeMs: 4000,
      duringMs: 20_000,
      gateways: [0, 1],
      isUntouched: () => true,
    })
    frozen.process.resume()
    const secondsWithoutService = await untilService(stage, performance.now())
    await delay(quietMs)
    return { ratio, secondsWithoutService }
  },
}

async function processesOf({ databaseDir }: PostgresServer): Promise<number[]> {
  const [pid] = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n')
  return processTree(Number(pid))
}

/** A backend may have ended since. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
