import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { startApp } from '../../src/app/app.ts'
import { loadConfig } from '../../src/config/config.ts'
import { ConfigFault } from '../../src/config/faults.ts'
import type { EmailOutboxLine } from '../../src/providers/email.ts'
import type { SmsOutboxLine } from '../../src/providers/sms/sms.ts'
import { cheapPasswords } from '../gateway/cheap-passwords.ts'
import { testSecret } from '../gateway/gateway.ts'
import { freePort } from '../http/free-port.ts'
import { behaves, startUpstream, type Upstream } from '../providers/upstream.ts'
import { type Database, type EngineName, migratedDatabase } from '../store/engines.ts'

export interface ConsoleGateway {
  readonly origin: string
  /** Of the operator's console. */
  readonly operatorOrigin: string
  /** A one-time sign-in link for the local administrator; a public origin has none. */
  readonly newSignInLink: () => string
  /** For tests that seed the books directly. */
  readonly database: Database
  /** The latest code that was sent to a phone. */
  readonly codeFor: (phone: string) => string
  /** What was sent so far, oldest first. */
  readonly smsOutbox: () => SmsOutboxLine[]
  readonly emailOutbox: () => EmailOutboxLine[]
  /** The provider `model_provider_b`, which never responds. */
  readonly silentProvider: Upstream
  /** By the gateway's clock. */
  readonly now: () => number
  /** Advances the gateway's clock, not the browser's. */
  readonly advanceSeconds: (seconds: number) => void
  /** Stops the gateway and starts it again at the same origin. */
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

export interface ConsoleGatewayOptions {
  readonly engine?: EngineName
  readonly startDaysAgo?: number
  /** More than this many credits need a second operator. */
  readonly approvalAboveCredits?: number
  /** Browsers cannot open this origin; the operator's console is on loopback all the same. */
  readonly isPublic?: boolean
  /** Of the configuration file. */
  readonly payments?: { readonly queryAfterSeconds: readonly number[]; readonly queryEverySeconds: number }
}

const dayMs = 86_400_000

const attempts = 3

/** Those of the last gateway of this process, which the next one listens on too, because a browser caches by origin. */
const lastPorts: { public: number | undefined; operator: number | undefined } = {
  public: undefined,
  operator: undefined,
}

/** A gateway at an origin that a browser can open, with the built console. */
export async function startConsoleGateway(options: ConsoleGatewayOptions = {}): Promise<ConsoleGateway> {
  if (!existsSync(new URL('../../console/dist/index.html', import.meta.url))) {
    throw new Error('The console is not built: run `npm run build` first.')
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(options)
    } catch (error) {
      // Another process may take the free port before we listen on it.
      if (!(error instanceof ConfigFault) || attempt === attempts) throw error
      lastPorts.public = lastPorts.operator = undefined
    }
  }
}

async function start({
  engine = 'sqlite',
  startDaysAgo = 0,
  approvalAboveCredits,
  isPublic = false,
  payments,
}: ConsoleGatewayOptions): Promise<ConsoleGateway> {
  const [database, port, operatorPort, silentProvider] = await Promise.all([
    migratedDatabase(engine),
    lastPorts.public ?? freePort(),
    lastPorts.operator ?? freePort(),
    startUpstream(behaves.hangUp()),
  ])
  const { dataDir } = database
  const configFile = join(dataDir, 'config.json')
  const models = {
    model_provider_b: {
      adapter: 'openai',
      baseUrl: silentProvider.url,
      models: { quiet: 'quiet' },
      breaker: { failures: 1000 },
    },
  }
  const operators = approvalAboveCredits === undefined ? {} : { approvalAboveCredits }
  await writeFile(
    configFile,
    JSON.stringify({ models: { providers: models }, operators, ...(payments && { payments }) }),
  )
  const origin = isPublic ? 'https://gateway.example' : `http://localhost:${port}`
  const smsOutbox = () => readLines<SmsOutboxLine>(join(dataDir, 'sms-outbox.jsonl'))
  let aheadMs = -startDaysAgo * dayMs
  const now = () => Date.now() + aheadMs
  const startAgain = () =>
    startApp({
      config: loadConfig({
        GATEWAY_ORIGIN: origin,
        GATEWAY_LISTEN: `127.0.0.1:${port}`,
        GATEWAY_OPERATOR_LISTEN: `127.0.0.1:${operatorPort}`,
        GATEWAY_DATA_DIR: dataDir,
        DATABASE_URL: database.databaseUrl,
        GATEWAY_CONFIG: configFile,
        ...(isPublic && { GATEWAY_SECRET: testSecret }),
      }),
      logger: pino({ level: 'silent' }),
      clock: now,
      passwordCost: cheapPasswords,
    })
  let app = await startAgain()
  Object.assign(lastPorts, { public: port, operator: operatorPort })
  return {
    origin,
    get operatorOrigin() {
      return `http://127.0.0.1:${app.operator!.port}`
    },
    newSignInLink: () => app.newSignInLink!(),
    database,
    codeFor: (phone) => {
      const sent = smsOutbox().findLast((line) => line.phone === phone && line.kind !== 'notice')
      return (sent as Extract<SmsOutboxLine, { code: string }>).code
    },
    smsOutbox,
    emailOutbox: () => readLines<EmailOutboxLine>(join(dataDir, 'email-outbox.jsonl')),
    silentProvider,
    now,
    advanceSeconds: (seconds) => {
      aheadMs += seconds * 1000
    },
    restart: async () => {
      await app.stop()
      app = await startAgain()
    },
    stop: async () => {
      await app.stop()
      await silentProvider.close()
      await database.remove()
    },
  }
}

/** A line without its end is still being written. */
function readLines<T>(path: string): T[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as T)
}
