import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { openPostgres, type PostgresEngine, type PostgresOptions } from '../../src/storage/postgres/postgres-engine.ts'
import { startTcpProxy } from '../../testkit/http/tcp-proxy.ts'
import { type DatabasePair, startDatabasePair, stopWaitingForStandbys } from '../../testkit/store/database-pair.ts'
import { freshDatabase, silent } from '../../testkit/store/engines.ts'
import type { PostgresServer } from '../../testkit/store/postgres-server.ts'
import { onServer } from '../../testkit/store/postgres-standby.ts'

/** A primary was killed, its standby promoted, and then the old primary came back writable on its old timeline. */
describe('an old primary that was not stopped', () => {
  let pair: DatabasePair
  let old: PostgresServer
  let databaseUrl: string
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gateway-memory-'))
    pair = await startDatabasePair()
    ;({ databaseUrl } = await pair.connect())
    await pair.kill()
    await pair.promote()
    old = await pair.reviveOldPrimary()
    await stopWaitingForStandbys(pair.primary())
  })
  afterAll(async () => {
    await pair?.close()
    await rm(folder, { recursive: true, force: true })
  })
  const makeWritable = () =>
    onServer(old, async (client) => {
      await client.query('SET default_transaction_read_only = off')
      await client.query('ALTER ROLE postgres IN DATABASE postgres RESET default_transaction_read_only')
    })
  beforeEach(async () => {
    pair.reconnect()
    await makeWritable()
  })

  const open = async (options: Partial<PostgresOptions> = {}) => {
    const engine = await openPostgres({ url: databaseUrl, logger: silent, ...options })
    onTestFinished(() => engine.close())
    return engine
  }
  const openBriefly = async (options: Partial<PostgresOptions> = {}) => (await open(options)).close()
  const portOf = ({ url }: PostgresServer) => Number(new URL(url).port)
  const serverOf = (engine: PostgresEngine) =>
    engine
      .write((tx) => tx.get<{ port: number }>('SELECT inet_server_port() AS port'))
      .then(
        (row) => row!.port,
        () => null,
      )
  const memoryFile = (name: string) => ({ path: join(folder, name), createsDirectory: false })

  test('an old primary that was not stopped is left as soon as its successor answers, and a call under way there fails', async () => {
    await pair.cutOff()
    // It has never seen the successor.
    const engine = await open()
    expect(await serverOf(engine)).toBe(portOf(old))
    const underWay = engine.write((tx) => tx.get('SELECT pg_sleep(60)'))
    const failed = expect(underWay).rejects.toMatchObject({ name: 'StoreUnavailable' })
    pair.reconnect()
    await failed
    await expect.poll(() => serverOf(engine)).toBe(portOf(pair.primary()))
  })

  test('an old primary that was not stopped is refused while its successor is silent, also after a restart', async () => {
    const engine = await open({ memoryFile: memoryFile('restart') })
    expect(await serverOf(engine)).toBe(portOf(pair.primary()))
    await pair.cutOff()
    await expect.poll(() => serverOf(engine)).toBe(null)
    await engine.close()
    await makeWritable()
    await expect(open({ memoryFile: memoryFile('restart') })).rejects.toThrow(
      /is an old primary: it is on timeline 1, and timeline 2 has been used since/,
    )
  })

  test('an old primary that was not stopped is made read-only for the gateway, so that one that never saw the successor does not use it either', async () => {
    await open()
    const isReadOnly = () =>
      onServer(old, async (client) => (await client.query('SHOW default_transaction_read_only')).rows[0])
    await expect.poll(isReadOnly).toEqual({ default_transaction_read_only: 'on' })
    await pair.cutOff()
    await expect(open()).rejects.toThrow(/accepts no writes/)
  })

  test('an old primary that was not stopped is never confused with its successor by a proxy that leads to either', async () => {
    const proxy = await startTcpProxy(portOf(pair.primary()))
    onTestFinished(() => proxy.close())
    const url = Object.assign(new URL(pair.primary().url), { port: String(proxy.port) }).href
    const engine = await open({ url, surveyMs: 50 })
    // In turns: the connection after the one that found the old primary reaches its successor.
    proxy.setTargets(portOf(old), portOf(pair.primary()))
    const before = proxy.accepted()
    await expect.poll(() => proxy.accepted()).toBeGreaterThan(before + 8)
    proxy.setTargets(portOf(pair.primary()))
    await expect.poll(() => serverOf(engine)).toBe(portOf(pair.primary()))
    const setting = onServer(pair.primary(), (client) => client.query('SHOW default_transaction_read_only'))
    expect((await setting).rows).toEqual([{ default_transaction_read_only: 'off' }])
  })

  test('an old primary that was not stopped is given up when its successor has processes of the same numbers behind the proxy', async () => {
    const proxy = await startTcpProxy(portOf(old))
    onTestFinished(() => proxy.close())
    const url = new URL(old.url)
    url.port = String(proxy.port)
    url.searchParams.set('options', '-c search_path=impostor,pg_catalog')
    const engine = await open({ url: url.href, surveyMs: 600_000, statementLimitMs: 600_000 })
    const { pid } = (await engine.read((tx) => tx.get<{ pid: number }>('SELECT pg_backend_pid() AS pid')))!
    await onServer(pair.primary(), (client) =>
      client.query(`CREATE SCHEMA impostor; CREATE VIEW impostor.pg_stat_activity AS
        SELECT pid, 'api-relay-gateway' AS application_name, 'active' AS state, now() AS state_change
        FROM generate_series(${pid - 500}, ${pid + 500}) AS pid`),
    )
    const underWay = engine.write((tx) => tx.get('SELECT pg_sleep(600)'))
    const failed = expect(underWay).rejects.toMatchObject({ name: 'StoreUnavailable' })
    proxy.setTargets(portOf(pair.primary()))
    await failed
  })

  test('an old primary that was not stopped is distinguished from a server with another database, with which no host is chosen', async () => {
    const servers = [inject('postgresUrl'), old.url]
    const onBoth = async (sql: string) => {
      for (const url of servers) await onServer({ url }, (client) => client.query(sql))
    }
    await onBoth("CREATE ROLE common LOGIN PASSWORD 'common'")
    onTestFinished(() => onBoth('DROP ROLE common'))
    const url = `postgres://common:common@${servers.map((server) => new URL(server).host).join(',')}/postgres`
    await expect(open({ url })).rejects.toThrow(/its hosts hold different databases/)
  })

  test('an old primary that was not stopped cannot be hidden by a server that was set up anew, which is used only after the memory is removed', async () => {
    const fresh = await freshDatabase('postgres')
    onTestFinished(() => fresh.remove())
    const proxy = await startTcpProxy(portOf(pair.primary()))
    onTestFinished(() => proxy.close())
    const through = (target: string) =>
      Object.assign(new URL(target), { port: String(proxy.port), pathname: '/postgres' }).href
    const options = { memoryFile: memoryFile('anew') }
    await openBriefly({ ...options, url: through(pair.primary().url) })
    proxy.setTargets(Number(new URL(fresh.databaseUrl).port))
    const url = through(fresh.databaseUrl)
    await expect(open({ ...options, url })).rejects.toThrow(
      /is another database .* If it replaces that one, remove .*anew and start again/,
    )
    await rm(options.memoryFile.path)
    await openBriefly({ ...options, url })
  })
})
