import { setTimeout as delay } from 'node:timers/promises'
import { startHaproxy } from '../../testkit/deploy/haproxy.ts'
import { startTcpProxy } from '../../testkit/http/tcp-proxy.ts'
import { tools } from '../../testkit/installed-tools.ts'
import type { FrontProxy } from '../../testkit/storms/failover/traffic.ts'
import { atExit } from '../at-exit.ts'
import type { Measured, Scenario, Stage } from './scenario.ts'

const pauseMs = 1500

/** Each gateway in turn is stopped and started again, behind a proxy that knows nothing but TCP. */
export const rollingRestart: Scenario = {
  kind: 'rolling restart behind a plain proxy',
  async run(stage) {
    const proxy = await startTcpProxy(...stage.site.gateways.map(({ port }) => port))
    const measured = await restartEach(stage, proxy)
    proxy.close()
    return measured
  },
}

/** The same behind HAProxy with the configuration of `deploy/`. */
export const haproxyRestart: Scenario = {
  kind: 'rolling restart behind HAProxy',
  async run(stage) {
    const proxy = await startHaproxy(tools.haproxy!, stage.site.gateways)
    const kill = () => process.kill(proxy.pid, 'SIGKILL')
    atExit.add(kill)
    const measured = await restartEach(stage, { port: proxy.port, hasTls: true })
    await proxy.close()
    atExit.delete(kill)
    return measured
  },
}

async function restartEach({ site, traffic }: Stage, proxy: FrontProxy): Promise<Measured> {
  traffic.takeFailures()
  traffic.sendThrough(proxy)
  await delay(pauseMs)
  for (const gateway of site.gateways) {
    const code = await gateway.process.terminate()
    if (code !== 0) throw new Error(`a gateway ended with exit code ${code}`)
    await gateway.start()
    await delay(pauseMs)
  }
  const failures = traffic.takeFailures()
  if (Object.keys(failures).length > 0) console.log('  failed requests:', JSON.stringify(failures))
  traffic.sendThrough()
  // Calls through the proxy that are still under way end first.
  await traffic.pause()
  traffic.resume()
  return { failedRequests: Object.values(failures).reduce((sum, count) => sum + count, 0) }
}
