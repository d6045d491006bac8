import { copyFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../../testkit/gateway/browser.ts'
import { type Gateway, startGateway } from '../../testkit/gateway/gateway.ts'
import { runCommand } from '../../testkit/gateway/run-command.ts'
import { goodProvider } from '../../testkit/providers/good-provider.ts'
import { type Behaviour, startUpstream, type Upstream } from '../../testkit/providers/upstream.ts'
import { type Database, freshDatabase } from '../../testkit/store/engines.ts'
import { startArchivedPostgres } from '../../testkit/store/postgres-archive.ts'
import type { PostgresServer } from '../../testkit/store/postgres-server.ts'

/** How a store is backed up and restored. */
interface Rehearsal {
  readonly database: Database
  backUp(): Promise<void>
  /** The last moment that will survive. */
  nameMoment(): Promise<void>
  /** Runs after the gateway has stopped. */
  restore(): Promise<Database>
  remove(): Promise<void>
}

const rehearsals: Record<string, () => Promise<Rehearsal>> = {
  'point-in-time recovery of PostgreSQL from its archive': async () => {
    const archived = await startArchivedPostgres()
    const database = { ...(await freshDatabase('sqlite')), databaseUrl: archived.server.url }
    let copy: string
    let recovered: PostgresServer | undefined
    return {
      database,
      backUp: async () => {
        copy = await archived.baseBackup()
      },
      nameMoment: () => archived.nameMoment('before the loss'),
      restore: async () => {
        await archived.archiveAll()
        await archived.server.crash()
        recovered = await archived.recover(copy, 'before the loss')
        return { ...database, databaseUrl: recovered.url }
      },
      remove: async () => {
        await recovered?.remove()
        await archived.remove().catch(() => {})
        await database.remove()
      },
    }
  },
  'a backup of the embedded store': async () => {
    const database = await freshDatabase('sqlite')
    const file = (name: string) => join(database.dataDir, name)
    return {
      database,
      backUp: async () => {},
      nameMoment: async () => {
        expect(await runCommand(database, ['backup', file('backup')])).toMatchObject({ exitCode: 0 })
      },
      restore: async () => {
        for (const end of ['', '-wal', '-shm']) await rm(file(`gateway.sqlite${end}`), { force: true })
        await copyFile(file('backup'), file('gateway.sqlite'))
        return database
      },
      remove: () => database.remove(),
    }
  },
}

describe.each(Object.keys(rehearsals))('after %s', (name) => {
  let rehearsal: Rehearsal
  let upstream: Upstream
  let restored: Database
  let apiKey: string
  let projectId: string
  let gateway: Gateway | undefined
  let logFile: string
  /** Times between which the last surviving commit was made. */
  const lastCommit = { after: 0, before: 0 }
  const file = () => ({
    models: {
      providers: { model_provider_b: { adapter: 'openai', baseUrl: upstream.url, models: { fast: 'upstream-fast' } } },
    },
  })

  const call = (key: string, provider = 'model_provider_a') =>
    gateway!.call(apiKey, '/v1/models/chat', key, { prompt: key, provider })
  const settle = async (...keys: string[]) => {
    for (const key of keys) expect(await call(key)).toMatchObject({ status: 200 })
  }
  /** A call of an OpenAI client and one of an MCP client. */
  const chatByOtherRoutes = async () => {
    const chat = { model: 'model_provider_a/local-small', messages: [{ role: 'user', content: 'hello' }] }
    const tool = { name: 'model_chat', arguments: { prompt: 'hello' } }
    const sent = { authorization: `Bearer ${apiKey}`, accept: 'application/json, text/event-stream' }
    const post = (path: string, body: object) => gateway!.send('POST', path, sent, JSON.stringify(body))
    const completed = await post('/v1/chat/completions', chat)
    expect([completed.status, completed.headers]).toMatchObject([200, { 'x-charge-id': expect.any(String) }])
    const called = await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool })
    expect(called).toMatchObject({ status: 200, body: { result: { _meta: { chargeId: expect.any(String) } } } })
  }

  beforeAll(async () => {
    rehearsal = await rehearsals[name]!()
    let response: () => void = () => {}
    const late: Behaviour = (wire, received) => {
      response = () => goodProvider(wire, received)
    }
    upstream = await startUpstream(late)
    gateway = await startGateway({ database: rehearsal.database, file: file() })
    const payer = new Browser(gateway)
    projectId = (await payer.register()).body.project.projectId
    await payer.recharge(10_000)
    apiKey = (await payer.createKey(['models:invoke'])).apiKey
    await settle('before the copy 1', 'before the copy 2')
    await rehearsal.backUp()
    await settle('after the copy 1')
    const underWay = call('under way', 'model_provider_b')
    await upstream.received(1)
    lastCommit.after = Date.now()
    await settle('after the copy 2')
    await rehearsal.nameMoment()
    lastCommit.before = Date.now()
    response()
    const { status, headers } = await underWay
    expect(status).toBe(200)
    expect(upstream.calls[0]!.headers['x-request-id']).toBe(headers['x-request-id'])
    // A replay has a request id that no charge has.
    await settle('before the copy 1', 'lost 1', 'lost 2')
    await chatByOtherRoutes()
    await gateway.app.stop()
    logFile = join(rehearsal.database.dataDir, 'gateway.log')
    await writeFile(logFile, gateway.log.join(''))
    // A checkpoint that was published after that moment has a test of its own: test/features/records/transparency/restore.test.ts.
    await rm(join(rehearsal.database.dataDir, 'transparency'), { recursive: true, force: true })
    restored = await rehearsal.restore()
  }, 60_000)
  afterAll(async () => {
    await gateway?.stop()
    await upstream?.close()
    await rehearsal?.remove()
  })

  test('restore-check says what the copy knows, and which calls can be charged again', async () => {
    const ran = await runCommand(restored, ['restore-check', '--json', '--log', logFile])
    const report = JSON.parse(ran.stdout)
    expect(ran).toMatchObject({ exitCode: 1, stderr: '' })
    const at = Date.parse(report.lastCommitAt)
    expect(at).toBeGreaterThanOrEqual(lastCommit.after)
    expect(at).toBeLessThanOrEqual(lastCommit.before)
    expect(report.openCharges).toMatchObject([
      { state: 'reserved', forwards: true, age: 'under a minute', charges: 1, credits: 3 },
    ])
    expect(report).toMatchObject({ gapCount: 0, log: { calls: 9, lostCount: 4 } })
    // In the order of the log: those that were answered last.
    const answered = gateway!.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
    const lastFour = answered.slice(-4).map(({ requestId, chargeId }) => ({ projectId, requestId, chargeId }))
    expect(report.log.lost).toMatchObject(lastFour)
    const { stdout } = await runCommand(restored, ['restore-check', '--log', logFile])
    expect(stdout).toContain('4 of these charges are missing, so the calls can be charged again')
    expect(stdout).toMatch(/^reserved +under a minute +1 +3 .*goes to review$/m)
  })

  test('the books are sound, kept calls are replayed, lost ones are charged again, and new ones are served', async () => {
    expect(await runCommand(restored, ['reconcile'])).toMatchObject({ exitCode: 0 })
    gateway = await startGateway({ database: restored, file: file() })
    for (const key of ['before the copy 1', 'after the copy 1', 'after the copy 2']) {
      const replayed = await call(key)
      expect([replayed.status, replayed.headers['idempotent-replayed']]).toEqual([200, 'true'])
    }
    for (const key of ['lost 1', 'new']) {
      const charged = await call(key)
      expect([charged.status, charged.headers['idempotent-replayed']]).toEqual([200, undefined])
    }
    expect(await runCommand(restored, ['reconcile'])).toMatchObject({ exitCode: 0 })
  })
})
