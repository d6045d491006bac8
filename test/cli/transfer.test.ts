import { hash } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import { carriedTables, parentTables } from '../../src/storage/transfer/catalog.ts'
import { Browser, newPhone, password } from '../../testkit/gateway/browser.ts'
import { type Gateway, startGateway } from '../../testkit/gateway/gateway.ts'
import { mediaFile, mediaOf } from '../../testkit/gateway/media-customer.ts'
import { PayingCustomer } from '../../testkit/gateway/paying-customer.ts'
import { type RunOptions, runCommand as runAny } from '../../testkit/gateway/run-command.ts'
import { startMediaProvider } from '../../testkit/providers/media-provider.ts'
import {
  copyOf,
  type Database,
  type EngineName,
  engines,
  freshStore,
  isFullMatrix,
  migratedDatabase,
  openDatabase,
  type Store,
} from '../../testkit/store/engines.ts'
import { addCredits, createCustomer, createRig } from '../../testkit/store/rig.ts'
import { writeGoodHistory } from '../features/records/reconcile/good-history.ts'
import { database, later } from '../ops/run-doctor.ts'

const secret = 'the secret of the stores of this file'
const runCommand = (fresh: Database, argv: string[], { environment }: RunOptions = {}) =>
  runAny(fresh, argv, { environment: { GATEWAY_SECRET: secret, ...environment } })

const pairs = engines.flatMap((from) => engines.map((to) => [from, to] as const))
/** Within one engine nothing is translated. */
const kinds = isFullMatrix ? pairs : pairs.filter(([from, to]) => from !== to)

/** Every carried row, as text. */
const contentsOf = (store: Store) =>
  store.read(async (tx) => {
    const contents: Record<string, string[]> = {}
    for (const { name, columns } of await carriedTables(tx, store.kind)) {
      const rows = await tx.all(`SELECT * FROM ${name}`)
      contents[name] = rows
        .map((row) => JSON.stringify([...columns].sort().map((column) => [column, row[column]])))
        .sort()
    }
    return contents
  })

async function inStore<T>(fresh: Database, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openDatabase(fresh)
  return work(store).finally(() => store.close())
}

const good = new Map<EngineName, Promise<Database>>()
afterAll(async () => {
  for (const each of good.values()) await (await each).remove()
})

/** A store with every kind of row in its books, and none reserved. */
async function goodStore(engine: EngineName): Promise<Database> {
  if (!good.has(engine)) good.set(engine, createGoodStore(engine))
  const copy = await copyOf(engine, await good.get(engine)!)
  later(copy.remove)
  return copy
}

async function createGoodStore(engine: EngineName): Promise<Database> {
  const created = await migratedDatabase(engine)
  await inStore(created, async (store) => {
    const { rig, charges, customer } = await writeGoodHistory(store)
    await rig.ledger.end({
      ...{ type: 'end', chargeId: charges.reserved, projectId: customer.projectId, from: 'reserved', to: 'released' },
      ...{ response: null, usage: null, reason: null, snapshots: [], decision: null, at: rig.clock() },
    })
  })
  return created
}

/** With the schema, and empty. */
async function emptyStore(engine: EngineName): Promise<Database> {
  const empty = await migratedDatabase(engine)
  later(empty.remove)
  return empty
}

/** Whoever edits a file can compute what needs no secret. */
function rehashed(text: string): string {
  const rows = text.trimEnd().split('\n').slice(0, -1).join('\n')
  return `${rows}\n${JSON.stringify({ hmac: hash('sha256', `${rows}\n`) })}\n`
}

const exported = async (from: Database) => {
  const file = join(from.dataDir, 'export.jsonl')
  const ran = await runCommand(from, ['export', file])
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
  return { file, stdout: ran.stdout }
}

