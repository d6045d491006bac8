import { setTimeout as delay } from 'node:timers/promises'
import { type Scenario, untilService } from './scenario.ts'

const quietMs = 2000
/** What whoever promotes the standby takes to notice the loss. */
const noticeMs = 1000

/** The primary is lost and its synchronous standby promoted. */
const failover = (kind: string, lose: 'kill' | 'cutOff'): Scenario => ({
  kind,
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
