import { enableCompileCache, flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { App } from './app.ts'
import type { Config } from './config.ts'

/** Starts the gateway, drains it when asked to stop, and says with the exit code how it went. */
async function main(): Promise<void> {
  // Stripping types and compiling is most of a start; what it makes is kept beside the packages it is made from.
  const cache = fileURLToPath(new URL('../node_modules/.cache/gateway', import.meta.url))
  enableCompileCache(cache)
  // For the store's thread, which does not take it over by itself.
  process.env.NODE_COMPILE_CACHE = cache
  const { loadConfig } = await import('./config.ts')
  const config = loadConfig()
  const [{ openLog }, { startApp }] = await Promise.all([import('./operator/log.ts'), import('./app.ts')])
  const logger = openLog({ level: config.logLevel })
  if (config.sms === 'outbox' && !config.isLoopback) {
    logger.warn('GATEWAY_SMS=outbox on a public origin: codes go to a file and reach nobody')
  }
  const app = await startApp({ config, logger })
  announce(config, app)
  flushCompileCache()
  stopOnSignal(app, (error) => logger.error({ err: error }, 'the shutdown failed'))
}

function announce({ origin, isLoopback, operatorListen }: Config, { operator }: App): void {
  const base = origin.origin
  const lines = [
    `API Relay Gateway serves ${base}`,
    `  console   ${base}/console`,
    `  docs      ${base}/docs`,
    operator && `  operator  http://${operatorListen!.host}:${operator.port}/readyz`,
    operator && isLoopback && `  SMS inbox http://${operatorListen!.host}:${operator.port}/`,
  ]
  process.stdout.write(`${lines.filter(Boolean).join('\n')}\n`)
}

function stopOnSignal(app: App, onFailure: (error: unknown) => void): void {
  let isStopping = false
  const stop = async () => {
    // A second signal means now.
    if (isStopping) process.exit(1)
    isStopping = true
    await app.stop().catch((error) => {
      onFailure(error)
      process.exitCode = 1
    })
    process.exit()
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/** Faults that the operator can mend: one line says it all. */
const expected = new Set(['ConfigFault', 'SecretUnusable', 'StoreUnusable', 'StoreUnavailable'])

main().catch((error) => {
  const isExpected = error instanceof Error && expected.has(error.name)
  process.stderr.write(isExpected ? `${error.message}\n` : `${error instanceof Error ? error.stack : error}\n`)
  process.exit(1)
})