describe.each(kinds)('an export of %s imported into %s', (from, to) => {
  test('an export imported elsewhere has the same rows and ids, sound books, and reports what is in review', async () => {
    const source = await goodStore(from)
    const { file, stdout } = await exported(source)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(stdout).toMatch(/now holds 2 accounts, 2 keys, 4 orders and \d+ charges\.\n1 charges are in review/)
    // Without a schema: the import creates it.
    const target = await database(to)
    const ran = await runCommand(target, ['import', file])
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
    expect(ran.stdout).toMatch(/^The store now holds 2 accounts, .* The books balance\.\n$/)
    const before = await inStore(source, contentsOf)
    await inStore(target, async (store) => {
      expect(await contentsOf(store)).toEqual(before)
      expect((await reconcile(store)).differences).toEqual([])
      // New rows do not collide with imported ones.
      const rig = createRig(store)
      await addCredits(rig, (await createCustomer(rig)).projectId, 10)
      const project = await store.read((tx) => tx.get<{ id: string }>('SELECT MIN(project_id) AS id FROM projects'))
      await addCredits(rig, project!.id, 10)
      expect((await reconcile(store)).differences).toEqual([])
    })
  })

  test('an export imported elsewhere lets people log in, keys work and repeated calls be replayed', async () => {
    const source = await emptyStore(from)
    let gateway = await startGateway({ database: source })
    const phone = newPhone()
    const payer = new Browser(gateway)
    await payer.register(phone)
    await payer.recharge(1000)
    const { apiKey } = await payer.createKey(['models:invoke'])
    const call = (on: Gateway) =>
      on.send(
        ...(['POST', '/v1/models/chat', { authorization: `Bearer ${apiKey}`, 'idempotency-key': 'one' }] as const),
        JSON.stringify({ prompt: 'hello' }),
      )
    const first = await call(gateway)
    expect(first.status).toBe(200)
    await gateway.stop()
    const { file } = await exported(source)
    const target = await emptyStore(to)
    expect(await runCommand(target, ['import', file])).toMatchObject({ exitCode: 0 })
    gateway = await startGateway({ database: target })
    later(() => gateway.stop())
    expect((await call(gateway)).body).toEqual(first.body)
    const again = new Browser(gateway)
    expect(await again.post('/v1/auth/login', { identifier: phone, password })).toMatchObject({ status: 200 })
    const balance = await again.get('/v1/me')
    expect(balance.status).toBe(200)
  })

  test('an export imported elsewhere carries a media job that is under way, which is polled and settled there once', async () => {
    const provider = await startMediaProvider({ takesMs: Number.POSITIVE_INFINITY })
    later(provider.close)
    const source = await emptyStore(from)
    const first = await startGateway({ database: source, file: mediaFile(provider) })
    const customer = await PayingCustomer.join(first)
    const { jobId, chargeId } = (await mediaOf(customer).create('a paper boat', { seconds: 2 })).body
    await expect.poll(() => provider.polls.length).toBeGreaterThan(0)
    await first.stop()
    const { file } = await exported(source)

    const target = await emptyStore(to)
    expect(await runCommand(target, ['import', file])).toMatchObject({ exitCode: 0, stderr: '' })
    provider.takesMs = 0
    const second = await startGateway({ database: target, file: mediaFile(provider) })
    later(() => second.stop())
    expect(await mediaOf(customer.at(second)).ends(jobId)).toMatchObject({ status: 'completed', chargeId })
    expect(provider.submitted).toHaveLength(1)
    await second.stop()
    await inStore(target, async (store) => {
      const entries = await store.read((tx) =>
        tx.all('SELECT kind, amount FROM ledger_entries WHERE charge_id = $1 ORDER BY seq', [chargeId]),
      )
      expect(entries).toEqual([
        { kind: 'reserve', amount: 10 },
        { kind: 'settle', amount: 10 },
      ])
      expect((await reconcile(store)).differences).toEqual([])
    })
  })
})

