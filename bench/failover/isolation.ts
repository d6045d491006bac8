import { setTimeout as delay } from 'node:timers/promises'
import { countOn } from '../../testkit/store/database-pair.ts'
import type { PostgresServer } from '../../testkit/store/postgres-server.ts'
import { onServer } from '../../testkit/store/postgres-standby.ts'
import type { SiteGateway } from '../../testkit/storms/failover/site.ts'
import { ratioDuring, type Scenario, type Stage, untilService } from './scenario.ts'

const beforeMs = 5000
const quietMs = 1000

/** Somebody locks the balance of one project for eight seconds. */
export const lockedProject: Scenario = {
  kind: 'one project locked for 8 s',
  async run(stage) {
    const { database, payers } = stage.site
    const locked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const hold = () =>
      onServer(database.primary(), async (client) => {
        await client.query('BEGIN')
        await client.query('SELECT 1 FROM balances WHERE project_id = $1 FOR UPDATE', [payers[0]!.projectId])
        locked.resolve()
        await released.promise
        await client.query('ROLLBACK')
      })
    let holding = Promise.resolve()
    const ratio = await ratioDuring(
      stage,
      async () => {
        holding = hold()
        await Promise.race([locked.promise, holding])
      },
      { beforeMs, duringMs: 8000, gateways: [0, 1, 2], isUntouched: ({ payer }) => payer !== 0 },
    )
    released.resolve()
    await holding
    await delay(quietMs)
    return { ratio }
  },
}

/** One gateway stands still in the middle of a batch, so that it holds locks. */
export const stalledGateway: Scenario = {
  kind: 'one gateway stalled in a batch for 8 s',
  async run(stage) {
    const stalled = stage.site.gateways.at(-1)!
    const ratio = await ratioOfOthers(stage, 8000, () => freezeWithLocks(stage, stalled))
    stalled.process.resume()
    stage.traffic.resume()
    const secondsWithoutService = await untilService(stage, performance.now())
    await delay(quietMs)
    return { ratio, secondsWithoutService }
  },
}

/** How long the server's keepalives take to notice that a peer is gone; a proxy on the same machine would answer them. */
const keepaliveMs = 11_000

/** One gateway holds locks when its machine vanishes: nothing more arrives from it, and the server gets no reset. */
export const vanishedGateway: Scenario = {
  kind: 'one gateway vanished in a batch',
  async run(stage) {
    const vanished = stage.site.gateways.at(-1)!
    const ratio = await ratioOfOthers(stage, keepaliveMs, async () => {
      await freezeWithLocks(stage, vanished)
      vanished.access.goSilent()
      await vanished.process.kill()
    })
    vanished.access.comeBack()
    await vanished.start()
    stage.traffic.resume()
    const secondsWithoutService = await untilService(stage, performance.now())
    await delay(quietMs)
    return { ratio, secondsWithoutService }
  },
}

/** The last gateway serves only a quarter of the projects, so that it can lock no other. */
async function ratioOfOthers(stage: Stage, duringMs: number, cause: () => Promise<void>): Promise<number> {
  const { gateways, payers } = stage.site
  const last = gateways.length - 1
  const isTouched = (payer: number) => payer < payers.length / 4
  stage.traffic.restrictTo(({ gateway, payer }) => gateway !== last || isTouched(payer))
  await delay(quietMs)
  return ratioDuring(stage, cause, {
    beforeMs,
    duringMs,
    gateways: gateways
      .keys()
      .filter((gateway) => gateway !== last)
      .toArray(),
    isUntouched: ({ payer }) => !isTouched(payer),
  })
}

const maxTries = 300
/** Longer than any batch of a gateway that runs. */
const heldMs = 200
const heldLocks = `SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'api-relay-gateway'
  AND state = 'idle in transaction' AND backend_xid IS NOT NULL
  AND state_change < clock_timestamp() - interval '${heldMs / 2} milliseconds'`

/** Stops the process again and again until that happens between the two round trips of a batch. */
async function freezeWithLocks({ site }: Stage, { process }: SiteGateway): Promise<void> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    process.pause()
    await delay(heldMs)
    if (await holdsLocks(site.database.primary())) return
    process.resume()
    await delay(20 + Math.random() * 40)
  }
  throw new Error('the gateway never stopped within a batch')
}

const holdsLocks = async (server: PostgresServer) => (await countOn(server, heldLocks)) > 0
