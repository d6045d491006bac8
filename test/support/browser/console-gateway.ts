import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { startApp } from '../../../src/app.ts'
import { loadConfig } from '../../../src/config/config.ts'
import type { EmailMessage, SmsCode } from '../../../src/messages/senders.ts'
import { freePort } from '../http/free-port.ts'
import { behaves, startUpstream, type Upstream } from '../providers/upstream.ts'
import type { Database } from '../store/engines.ts'

export interface ConsoleGateway {
  readonly origin: string
  /** For whoever seeds the books beside the gateway. */
  readonly database: Database
  /** The latest code that was sent to a phone. */
  readonly codeFor: (phone: string) => string
  /** Every email that was sent. */
  readonly emails: readonly EmailMessage[]
  /** The provider `model_provider_b`, which never responds. */
  readonly silentProvider: Upstream
  /** Advances the gateway's clock, not the browser's. */
  readonly advanceSeconds: (seconds: number) => void
  readonly stop: () => Promise<void>
}

const dayMs = 86_400_000

const attempts = 3

/** A gateway at an origin that a browser can open, with the built console. */
export async function startConsoleGateway({ startDaysAgo = 0 } = {}): Promise<ConsoleGateway> {
  if (!existsSync(new URL('../../../console/dist/index.html', import.meta.url))) {
    throw new Error('The console is not built: run `npm run build` first.')
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(startDaysAgo)
    } catch (error) {
      // Another process may take the free port before we listen on it.
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || attempt === attempts) throw error
    }
  }
}

async function start(startDaysAgo: number): Promise<ConsoleGateway> {
  const [dataDir, port, silentProvider] = await Promise.all([
    mkdtemp(join(tmpdir(), 'console-test-')),
    freePort(),
    startUpstream(behaves.hangUp()),
  ])
  const configFile = join(dataDir, 'config.json')
  const models = {
    model_provider_b: {
      adapter: 'openai',
      baseUrl: silentProvider.url,
      models: { quiet: 'quiet' },
      breaker: { failures: 1000 },
    },
  }
  await writeFile(configFile, JSON.stringify({ models: { providers: models } }))
  const origin = `http://localhost:${port}`
  const messages: SmsCode[] = []
  const emails: EmailMessage[] = []
  let aheadMs = -startDaysAgo * dayMs
  const app = await startApp({
    config: loadConfig({
      GATEWAY_ORIGIN: origin,
      GATEWAY_LISTEN: `127.0.0.1:${port}`,
      GATEWAY_OPERATOR_LISTEN: '127.0.0.1:0',
      GATEWAY_DATA_DIR: dataDir,
      GATEWAY_CONFIG: configFile,
    }),
    logger: pino({ level: 'silent' }),
    clock: () => Date.now() + aheadMs,
    sms: { send: async (message) => void (message.kind !== 'notice' && messages.push(message)) },
    email: { send: async (message) => void emails.push(message) },
    passwordCost: { memoryKib: 64, passes: 1, parallelism: 1 },
  })
  return {
    origin,
    database: { databaseUrl: 'sqlite:', dataDir, remove: async () => {} },
    codeFor: (phone) => messages.findLast((message) => message.phone === phone)!.code,
    emails,
    silentProvider,
    advanceSeconds: (seconds) => {
      aheadMs += seconds * 1000
    },
    stop: async () => {
      await app.stop()
      await silentProvider.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