describe.each(engines)('export and import on %s', (engine) => {
  test('export and import refuse what would lose or double something', async () => {
    const source = await emptyStore(engine)
    await inStore(source, writeGoodHistory)
    const file = join(source.dataDir, 'export.jsonl')
    const reserved = await runCommand(source, ['export', file])
    expect(reserved).toMatchObject({ exitCode: 1, stdout: '' })
    expect(reserved.stderr).toMatch(/^1 charge is still reserved/)
    await expect(stat(file)).rejects.toThrow(/ENOENT/)
    // The provider knows the outcome of a media job, and the gateway of the other store asks it.
    await inStore(source, (store) =>
      store.write((tx) =>
        tx.run(`INSERT INTO media_jobs (job_id, project_id, charge_id, instance_id, provider, provider_id, prompt, seconds,
            size, test_only, status, created_at, updated_at, deadline_at, next_poll_at)
          SELECT 'job_1', project_id, charge_id, 'ins_1', 'media', 'theirs', 'a cat', 4, '720x1280', 0, 'queued', reserved_at,
            reserved_at, reserved_at + 90000000, reserved_at FROM reserved_charges`),
      ),
    )
    expect(await runCommand(source, ['export', file])).toMatchObject({ exitCode: 0 })

    const good = await goodStore(engine)
    const { file: whole } = await exported(good)
    expect((await runCommand(good, ['export', whole])).stderr).toMatch(/never overwrites/)
    const full = await runCommand(good, ['import', whole])
    expect(full).toMatchObject({ exitCode: 1 })
    expect(full.stderr).toMatch(/^the store is not empty: accounts has rows/)

    const gateway = await startGateway({ database: good })
    later(() => gateway.stop())
    const other = join(good.dataDir, 'other.jsonl')
    const running = await runCommand(good, ['export', other])
    expect(running).toMatchObject({ exitCode: 1, stdout: '' })
    expect(running.stderr).toMatch(engine === 'sqlite' ? /in use by another gateway/ : /stop every gateway first/)
  })

  test('export and import refuse a file that was cut off or changed, and write nothing of it', async () => {
    const { file } = await exported(await goodStore(engine))
    const text = await readFile(file, 'utf8')
    const lines = text.trimEnd().split('\n')
    const changed = text.replace('"model.chat"', '"model.chax"')
    const [header, ...rows] = lines
    const faults: readonly (readonly [string, RegExp])[] = [
      [lines.slice(0, -1).join('\n'), /ends early/],
      [text.slice(0, text.length / 2), /damaged at line|ends early/],
      [changed, /was changed/],
      [`${text}${rows[0]}\n`, /more lines after its end/],
      [`${text}tail`, /damaged at line/],
      ['{"hello":1}\n', /not an export/],
      [text.replace('"version":2', '"version":1'), /has version 1/],
      [rehashed(changed), /was changed/],
      [text.replace(/"secret":"\w+"/, '"secret":"000000000000"'), /written with another secret/],
      [[header, '{"table":"unheard_of","columns":[]}', ...rows].join('\n'), /was changed|ends early/],
    ]
    const target = await emptyStore(engine)
    const bad = join(target.dataDir, 'bad.jsonl')
    for (const [content, fault] of faults) {
      await writeFile(bad, content)
      const ran = await runCommand(target, ['import', bad])
      expect(ran).toMatchObject({ exitCode: 1, stdout: '' })
      expect(ran.stderr).toMatch(fault)
    }
    const environment = { GATEWAY_SECRET: 'another secret of 32 bytes or more' }
    expect((await runCommand(target, ['import', file], { environment })).stderr).toMatch(/written with another secret/)
    const rotated = { ...environment, GATEWAY_SECRET_PREVIOUS: secret }
    expect(await runCommand(target, ['import', file], { environment: rotated })).toMatchObject({ exitCode: 0 })
  })

  test('export and import refuse books that are not sound, and write nothing of them', async () => {
    const source = await goodStore(engine)
    await inStore(source, (store) =>
      store.write((tx) => tx.run('UPDATE balances SET available = available + 1, credited = credited + 1')),
    )
    const { file } = await exported(source)
    const target = await emptyStore(engine)
    const ran = await runCommand(target, ['import', file])
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' })
    expect(ran.stderr).toMatch(/^the books in the file do not balance .*so nothing was imported/)
    const accounts = await inStore(target, (store) => store.read((tx) => tx.all('SELECT * FROM accounts')))
    expect(accounts).toEqual([])
  })
})

test('U+0000 in an old text becomes U+FFFD on PostgreSQL, which cannot store it', async () => {
  const source = await goodStore('sqlite')
  await inStore(source, (store) => store.write((tx) => tx.run("UPDATE accounts SET name = 'a' || char(0) || 'b'")))
  const { file } = await exported(source)
  const target = await emptyStore('postgres')
  const ran = await runCommand(target, ['import', file])
  expect(ran.stdout).toMatch(/In 2 texts, U\+0000/)
  const names = await inStore(target, (store) => store.read((tx) => tx.all('SELECT name FROM accounts')))
  expect(names).toEqual([{ name: 'a\uFFFDb' }, { name: 'a\uFFFDb' }])
})

test('rows are written after the rows that they refer to', async () => {
  const { store, remove } = await freshStore('sqlite')
  later(remove)
  const references = await store.read((tx) =>
    tx.all<{ child: string; parent: string }>(
      `SELECT t.name AS child, f."table" AS parent FROM sqlite_master t JOIN pragma_foreign_key_list(t.name) f`,
    ),
  )
  const order = (await store.read((tx) => carriedTables(tx, 'sqlite'))).map(({ name }) => name)
  const wrong = references.filter(
    ({ child, parent }) => order.includes(child) && child !== parent && order.indexOf(parent) >= order.indexOf(child),
  )
  expect(wrong).toEqual([])
  expect(order.slice(0, parentTables.length)).toEqual(parentTables)
})
