import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { origin } from '../../gateway/gateway.ts'
import { type GatewayProcess, startGatewayProcess } from '../../gateway/gateway-process.ts'
import { freePort } from '../../http/free-port.ts'
import { createPayer, many, payerLimits, paymentSettings } from '../../payments/kills.ts'
import { WechatServer } from '../../payments/wechat-server.ts'
import { goodProvider } from '../../providers/good-provider.ts'
import { startUpstream } from '../../providers/upstream.ts'
import type { DatabaseAccess, DatabasePair } from '../../store/database-pair.ts'
import { openDatabase } from '../../store/engines.ts'
import type { PostgresServer } from '../../store/postgres-server.ts'
import { addCredits, type Customer, createCustomer, createRig } from '../../store/rig.ts'

export interface SiteGateway {
  readonly port: number
  readonly operatorPort: number
  readonly access: DatabaseAccess
  process: GatewayProcess
  /** After it was killed or stopped. */
  start(): Promise<void>
}

/** What a site needs of its PostgreSQL servers. */
export interface SiteDatabase {
  /** Where writes are accepted. */
  readonly primary: () => Pick<PostgresServer, 'url'>
  connect(): Promise<DatabaseAccess>
  close(): Promise<void>
}

export interface SiteOptions<Database extends SiteDatabase> {
  /** Closed with the site. */
  readonly database: Database
  readonly gateways: number
  readonly payers: number
  /** Longer than a client takes until its next call, which then sees `Connection: close`, or a load balancer to notice. */
  readonly drainDelayMs?: number
}

export type Site<Database extends SiteDatabase = DatabasePair> = Awaited<ReturnType<typeof openSite<Database>>>

/** Gateways on one database as processes of their own, customers with credits, and a provider that records prompts. */
export async function openSite<Database extends SiteDatabase>({
  database,
  gateways: count,
  payers: payerCount,
  drainDelayMs = 2000,
}: SiteOptions<Database>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-failover-'))
  const upstream = await startUpstream((wire, call) => {
    setTimeout(() => !wire.destroyed && goodProvider(wire, call), providerMs)
  })
  const wechat = await new WechatServer().listen()
  const secret = randomBytes(32).toString('hex')
  const settings = {
    ...(await settingsFor({ dataDir, upstreamUrl: upstream.url, wechat, drainDelayMs })),
    GATEWAY_SECRET: secret,
  }
  const payers = await createPayers(database, dataDir, payerCount)
  const gateways = await Promise.all(Array.from({ length: count }, () => openGateway(database, dataDir, settings)))
  let turn = 0
  // Whichever gateway's turn it is: a payer finds one that serves.
  const anyPort = async () => {
    turn += 1
    return gateways[turn % gateways.length]!.port
  }
  const cashPayer = await createPayer({ dataDir }, anyPort, { attempts: paymentAttempts })
  return {
    dataDir,
    secret,
    database,
    upstream,
    payers,
    /** Pays for credits, at `wechat`. */
    cashPayer,
    wechat,
    gateways,
    async close() {
      await cashPayer.close()
      wechat.stop()
      for (const { process } of gateways) await process.kill().catch(() => {})
      await upstream.close()
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const providerMs = 5
/** For as long as a failover takes. */
const paymentAttempts = 1000
const creditsEach = 2_000_000

async function openGateway(
  database: SiteDatabase,
  dataDir: string,
  settings: Record<string, string>,
): Promise<SiteGateway> {
  const [access, port, operatorPort] = [await database.connect(), await freePort(), await freePort()]
  const environment = {
    ...settings,
    GATEWAY_DATA_DIR: dataDir,
    GATEWAY_OPERATOR_LISTEN: `127.0.0.1:${operatorPort}`,
    DATABASE_URL: access.databaseUrl,
  }
  const start = () => startGatewayProcess({ environment, port })
  const gateway: SiteGateway = {
    port,
    operatorPort,
    access,
    process: await start(),
    start: async () => {
      gateway.process = await start()
    },
  }
  return gateway
}

interface SiteSettings {
  readonly dataDir: string
  readonly upstreamUrl: string
  readonly wechat: WechatServer
  readonly drainDelayMs: number
}

async function settingsFor({ dataDir, upstreamUrl, wechat, drainDelayMs }: SiteSettings) {
  const file = join(dataDir, 'config.json')
  const payments = await paymentSettings({ dataDir }, wechat)
  const provider = {
    adapter: 'openai',
    baseUrl: upstreamUrl,
    models: { fast: 'fast' },
    maxConcurrent: 512,
    breaker: { failures: 1000, coolSeconds: 1 },
  }
  await writeFile(
    file,
    JSON.stringify({
      models: { providers: { model_provider_b: provider } },
      ...payments.file,
      limits: { callsPerKey: many, refusalsPerKey: many, ...payerLimits },
      server: { drainDelayMs },
    }),
  )
  return {
    ...payments.environment,
    GATEWAY_ORIGIN: origin,
    GATEWAY_CONFIG: file,
    GATEWAY_TRUSTED_PROXIES: '127.0.0.1',
  }
}

async function createPayers(database: SiteDatabase, dataDir: string, count: number): Promise<Customer[]> {
  const store = await openDatabase(
    { databaseUrl: database.primary().url, dataDir, remove: async () => {} },
    { exclusive: false },
  )
  const rig = createRig(store)
  const payers: Customer[] = []
  for (let i = 0; i < count; i += 1) {
    const payer = await createCustomer(rig)
    await addCredits(rig, payer.projectId, creditsEach)
    payers.push(payer)
  }
  await store.close()
  return payers
}
