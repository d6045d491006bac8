import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { request } from 'undici'
import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import { origin } from '../gateway/gateway.ts'
import { startGatewayProcess } from '../gateway/gateway-process.ts'
import { mediaFile } from '../gateway/media-customer.ts'
import { pollingEvery } from '../gateway/process-timing.ts'
import { freePort } from '../http/free-port.ts'
import { startMediaProvider } from '../providers/media-provider.ts'
import { type Database, openDatabase } from '../store/engines.ts'
import { addCredits, createCustomer, createRig } from '../store/rig.ts'

export interface SharedJobsOptions {
  readonly database: Database
  readonly jobs: number
  /** Of the gateways. */
  readonly environment?: Readonly<Record<string, string>>
}

const instanceCount = 3
const handOverMs = 20_000

/** Three processes share open jobs; each has a credential of its own, by which the provider distinguishes them. */
export async function sharedJobs({ database, jobs, environment = {} }: SharedJobsOptions) {
  const provider = await startMediaProvider({ takesMs: 3_600_000 })
  const file = join(database.dataDir, 'shared-jobs.json')
  const shared = mediaFile(provider)
  Object.assign(shared.media.providers.media_provider_a, { apiKeyEnv: 'MEDIA_KEY' })
  await writeFile(file, JSON.stringify(shared))
  const store = await openDatabase(database, { exclusive: false })
  const rig = createRig(store)
  const customer = await createCustomer(rig)
  await addCredits(rig, customer.projectId, 100_000)
  const gateways = await Promise.all(
    Array.from({ length: instanceCount }, async (_, number) =>
      startGatewayProcess({
        port: await freePort(),
        environment: {
          ...pollingEvery(200, 3000),
          GATEWAY_ORIGIN: origin,
          GATEWAY_DATA_DIR: database.dataDir,
          DATABASE_URL: database.databaseUrl,
          GATEWAY_SECRET: 'the secret of the storm, 32 bytes or more',
          GATEWAY_CONFIG: file,
          MEDIA_KEY: `instance-${number}`,
          ...environment,
        },
      }),
    ),
  )
  for (let number = 0; number < jobs; number += 20)
    await Promise.all(
      Array.from({ length: Math.min(20, jobs - number) }, async (_, index) => {
        // All through one instance: what the others poll, they have claimed.
        const response = await request(`http://127.0.0.1:${gateways[0]!.port}/v1/media/jobs`, {
          method: 'POST',
          headers: {
            host: new URL(origin).host,
            authorization: `Bearer ${customer.apiKey}`,
            'content-type': 'application/json',
            'idempotency-key': `job ${number + index}`,
          },
          body: JSON.stringify({ prompt: 'a boat' }),
        })
        if (response.statusCode !== 202) throw new Error(await response.body.text())
        await response.body.dump()
      }),
    )
  const unpolledSince = (at: number) => {
    const polled = new Set(provider.polls.filter((poll) => poll.at >= at).map((poll) => poll.reference))
    return provider.submitted.filter((reference) => !polled.has(reference))
  }
  await until(() => new Set(provider.polls.map(({ from }) => from)).size === instanceCount)
  const pollers = new Set(provider.polls.map(({ from }) => from)).size

  const killedAt = Date.now()
  await gateways[2]!.kill()
  await until(() => unpolledSince(killedAt).length === 0, handOverMs)
  const handedOverMs = Date.now() - killedAt
  const unpolledAfterKill = unpolledSince(killedAt)

  provider.takesMs = 0
  await until(async () => (await openJobs(store)) === 0, 60_000 + jobs * 50)
  for (const gateway of gateways.slice(0, 2)) await gateway.terminate()
  const completed = await store.read((tx) =>
    tx.get<{ n: number }>("SELECT COUNT(*) AS n FROM media_jobs WHERE status = 'completed'"),
  )
  const report = await reconcile(store)
  await Promise.all([store.close(), provider.close()])
  return {
    pollers,
    mostAtOnce: provider.mostAtOnce(),
    handedOverMs,
    unpolledAfterKill,
    completed: completed!.n,
    report,
  }
}

async function openJobs(store: Awaited<ReturnType<typeof openDatabase>>): Promise<number> {
  const row = await store.read((tx) =>
    tx.get<{ n: number }>('SELECT COUNT(*) AS n FROM media_jobs WHERE finished_at IS NULL'),
  )
  return row!.n
}

async function until(isDone: () => boolean | Promise<boolean>, waitMs = 30_000): Promise<void> {
  for (let waitedMs = 0; waitedMs < waitMs && !(await isDone()); waitedMs += 100) await delay(100)
}
