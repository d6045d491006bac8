import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import { type Migration, migrations } from '../../src/storage/schema/migrations.ts'
import { type Gateway, startGateway } from '../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../testkit/gateway/paying-customer.ts'
import { runCommand } from '../../testkit/gateway/run-command.ts'
import { type Database, freshDatabase, openDatabase } from '../../testkit/store/engines.ts'
import { checkOutRelease, type Release } from '../simulation/versions/release.ts'

type StartGateway = (options: { readonly database: Database }) => Promise<Gateway>

describe('the last release and this version on one PostgreSQL database', () => {
  let release: Release
  let startRelease: StartGateway
  let database: Database
  let old: Gateway

  beforeAll(async () => {
    release = checkOutRelease('testkit')
    const testkit = (await release.import('testkit/gateway/gateway.ts')) as { startGateway: StartGateway }
    startRelease = testkit.startGateway
    database = await freshDatabase('postgres')
    old = await startRelease({ database })
  })
  afterAll(async () => {
    await old?.stop()
    await database?.remove()
    release?.remove()
  })

  const migrateTo = async (known: readonly Migration[]) => {
    const ran = await runCommand(database, ['migrate', '--json'], { migrations: known })
    expect(JSON.parse(ran.stdout)).toMatchObject({ isCurrent: true, refused: null })
  }

  test('the release serves after every step and again after a restart, next to this version', async () => {
    const customer = await PayingCustomer.join(old)
    let settled = 0
    const use = async (...gateways: readonly Gateway[]) => {
      for (const gateway of gateways) {
        const own = customer.at(gateway)
        await own.browser.recharge(100)
        expect((await own.call('model.chat', { prompt: 'hello' })).status).toBe(200)
        const job = await gateway.call(own.apiKey, '/v1/media/jobs', own.newKey(), { prompt: 'a wave' })
        expect(job.status).toBe(202)
        expect((await own.browser.createKey(['models:invoke'])).apiKey).toBeDefined()
        settled += 2
      }
    }

    await use(old)
    for (const { version } of migrations) {
      await migrateTo(migrations.filter((step) => step.version <= version))
      await use(old)
    }
    const current = await startGateway({ database })
    await use(old, current, old, current)
    await old.stop()
    old = await startRelease({ database })
    await use(old, current, old)

    const store = await openDatabase(database, { exclusive: false })
    const countCharges = () => store.read((tx) => tx.all('SELECT state, COUNT(*) AS count FROM charges GROUP BY state'))
    await expect.poll(countCharges).toEqual([{ state: 'settled', count: settled }])
    await current.stop()
    expect((await reconcile(store)).differences).toEqual([])
    await store.close()
  })
})
