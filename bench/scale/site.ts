import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { addCredits } from '../../testkit/store/rig.ts'
import { type Contestant, judgeJson, type Tally } from '../contestants/contestant.ts'
import { type GatewayServer, startGateway } from '../contestants/gateway-server.ts'
import { creditsPerOrder, faultsOfStore, type Store, withStore } from '../contestants/store.ts'
import { residentMb } from '../process-usage.ts'
import type { Stage } from '../stage.ts'
import { median } from '../statistics.ts'
import { type ChatResponse, chatRequest } from '../workload.ts'
import { type Size, seedStore } from './seed.ts'

export type EngineName = 'SQLite' | 'PostgreSQL'
/** Whether calls go to all projects or to one. */
export type Traffic = 'many' | 'hot'

/** Where calls go, and whose: by default to the first gateway, of all projects. */
interface Target {
  readonly gateway?: GatewayServer
  /** Only each `of`th project, beginning with this one. */
  readonly share?: { readonly place: number; readonly of: number }
}

/** A filled store and the gateways that run on it. */
export interface Site {
  readonly engine: EngineName
  readonly size: Size
  readonly gateways: readonly GatewayServer[]
  /** Median of several starts. */
  readonly startedInMs: number
  readonly idleMb: number | null
  readonly databaseUrl: string
  contestant(id: string, traffic: Traffic, target?: Target): Contestant
  /** Stops the gateways and lists what is wrong with the books after this traffic. */
  close(responses: Tally): Promise<string[]>
}

const starts = 3
const settleMs = 1000
/** The one project that takes all calls needs credits for all of them. */
const hotOrders = 100

export async function openSite(
  stage: Stage,
  options: { engine: EngineName; size: Size; instances: number; name: string },
): Promise<Site> {
  const { engine, size, instances, name } = options
  const store: Store = {
    dataDir: await mkdtemp(join(stage.workDir, `${name}-`)),
    databaseUrl: engine === 'SQLite' ? 'sqlite:' : await stage.postgresDatabase(name),
  }
  const keys = await seedStore(store, size)
  await addHotCredits(store)
  if (engine === 'PostgreSQL' && size.charges > 0) {
    // Now, so that autovacuum does not run during a measurement. Not on an empty table: PostgreSQL would
    // plan sequential scans until the next ANALYZE.
    await stage.onPostgres(store.databaseUrl, 'VACUUM ANALYZE')
    await stage.onPostgres(store.databaseUrl, 'CHECKPOINT')
  }
  const startTimes: number[] = []
  for (let start = 1; start < starts; start += 1) {
    const gateway = await startGateway({ store })
    startTimes.push(gateway.startedInMs)
    await gateway.stop()
  }
  const gateways: GatewayServer[] = []
  for (let instance = 0; instance < instances; instance += 1) gateways.push(await startGateway({ store }))
  startTimes.push(gateways[0]!.startedInMs)
  await delay(settleMs)
  return {
    engine,
    size,
    gateways,
    startedInMs: median(startTimes),
    idleMb: residentMb([gateways[0]!.pid]),
    databaseUrl: store.databaseUrl,
    contestant: (id, traffic, { gateway = gateways[0]!, share: { place, of } = { place: 0, of: 1 } } = {}) => ({
      ...contestantOf(gateway, traffic === 'hot' ? [firstKey] : keys.filter((_, i) => i % of === place), id),
      name: `${engine}, ${size.charges.toLocaleString('en-US')} charges, ${traffic === 'hot' ? 'one project' : 'many projects'}`,
      databaseProcesses: () => (engine === 'PostgreSQL' ? stage.postgresProcesses() : []),
    }),
    async close(responses) {
      const codes = await Promise.all(gateways.map((gateway) => gateway.stop()))
      const faults = codes.filter((code) => code !== 0).map((code) => `a gateway ended with exit code ${code}`)
      return [...faults, ...(await faultsOfStore(store, { responses, before: size.charges }))]
    },
  }
}

const firstKey = `gk_live_${'0'.repeat(43)}`

const addHotCredits = (store: Store) =>
  withStore(store, async (rig) => {
    const first = await rig.engine.read((tx) =>
      tx.get<{ projectId: string }>('SELECT MIN(project_id) AS "projectId" FROM projects'),
    )
    const { projectId } = first!
    for (let order = 0; order < hotOrders; order += 1) await addCredits(rig, projectId, creditsPerOrder)
  })

const contestantOf = (gateway: GatewayServer, bearers: readonly string[], id: string): Omit<Contestant, 'name'> => ({
  id,
  group: 'ours',
  status: 200,
  plan: (run) => ({
    origin: gateway.origin,
    method: 'POST',
    path: '/v1/models/chat',
    headers: { 'Content-Type': 'application/json' },
    body: chatRequest,
    bearers,
    intents: { prefix: `${id}-${run}-`, stored: null },
  }),
  judge: judgeJson<ChatResponse>(({ status }) => status === 'settled'),
  processes: () => [gateway.pid],
  databaseProcesses: () => [],
  metrics: gateway.metrics,
  // The site stops its gateways and checks the books once.
  finish: async () => [],
})
