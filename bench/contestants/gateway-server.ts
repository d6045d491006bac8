import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { pollingEvery } from '../../testkit/gateway/process-timing.ts'
import { freePort } from '../../testkit/http/free-port.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import type { Store } from './store.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** As `npm start` does, without its shell's `exec`. */
function startCommandOf(build: string): string {
  const { scripts } = JSON.parse(readFileSync(join(build, 'package.json'), 'utf8')) as { scripts: { start: string } }
  return scripts.start.split(' || ').at(-1)!
}

export const startCommand = startCommandOf(root)

const startArguments = (build: string): string[] =>
  startCommandOf(build)
    .split(' ')
    .slice(1)
    .map((word) => (word.endsWith('.ts') ? join(build, word) : word))

export interface GatewayServer extends ServerProcess {
  readonly origin: string
  metrics(): Promise<string>
}

export interface GatewayOptions {
  readonly store: Store
  /** Forwards to this provider; without it the local adapter responds. */
  readonly upstreamOrigin?: string
  readonly logFile?: string
  /** The folder of another build of the gateway. */
  readonly build?: string
}

/** The gateway as users run it, with a rate limit too high to matter. */
export async function startGateway({
  store,
  upstreamOrigin,
  logFile,
  build = root,
}: GatewayOptions): Promise<GatewayServer> {
  const [port, operatorPort] = [await freePort(), await freePort()]
  const origin = `http://127.0.0.1:${port}`
  // Instances that share a data directory differ by their port.
  const configFile = join(store.dataDir, `config-${port}.json`)
  await writeFile(configFile, JSON.stringify(configuration(upstreamOrigin)))
  const running = await startServer({
    name: 'the gateway',
    command: process.execPath,
    args: startArguments(build),
    readyUrl: `${origin}/v1/pricing`,
    ...(logFile && { outputFile: logFile }),
    environment: {
      GATEWAY_ORIGIN: origin,
      GATEWAY_OPERATOR_LISTEN: `127.0.0.1:${operatorPort}`,
      GATEWAY_DATA_DIR: store.dataDir,
      GATEWAY_CONFIG: configFile,
      DATABASE_URL: store.databaseUrl,
      // The store already has accounts, so the gateway would refuse to create a secret.
      GATEWAY_SECRET: 'the secret of the benchmark, 32 bytes or more',
      LOG_LEVEL: 'info',
      // Submissions are measured alone: no job is polled while the benchmark runs.
      ...pollingEvery(3_600_000, 3_600_000),
    },
  })
  return {
    ...running,
    origin,
    metrics: async () => (await request(`http://127.0.0.1:${operatorPort}/metrics`)).body.text(),
  }
}

const configuration = (upstreamOrigin: string | undefined) => ({
  limits: { callsPerKey: { max: 1_000_000_000, windowSeconds: 3600 } },
  ...(upstreamOrigin && {
    models: {
      providers: {
        model_provider_a: {
          adapter: 'openai',
          baseUrl: `${upstreamOrigin}/v1`,
          models: { fast: 'bench-model' },
          maxConcurrent: 1024,
        },
      },
    },
  }),
})

/** How many responses of each status one operation gave. */
export function statusesOf(metrics: string, operation: string): Map<string, number> {
  const lines = metrics.matchAll(/^gateway_requests_total\{(.*)\} (\d+)$/gm)
  const statuses = new Map<string, number>()
  for (const [, labels = '', count] of lines) {
    if (!labels.includes(`operation="${operation}"`)) continue
    const status = /status="(\d+)"/.exec(labels)?.[1] ?? '?'
    statuses.set(status, (statuses.get(status) ?? 0) + Number(count))
  }
  return statuses
}

/** Since the previous reading. */
export const loopLagMs = (metrics: string): number =>
  Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(metrics)?.[1]) * 1000
