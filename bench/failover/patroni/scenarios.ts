import { setTimeout as delay } from 'node:timers/promises'
import { type Scenario, type Stage, untilService } from '../scenario.ts'
import type { PatroniCluster } from './cluster.ts'
import type { PatroniNode } from './node.ts'

type PatroniScenario = Scenario<PatroniCluster>

const quietMs = 2000
/** For an old primary to come back in, and to do what it must not. */
const returnMs = 6000
/** Longer than Patroni's `ttl`. */
const standbyFrozenMs = 30_000

/** The slowest gateway's longest time without an answered call, from the fault to the end of the round. */
const secondsWithout = ({ site, traffic }: Stage<PatroniCluster>, from: number): number => {
  const to = performance.now()
  return Math.max(...site.gateways.map((_, gateway) => traffic.successes.longestGapMs({ from, to }, gateway))) / 1000
}

const disturb = (kind: string, cause: (stage: Stage<PatroniCluster>) => Promise<void>): PatroniScenario => ({
  kind,
  async run(stage) {
    await delay(quietMs)
    const from = performance.now()
    await cause(stage)
    await untilService(stage, performance.now())
    await delay(quietMs)
    return { secondsWithoutService: secondsWithout(stage, from) }
  },
  restore: (database) => database.untilWhole(),
})

/** Patroni replaces a lost primary; then it comes back. */
const replaced = (
  kind: string,
  lose: (primary: PatroniNode) => Promise<void> | void,
  comeBack: (old: PatroniNode) => void,
): PatroniScenario =>
  disturb(kind, async (stage) => {
    const { database } = stage.site
    const primary = await database.leader()
    await lose(primary)
    await database.untilReplaced(primary)
    await untilService(stage, performance.now())
    comeBack(primary)
    await delay(returnMs)
  })

const start = (old: PatroniNode) => old.start()

/** Patroni decides on all promotions, except for the switchover. */
export const patroniScenarios: Readonly<Record<string, PatroniScenario>> = {
  kill: replaced("primary's node killed", (primary) => primary.kill(), start),
  switchover: disturb('switchover', (stage) => stage.site.database.switchOver()),
  freeze: replaced(
    "primary's node frozen until it is replaced",
    (primary) => primary.freeze(),
    (old) => old.thaw(),
  ),
  partition: replaced(
    "primary's node cut off until it is replaced",
    (primary) => primary.cutOff(),
    (old) => old.reconnect(),
  ),
  postgres: replaced("primary's PostgreSQL killed", (primary) => primary.killPostgres(), start),
  patroni: replaced("primary's Patroni killed, its PostgreSQL runs on", (primary) => primary.killPatroni(), start),
  standby: disturb(`synchronous standby frozen for ${standbyFrozenMs / 1000} s`, async ({ site: { database } }) => {
    const standby = await database.synchronousStandby()
    standby.freeze()
    await delay(standbyFrozenMs)
    standby.thaw()
  }),
}
