import { setTimeout as delay } from 'node:timers/promises'
import { startTcpProxy } from '../../test/support/http/tcp-proxy.ts'
import type { Scenario } from './scenario.ts'

const pauseMs = 1500

/** Each gateway in turn is stopped and started again, behind a proxy that knows nothing but TCP. */
export const rollingRestart: Scenario = {
  kind: 'rolling restart',
  async run({ site, traffic }) {
    const proxy = await startTcpProxy(...site.gateways.map(({ port }) => port))
    traffic.takeFailures()
    traffic.sendThrough(proxy.port)
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
    proxy.close()
    return { failedRequests: Object.values(failures).reduce((sum, count) => sum + count, 0) }
  },
}
