import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { Agent, request } from 'undici'
import { type App, startApp } from '../../src/app/app.ts'
import { loadConfig } from '../../src/config/config.ts'
import type { PollTiming } from '../../src/features/calls/media/job-transitions.ts'
import type { createHttpServer } from '../../src/http/server.ts'
import type { LeaseTiming } from '../../src/ledger/instance-lease.ts'
import type { EmailMessage, SmsCode, SmsNotice } from '../../src/providers/senders.ts'
import type { openStore } from '../../src/storage/open-store.ts'
import type { Migration } from '../../src/storage/schema/migrations.ts'
import { type Database, type EngineName, migratedDatabase } from '../store/engines.ts'
import { cheapPasswords } from './cheap-passwords.ts'

export const origin = 'http://localhost:8787'
export const testSecret = 'the secret of the tests, 32 bytes or more'

/** A clock that moves only when a test moves it. */
export class TestClock {
  now = Date.UTC(2026, 8, 3, 8, 0, 0)
  readonly read = () => this.now
  advanceSeconds(seconds: number): void {
    this.now += seconds * 1000
  }
}

export interface GatewayOptions {
  readonly engine?: EngineName
  /** Another instance on the same store. */
  readonly database?: Database
  readonly clock?: () => number
  readonly environment?: Record<string, string>
  readonly file?: object
  readonly failSms?: () => boolean
  /** Fast by default. */
  readonly mediaTiming?: PollTiming
  readonly lease?: LeaseTiming
  /** What the program knows of the schema; fewer than all stand for an older program. */
  readonly migrations?: readonly Migration[]
  readonly openStore?: typeof openStore
  readonly createServer?: typeof createHttpServer
}

/** The real gateway on a real socket, in this process, with a cheap password hash. */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const database = options.database ?? (await migratedDatabase(options.engine ?? 'sqlite'))
  const configFile = join(database.dataDir, 'config.json')
  await writeFile(configFile, JSON.stringify(options.file ?? {}))
  const config = loadConfig({
    GATEWAY_ORIGIN: origin,
    GATEWAY_LISTEN: '127.0.0.1:0',
    GATEWAY_OPERATOR_LISTEN: '127.0.0.1:0',
    GATEWAY_DATA_DIR: database.dataDir,
    DATABASE_URL: database.databaseUrl,
    GATEWAY_SECRET: testSecret,
    GATEWAY_CONFIG: configFile,
    ...options.environment,
  })
  const sent: Sent = { messages: [], notices: [], emails: [] }
  const log: string[] = []
  const app = await startApp({
    config,
    logger: pino({ level: 'trace' }, new Writable({ write: (line, _, done) => done(void log.push(String(line))) })),
    ...(options.clock && { clock: options.clock }),
    ...(options.migrations && { migrations: options.migrations }),
    ...(options.lease && { lease: options.lease }),
    ...(options.openStore && { openStore: options.openStore }),
    ...(options.createServer && { createServer: options.createServer }),
    mediaTiming: options.mediaTiming ?? { firstMs: 50, maxMs: 200 },
    sms: {
      send: async (message) => {
        if (options.failSms?.()) throw new Error('no delivery')
        if (message.kind === 'notice') sent.notices.push(message)
        else sent.messages.push(message)
      },
    },
    ...(config.email.adapter !== 'disabled' && { email: { send: async (email) => void sent.emails.push(email) } }),
    passwordCost: cheapPasswords,
  })
  return new Gateway(app, database, sent, log, options.database === undefined, options.clock ?? Date.now)
}

/** What the gateway sent. */
export interface Sent {
  /** Codes by SMS. */
  readonly messages: SmsCode[]
  /** Notices by SMS. */
  readonly notices: SmsNotice[]
  readonly emails: EmailMessage[]
}

export interface HttpResponse {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  readonly body: any
}

export class Gateway {
  readonly app: App
  readonly database: Database
  readonly messages: SmsCode[]
  readonly notices: SmsNotice[]
  readonly emails: EmailMessage[]
  readonly log: string[]
  readonly clock: () => number
  readonly #ownsDatabase: boolean
  readonly #agent = new Agent({ connections: 256, keepAliveTimeout: 1000 })

  constructor(app: App, database: Database, sent: Sent, log: string[], ownsDatabase: boolean, clock: () => number) {
    this.app = app
    this.database = database
    this.messages = sent.messages
    this.notices = sent.notices
    this.emails = sent.emails
    this.log = log
    this.#ownsDatabase = ownsDatabase
    this.clock = clock
  }

  async send(
    method: 'GET' | 'HEAD' | 'POST',
    path: string,
    headers: Record<string, string> = {},
    body?: string,
  ): Promise<HttpResponse> {
    const response = await request(`http://127.0.0.1:${this.app.public.port}${path}`, {
      method,
      dispatcher: this.#agent,
      headers: {
        host: 'localhost:8787',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    })
    const text = await response.body.text()
    const isJson = String(response.headers['content-type']).includes('json')
    return { status: response.statusCode, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
  }

  async operator(path: string): Promise<HttpResponse> {
    const response = await request(`http://127.0.0.1:${this.app.operator!.port}${path}`, { dispatcher: this.#agent })
    return { status: response.statusCode, headers: response.headers, text: await response.body.text(), body: undefined }
  }

  /** A business call. */
  call(apiKey: string, path: string, idempotencyKey: string, body: object): Promise<HttpResponse> {
    const headers = { authorization: `Bearer ${apiKey}`, 'idempotency-key': idempotencyKey }
    return this.send('POST', path, headers, JSON.stringify(body))
  }

  async stop(): Promise<void> {
    await this.app.stop()
    await this.#agent.destroy()
    if (this.#ownsDatabase) await this.database.remove()
  }
}
