import { copyFile, cp, mkdtemp, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { StoreUnusable } from '../../src/storage/engine.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { type Gateway, startGateway } from '../../testkit/gateway/gateway.ts'
import { PayingCustomer } from '../../testkit/gateway/paying-customer.ts'
import { becomesReady, type Database, freshStore, openDatabase, silent } from '../../testkit/store/engines.ts'
import { addCredits, createCustomer, createRig } from '../../testkit/store/rig.ts'
import { examine } from '../ops/run-doctor.ts'

const storeOf = ({ dataDir }: Database) => join(dataDir, 'gateway.sqlite')

describe('the files of a running gateway', () => {
  let gateway: Gateway
  let customer: PayingCustomer
  beforeEach(async () => {
    gateway = await startGateway({ engine: 'sqlite' })
    customer = await PayingCustomer.join(gateway)
    expect(await status()).toEqual({ call: 200, ready: 200 })
    return () => gateway.stop()
  })
  const status = async () => ({
    call: (await customer.call('model.chat', { prompt: 'hello' })).status,
    ready: (await gateway.operator('/readyz')).status,
  })
  const isStopped = { call: 500, ready: 503 }

  test('when the store file is deleted, nothing is admitted and the gateway is not ready', async () => {
    await rm(gateway.database.dataDir, { recursive: true })
    expect(await status()).toEqual(isStopped)
  })

  test('when only the write-ahead log is deleted, nothing is admitted either', async () => {
    await rm(`${storeOf(gateway.database)}-wal`)
    expect(await status()).toEqual(isStopped)
  })

  test('when the store file is replaced by another, nothing is admitted into the old one', async () => {
    const file = storeOf(gateway.database)
    await copyFile(file, `${file}.copy`)
    await rename(`${file}.copy`, file)
    expect(await status()).toEqual(isStopped)
  })

  test('when the store file is moved away and back, the gateway serves again and nothing is lost', async () => {
    const { dataDir } = gateway.database
    await rename(dataDir, `${dataDir}.away`)
    expect(await status()).toEqual(isStopped)
    await rename(`${dataDir}.away`, dataDir)
    expect(await status()).toEqual({ call: 200, ready: 200 })
    expect(await customer.credits()).toEqual({ available: 10_000 - 2 * 3, reserved: 0 })
  })
})

describe('a damaged store', () => {
  let database: Database
  let file: string
  const newFolder = () => mkdtemp(join(tmpdir(), 'gateway-damaged-'))
  /** As a killed gateway leaves it: the latest commits are only in the write-ahead log. */
  let whole: string
  beforeAll(async () => {
    const fresh = await freshStore('sqlite')
    const rig = createRig(fresh.store)
    for (let i = 0; i < 200; i += 1) await createCustomer(rig)
    await fresh.store.close()
    const again = await openDatabase(fresh.database)
    await createCustomer(createRig(again))
    whole = await newFolder()
    await cp(fresh.database.dataDir, whole, { recursive: true })
    await again.close()
    await fresh.database.remove()
    return () => rm(whole, { recursive: true })
  })
  beforeEach(async () => {
    const dataDir = await newFolder()
    await cp(whole, dataDir, { recursive: true })
    database = { databaseUrl: 'sqlite:', dataDir, remove: () => rm(dataDir, { recursive: true }) }
    file = storeOf(database)
    expect((await stat(`${file}-wal`)).size).toBeGreaterThan(0)
    return () => database.remove()
  })

  test('a damaged store that is complete opens', async () => {
    const store = await openDatabase(database)
    onTestFinished(() => store.close())
    await becomesReady(store)
    expect((await examine(database)).of('store')).toEqual([expect.stringMatching(/^ok: /)])
  })

  test('a damaged store truncated to half is refused, and the doctor reports a failure', async () => {
    await truncate(file, Math.floor((await stat(file)).size / 8192) * 4096)
    await expect(openDatabase(database)).rejects.toBeInstanceOf(StoreUnusable)
    expect((await examine(database)).of('store')).toEqual([expect.stringMatching(/^failure: .*truncated/)])
  })

  test('a store truncated under a running gateway makes the doctor report a failure', async () => {
    const store = await openDatabase(database)
    onTestFinished(() => store.close())
    // The log is long enough to hold the missing pages, so only reading every page shows that it does not.
    for (let i = 0; i < 100; i += 1) await store.write((tx) => tx.run('UPDATE schema_migrations SET name = name'))
    await truncate(file, (await stat(file)).size - 50 * 4096)
    expect((await examine(database)).of('store')).toEqual([expect.stringMatching(/^failure: /)])
  })

  /** Three commits, and where the frames of the first one begin. */
  async function logWithCommits(): Promise<Buffer> {
    const store = await openDatabase(database)
    for (let i = 0; i < 3; i += 1) await createCustomer(createRig(store))
    const log = await readFile(`${file}-wal`)
    const copy = await readFile(file)
    await store.close()
    await writeFile(file, copy)
    return log
  }
  /** The log of a few recharges, as a killed gateway would leave it. */
  async function logOf(owner: Database): Promise<Buffer> {
    const store = await openDatabase(owner)
    const rig = createRig(store)
    for (let i = 0; i < 3; i += 1) await addCredits(rig, (await createCustomer(rig)).projectId, 10)
    const log = await readFile(`${storeOf(owner)}-wal`)
    await store.close()
    return log
  }
  const commitsIn = (log: Buffer) =>
    Array.from({ length: (log.length - 32) / 4120 }, (_, frame) => 32 + frame * 4120).filter(
      (at) => log.readUInt32BE(at + 4) > 0 && log.subarray(at + 8, at + 16).equals(log.subarray(16, 24)),
    )

  test.each([
    ['page', 24 + 100],
    ['header', 0],
    ['salt', 8],
    ['checksum', 16],
  ])(
    'a damaged store whose log has one bad byte in the %s of a frame is refused, and the log stays',
    async (_, place) => {
      const log = await logWithCommits()
      const at = commitsIn(log).at(-3)! + place
      log[at]! ^= 1
      await writeFile(`${file}-wal`, log)
      await expect(openDatabase(database)).rejects.toThrow(/-wal is damaged at byte \d+, and \d+ commits after it/)
      await expect(openDatabase(database, { exclusive: false })).rejects.toBeInstanceOf(StoreUnusable)
      expect((await examine(database)).of('store')).toEqual([expect.stringMatching(/^failure: .*is damaged at byte/)])
      expect(await readFile(`${file}-wal`)).toEqual(log)
    },
  )

  test('a damaged store whose log lost its header is refused', async () => {
    const log = await logWithCommits()
    log[17]! ^= 1
    await writeFile(`${file}-wal`, log)
    await expect(openDatabase(database)).rejects.toThrow(/-wal is damaged at byte 0/)
  })

  test('a damaged store whose last commit was cut off by a power cut opens without it, and says so', async () => {
    const log = await logWithCommits()
    log[commitsIn(log).at(-1)! + 24 + 100]! ^= 1
    await writeFile(`${file}-wal`, log)
    const warnings: unknown[] = []
    const logger = { ...silent, warn: (_: object, text?: string) => void warnings.push(text) }
    const store = await openStore({ ...database, exclusive: true, clock: Date.now, logger })
    onTestFinished(() => store.close())
    expect(warnings).toEqual(['the last commit in the log is incomplete and was left out'])
    await becomesReady(store)
  })

  test('a commit that a power cut left incomplete is not taken for damage after the next power cut', async () => {
    const first = await openDatabase(database)
    const grown = (await stat(`${file}-wal`)).size
    await first.write((tx) => tx.run("UPDATE accounts SET name = name || ' 2'"))
    let log = await readFile(`${file}-wal`)
    let copy = await readFile(file)
    await first.close()
    log[grown + 24 + 100]! ^= 1
    await writeFile(file, copy)
    await writeFile(`${file}-wal`, log)

    const second = await openDatabase(database)
    const before = await readFile(`${file}-wal`)
    await second.write((tx) =>
      tx.run('UPDATE accounts SET name = account_id WHERE account_id = (SELECT MIN(account_id) FROM accounts)'),
    )
    log = await readFile(`${file}-wal`)
    copy = await readFile(file)
    await second.close()
    const changed = log.findIndex((byte, at) => byte !== before[at])
    log[32 + Math.floor((changed - 32) / 4120) * 4120 + 24 + 100]! ^= 1
    await writeFile(file, copy)
    await writeFile(`${file}-wal`, log)
    await (await openDatabase(database)).close()
  })

  test('a damaged store whose log is older than its database is refused, and both files stay', async () => {
    const log = await logOf(database)
    const store = await openDatabase(database)
    const rig = createRig(store)
    for (let i = 0; i < 3; i += 1) await addCredits(rig, (await createCustomer(rig)).projectId, 10)
    await store.close()
    const newer = await readFile(file)
    await writeFile(`${file}-wal`, log)
    await expect(openDatabase(database)).rejects.toThrow(/gateway\.sqlite (is damaged|cannot be used).* restore/)
    await expect(openDatabase(database, { exclusive: false })).rejects.toBeInstanceOf(StoreUnusable)
    expect((await examine(database)).of('store')).toEqual([expect.stringMatching(/^failure: .* restore/)])
    expect(await readFile(file)).toEqual(newer)
    expect(await readFile(`${file}-wal`)).toEqual(log)
  })

  test('a damaged store that is empty is not taken for a new one', async () => {
    await rm(`${file}-wal`)
    await truncate(file, 0)
    await expect(openDatabase(database)).rejects.toThrow(/is empty, so it lost what was in it/)
    expect((await examine(database)).of('store')).toEqual([expect.stringMatching(/^failure: .*is empty/)])
    await rm(file)
    await (await openDatabase(database)).close()
    const { mode, size } = await stat(file)
    expect(mode & 0o777).toBe(0o600)
    expect(size).toBeGreaterThan(0)
  })

  test.each([['empty'], ['missing']])(
    'a damaged store that is %s but has its write-ahead log is not taken for a new one',
    async (kind) => {
      await (kind === 'empty' ? truncate(file, 0) : rm(file))
      await expect(openDatabase(database)).rejects.toThrow(/is missing or empty, but its log/)
      await expect(openDatabase(database)).rejects.toBeInstanceOf(StoreUnusable)
      expect((await stat(`${file}-wal`)).size).toBeGreaterThan(0)
    },
  )
})
