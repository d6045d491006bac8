import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import type { Migration } from '../../src/storage/schema/migrations.ts'
import { migrations } from '../../src/storage/schema/migrations.ts'
import { Browser } from '../../testkit/gateway/browser.ts'
import { type Gateway, startGateway } from '../../testkit/gateway/gateway.ts'
import { runCommand } from '../../testkit/gateway/run-command.ts'
import { startTcpProxy, type TcpProxy } from '../../testkit/http/tcp-proxy.ts'
import { type Database, freshDatabase, openDatabase } from '../../testkit/store/engines.ts'
import { expandingStep } from '../../testkit/store/migration-steps.ts'

/** The newer program is this one with one more migration, which changes a table that every call writes. */
const last = expandingStep(migrations.at(-1)!.version + 1)
const newer = [...migrations, last]

describe('a rolling upgrade of three gateways behind a plain TCP proxy', () => {
  let database: Database
  let proxy: TcpProxy
  const fleet: Gateway[] = []
  const start = (known: readonly Migration[]) => startGateway({ database, migrations: known })

  beforeAll(async () => {
    database = await freshDatabase('postgres')
    for (let place = 0; place < 3; place += 1) fleet.push(await start(migrations))
    proxy = await startTcpProxy(...ports())
  })
  afterAll(async () => {
    proxy?.close()
    for (const gateway of fleet) await gateway.stop()
    await database?.remove()
  })

  const ports = () => fleet.map(({ app }) => app.public.port)

  /** As a deployment does it: a new one, the proxy turns to it and lets its connections end, the old one stops. */
  async function replace(place: number, known: readonly Migration[], load: Load): Promise<void> {
    const former = fleet[place]!
    fleet[place] = await start(known)
    proxy.setTargets(...ports())
    await load.afterCurrent()
    await former.stop()
  }

  const migrate = async () =>
    JSON.parse((await runCommand(database, ['migrate', '--json'], { migrations: newer })).stdout)

  test('a rolling upgrade of three gateways behind a plain TCP proxy to a newer schema and back fails no request and charges each call once', async () => {
    const payer = new Browser(fleet[0]!)
    await payer.register()
    await payer.recharge(1_000_000)
    const { apiKey } = await payer.createKey(['models:invoke'])
    const load = startLoad(`http://127.0.0.1:${proxy.port}`, apiKey)
    // Also if the test fails: calls without a pause would slow down all later files of the process.
    onTestFinished(async () => void (await load.stop()))

    // One new gateway serves the older schema next to two older ones.
    await replace(0, newer, load)
    await load.more(30)
    expect(await migrate()).toMatchObject({
      applied: [{ name: last.name }],
      isCurrent: true,
      refused: null,
    })
    await load.more(30)
    await replace(1, newer, load)
    await replace(2, newer, load)
    await load.more(30)
    const knownVersions = async () =>
      (await migrate()).instances.map(({ knownVersion }: { knownVersion: number }) => knownVersion)
    expect(await knownVersions()).toEqual(fleet.map(() => last.version))
    // And back: the schema stays, the older program serves it.
    for (const place of [0, 1, 2]) await replace(place, migrations, load)
    await load.more(30)

    const { answered, failures } = await load.stop()
    expect(failures).toEqual([])
    const store = await openDatabase(database, { exclusive: false })
    expect((await reconcile(store)).differences).toEqual([])
    const charges = await store.read((tx) => tx.all('SELECT state, COUNT(*) AS count FROM charges GROUP BY state'))
    expect(charges).toEqual([{ state: 'settled', count: answered }])
    await store.close()
  })
})

const callers = 4

type Load = ReturnType<typeof startLoad>

/** Calls without a pause, each on a connection of its own, so that every gateway gets its share. */
function startLoad(url: string, apiKey: string) {
  const agent = new Agent({ pipelining: 0 })
  const failures: string[] = []
  const current = new Map<number, Promise<unknown>>()
  let [answered, sent, isOver] = [0, 0, false]
  const work = Array.from({ length: callers }, async (_, caller) => {
    while (!isOver) {
      sent += 1
      current.set(
        caller,
        call(`rolling ${sent}`).catch((error: Error) => failures.push(error.message)),
      )
      await current.get(caller)
    }
  })
  async function call(idempotencyKey: string) {
    const { statusCode, body } = await request(`${url}/v1/models/chat`, {
      method: 'POST',
      dispatcher: agent,
      headers: {
        host: 'localhost:8787',
        'content-type': 'application/json',
        authorization: `Bearer ${apiKey}`,
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify({ prompt: 'hello' }),
    })
    const text = await body.text()
    if (statusCode === 200) answered += 1
    else failures.push(`${statusCode} ${text}`)
  }
  return {
    /** Waits until that many more calls were answered. */
    more: async (count: number) => {
      const goal = answered + count
      await expect.poll(() => answered, { interval: 10 }).toBeGreaterThanOrEqual(goal)
    },
    /** Waits until the calls of this moment have ended. */
    afterCurrent: () => Promise.all([...current.values()]),
    stop: async () => {
      isOver = true
      await Promise.all(work)
      await agent.destroy()
      return { answered, failures }
    },
  }
}
