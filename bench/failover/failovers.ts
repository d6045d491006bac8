import { setTimeout as delay } from 'node:timers/promises'
import { type Scenario, untilService } from './scenario.ts'

const quietMs = 2000
/** How long it takes to notice the loss and promote the standby. */
const noticeMs = 1000

/** The primary is lost and its synchronous standby promoted. */
const failover = (kind: string, lose: 'kill' | 'cutOff'): Scenario => ({
  kind,
  restore: (database) => database.rebuild(),
  async run(stage) {
    const { database } = stage.site
    await delay(quietMs)
    await database[lose]()
    await delay(noticeMs)
    await database.promote()
    const secondsWithoutService = await untilService(stage, performance.now())
    await delay(quietMs)
    return { secondsWithoutService }
  },
})

export const killedPrimary = failover('primary killed', 'kill')
export const silentPrimary = failover('primary cut off silently', 'cutOff')

/** Longer than a server may be silent before its connections are dropped. */
const stallMs = 4000

/** The standby is promoted, the old primary comes back writable and is not stopped; then the new one does not answer for a while. */
export const oldPrimary: Scenario = {
  kind: 'old primary back and not fenced, new one silent for 4 s',
  restore: (database) => database.rebuild(),
  async run(stage) {
    const { database } = stage.site
    await delay(quietMs)
    await database.kill()
    await delay(noticeMs)
    await database.promote()
    await untilService(stage, performance.now())
    await database.reviveOldPrimary()
    await delay(quietMs)
    await database.cutOff()
    await delay(stallMs)
    database.reconnect()
    const secondsWithoutService = await untilService(stage, performance.now())
    await delay(quietMs)
    return { secondsWithoutService }
  },
}
