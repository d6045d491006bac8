import { flushCompileCache } from 'node:module'
import type { App } from './app/app.ts'
import type { Config } from './config/config.ts'
import { loadQuickly } from './ops/quick-loading.ts'

/** Whether a failed start prints the error's stack. */
let withStack = false

/** Starts the gateway and drains it on SIGTERM or SIGINT. */
async function main(): Promise<void> {
  // Worker threads do not inherit the cache, but read this variable.
  process.env.NODE_COMPILE_CACHE = loadQuickly()
  const { loadConfig } = await import('./config/config.ts')
  const config = loadConfig()
  withStack = config.logLevel === 'debug' || config.logLevel === 'trace'
  const [{ openLog }, { startApp }] = await Promise.all([import('./ops/log.ts'), import('./app/app.ts')])
  const { logger, print, linesDropped } = openLog({ level: config.logLevel })
  const app = await startApp({ config, logger, linesDropped })
  // Before the announcement: a caller that waits for it may stop the gateway at once.
  stopOnSignal(app, (error) => logger.error({ err: error }, 'the shutdown failed'))
  print(announcement(config, app))
  flushCompileCache()
}

function announcement({ origin, operatorListen, isOperatorLocal }: Config, { operator, newSignInLink }: App): string {
  const base = origin.origin
  const lines = [
    `API Relay Gateway serves ${base}`,
    `  console   ${base}/console`,
    `  docs      ${base}/docs`,
    operator && `  operator  http://${operatorListen!.host}:${operator.port}`,
    operator && isOperatorLocal && `  inbox     http://${operatorListen!.host}:${operator.port}/inbox`,
    // Printed, not logged: anyone who has it can sign in, once and for 10 minutes.
    newSignInLink && `  sign in   ${newSignInLink()}`,
  ]
  return `${lines.filter(Boolean).join('\n')}\n`
}

function stopOnSignal(app: App, onFailure: (error: unknown) => void): void {
  let isStopping = false
  const stop = async () => {
    // A second signal stops at once.
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

/** Errors whose message already says what to do. */
const selfExplanatory = new Set(['SecretUnusable', 'StoreUnusable', 'StoreUnavailable'])

function oneLine(error: unknown): string {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  // A line for each invalid setting.
  if (name === 'ConfigFault') return message
  const text = message.replace(/\s+/g, ' ')
  return selfExplanatory.has(name) ? text : `the start failed: ${text} (LOG_LEVEL=debug shows the stack)`
}
