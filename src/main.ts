import { enableCompileCache, flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { App } from './app.ts'
import type { Config } from './config/config.ts'

/** Whether an error that ends the start is shown with its stack. */
let withStack = false

/** Starts the gateway, drains it when asked to stop, and says with the exit code how it went. */
async function main(): Promise<void> {
  // Stripping types and compiling is most of a start; what it makes is kept beside the packages it is made from.
  const cache = fileURLToPath(new URL('../node_modules/.cache/gateway', import.meta.url))
  enableCompileCache(cache)
  // For the store's thread, which does not take it over by itself.
  process.env.NODE_COMPILE_CACHE = cache
  const { loadConfig } = await import('./config/config.ts')
  const config = loadConfig()
  withStack = config.logLevel === 'debug' || config.logLevel === 'trace'
  const [{ openLog }, { startApp }] = await Promise.all([import('./operator/log.ts'), import('./app.ts')])
  const { logger, print, linesDropped } = openLog({ level: config.logLevel })
  const app = await startApp({ config, logger, linesDropped })
  print(announcement(config, app))
  flushCompileCache()
  stopOnSignal(app, (error) => logger.error({ err: error }, 'the shutdown failed'))
}

function announcement({ origin, isLoopback, operatorListen }: Config, { operator }: App): string {
  const base = origin.origin
  const lines = [
    `API Relay Gateway serves ${base}`,
    `  console   ${base}/console`,
    `  docs      ${base}/docs`,
    operator && `  operator  http://${operatorListen!.host}:${operator.port}/readyz`,
    operator && isLoopback && `  SMS inbox http://${operatorListen!.host}:${operator.port}/`,
  ]
  return `${lines.filter(Boolean).join('\n')}\n`
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

main().catch((error) => {
  try {
    process.stderr.write(`${withStack && error instanceof Error ? error.stack : oneLine(error)}\n`)
  } finally {
    process.exit(1)
  }
})

/** Errors that say by themselves what to do. */
const explained = new Set(['ConfigFault', 'SecretUnusable', 'StoreUnusable', 'StoreUnavailable'])

function oneLine(error: unknown): string {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  const text = message.replace(/\s+/g, ' ')
  return explained.has(name) ? text : `the start failed: ${text} (LOG_LEVEL=debug shows where)`
}
