import { createHook } from 'node:async_hooks'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { OpenedEngine } from '../../src/storage/open-store.ts'
import { type Gateway, origin, startGateway } from '../../testkit/gateway/gateway.ts'
import { startCountingProxy } from '../../testkit/relay/counting-proxy.ts'
import { CountingStore } from '../../testkit/relay/counting-store.ts'
import { migratedDatabase, openDatabase } from '../../testkit/store/engines.ts'
import { addCredits, type Customer, createCustomer, createRig } from '../../testkit/store/rig.ts'

/**
 * What a call costs, in figures that are the same on every machine. They may only fall: whoever lowers one commits it with the change.
 * Each is the least of several calls, because background work counts too.
 */
interface Cost {
  readonly [name: string]: number
}

const kinds = ['a paid call', 'a replay', 'a refusal', 'a streamed call'] as const
type Kind = (typeof kinds)[number]

const limits: Record<'sqlite' | 'every feature on' | 'postgres', Record<Kind, Cost>> = {
  sqlite: {
    'a paid call': {
      statements: 12,
      bytesWritten: 1382,
      commits: 2,
      pages: 16,
      messages: 4,
      messageBytes: 1839,
      'rows of balances': 2,
      'rows of api_keys': 1,
      'rows of charges': 2,
      'rows of ledger_entries': 2,
      'rows of charge_responses': 1,
      'rows of usage_days': 1,
      logLines: 1,
      timers: 5,
    },
    'a replay': {
      statements: 3,
      bytesWritten: 65,
      commits: 1,
      pages: 1,
      messages: 2,
      messageBytes: 1515,
      'rows of api_keys': 1,
      logLines: 1,
      timers: 4,
    },
    'a refusal': {
      statements: 2,
      bytesWritten: 65,
      commits: 1,
      pages: 1,
      messages: 2,
      messageBytes: 356,
      'rows of api_keys': 1,
      logLines: 1,
      timers: 4,
    },
    'a streamed call': {
      statements: 18,
      bytesWritten: 1659,
      commits: 3,
      pages: 20,
      messages: 6,
      messageBytes: 2237,
      'rows of balances': 2,
      'rows of api_keys': 1,
      'rows of charges': 2,
      'rows of pending_deliveries': 2,
      'rows of ledger_entries': 2,
      'rows of charge_responses': 1,
      'rows of usage_days': 1,
      logLines: 1,
      timers: 15,
    },
  },
  'every feature on': {
    'a paid call': {
      statements: 14,
      bytesWritten: 2272,
      commits: 2,
      pages: 19,
      messages: 4,
      messageBytes: 2656,
      'rows of balances': 2,
      'rows of api_keys': 1,
      'rows of key_budgets': 1,
      'rows of charges': 2,
      'rows of ledger_entries': 2,
      'rows of charge_responses': 1,
      'rows of charge_contents': 1,
      'rows of usage_days': 1,
      logLines: 1,
      timers: 5,
    },
    'a replay': {
      statements: 3,
      bytesWritten: 65,
      commits: 1,
      pages: 1,
      messages: 2,
      messageBytes: 1515,
      'rows of api_keys': 1,
      logLines: 1,
      timers: 4,
    },
    'a refusal': {
      statements: 2,
      bytesWritten: 65,
      commits: 1,
      pages: 1,
      messages: 2,
      messageBytes: 356,
      'rows of api_keys': 1,
      logLines: 1,
      timers: 4,
    },
    'a streamed call': {
      statements: 20,
      bytesWritten: 2823,
      commits: 3,
      pages: 23,
      messages: 6,
      messageBytes: 3328,
      'rows of balances': 2,
      'rows of api_keys': 1,
      'rows of key_budgets': 1,
      'rows of charges': 2,
      'rows of pending_deliveries': 2,
      'rows of ledger_entries': 2,
      'rows of charge_responses': 1,
      'rows of charge_contents': 1,
      'rows of usage_days': 1,
      logLines: 1,
      timers: 15,
    },
  },
  postgres: {
    'a paid call': {
      statements: 16,
      roundTrips: 2,
      bytesSent: 2958,
      logLines: 1,
    },
    'a replay': {
      statements: 9,
      roundTrips: 2,
      bytesSent: 681,
      logLines: 1,
    },
    'a refusal': {
      statements: 7,
      roundTrips: 2,
      bytesSent: 457,
      logLines: 1,
    },
    'a streamed call': {
      statements: 17,
      roundTrips: 2,
      bytesSent: 3317,
      logLines: 1,
    },
  },
}

/** What else the machine does can only add to a count, so a kind that seems to cost more is measured again. */
const rounds = { least: 5, most: 25 } as const
const amplyPerDay = { credits: 1_000_000, per: 'day' } as const

describe('the cost of', () => {
  test.each(['sqlite', 'every feature on'] as const)('calls on SQLite, %s, does not grow', async (setting) => {
    const database = await migratedDatabase('sqlite')
    onTestFinished(() => database.remove())
    const customer = await prepare(await openDatabase(database), setting === 'every feature on')
    const store = new CountingStore(join(database.dataDir, 'gateway.sqlite'))
    const gateway = await startGateway({ database, openStore: async () => store as unknown as OpenedEngine })
    onTestFinished(() => gateway.stop())
    const measured = await costs(gateway, customer, limits[setting], () => {
      const { rows, ...counts } = store.take()
      return {
        ...counts,
        ...Object.fromEntries(Object.entries(rows).map(([table, count]) => [`rows of ${table}`, count])),
      }
    })
    expect(changes(measured, limits[setting]), JSON.stringify(measured, null, 2)).toEqual([])
  })

  test('calls on PostgreSQL does not grow', async () => {
    const database = await migratedDatabase('postgres')
    onTestFinished(() => database.remove())
    const customer = await prepare(await openDatabase(database), false)
    const proxy = await startCountingProxy(database.databaseUrl)
    onTestFinished(() => proxy.close())
    const gateway = await startGateway({ database: { ...database, databaseUrl: proxy.url } })
    onTestFinished(() => gateway.stop())
    const measured = await costs(gateway, customer, limits.postgres, () => ({ ...proxy.take() }), false)
    expect(changes(measured, limits.postgres), JSON.stringify(measured, null, 2)).toEqual([])
  })
})

async function prepare(store: Awaited<ReturnType<typeof openDatabase>>, hasEveryFeature: boolean): Promise<Customer> {
  const rig = createRig(store)
  const customer = await createCustomer(rig)
  await addCredits(rig, customer.projectId, 1000)
  if (hasEveryFeature) {
    const { projectId, keyId } = customer
    await rig.namedKeys.update(projectId, keyId, { budget: amplyPerDay })
    await store.write((tx) => tx.run('UPDATE api_keys SET logs_content = 1 WHERE key_id = $1', [keyId]))
  }
  await store.close()
  return customer
}

/** The least that a call of each kind took. */
async function costs(
  gateway: Gateway,
  { apiKey }: Customer,
  allowed: Record<Kind, Cost>,
  take: () => Cost,
  hasTimers = true,
): Promise<Record<Kind, Cost>> {
  const connection = connect(gateway.app.public.port, '127.0.0.1')
  onTestFinished(() => void connection.destroy())
  await once(connection, 'connect')
  let timers = 0
  const hook = createHook({
    init: (_, type) => (timers += type === 'Timeout' || type === 'Immediate' ? 1 : 0),
  }).enable()
  onTestFinished(() => void hook.disable())
  const call = async (path: string, body: object, key: string | null, status: number) => {
    const text = JSON.stringify(body)
    const head = [
      `POST ${path} HTTP/1.1`,
      `Host: ${new URL(origin).host}`,
      `Authorization: Bearer ${apiKey}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(text)}`,
      ...(key === null ? [] : [`Idempotency-Key: ${key}`]),
    ]
    connection.write(`${head.join('\r\n')}\r\n\r\n${text}`)
    expect(await responseOn(connection)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  }
  let made = 0
  const bodies: Record<Kind, () => Promise<void>> = {
    'a paid call': () => call('/v1/models/chat', { prompt: 'hello' }, `call ${made++}`, 200),
    'a replay': () => call('/v1/models/chat', { prompt: 'hello' }, 'call 0', 200),
    'a refusal': () => call('/v1/models/chat', { prompt: '' }, `call ${made++}`, 400),
    'a streamed call': () =>
      call(
        '/v1/chat/completions',
        { model: 'local-small', stream: true, messages: [{ role: 'user', content: 'hello' }] },
        null,
        200,
      ),
  }
  const least = {} as Record<Kind, Cost>
  for (const kind of kinds) {
    await bodies[kind]()
    const seen: Cost[] = []
    for (let round = 1; round <= rounds.most; round += 1) {
      take()
      const before = { lines: gateway.log.length, timers }
      await bodies[kind]()
      const logLines = gateway.log.length - before.lines
      // PostgreSQL's driver sets its own, as many as there are packets.
      seen.push({ ...take(), logLines, ...(hasTimers && { timers: timers - before.timers }) })
      least[kind] = leastOf(seen)
      if (round >= rounds.least && changed(kind, least[kind], allowed[kind]).length === 0) break
    }
  }
  return least
}

/** One response. No client is as quiet: others set timers. */
async function responseOn(connection: Socket): Promise<string> {
  let text = ''
  for (;;) {
    const [chunk] = (await once(connection, 'data')) as [Buffer]
    text += chunk.toString('latin1')
    const headEnd = text.indexOf('\r\n\r\n')
    const length = Number(/\r\ncontent-length: (\d+)/.exec(text)?.[1])
    const isWhole = Number.isNaN(length) ? text.endsWith('\r\n0\r\n\r\n') : text.length >= headEnd + 4 + length
    if (headEnd >= 0 && isWhole) return text
  }
}

function leastOf(costs: readonly Cost[]): Cost {
  const names = new Set(costs.flatMap((cost) => Object.keys(cost)))
  const pairs = [...names].map((name) => [name, Math.min(...costs.map((cost) => cost[name] ?? 0))] as const)
  return Object.fromEntries(pairs.filter(([, least]) => least > 0))
}

const changes = (measured: Record<Kind, Cost>, allowed: Record<Kind, Cost>): string[] =>
  kinds.flatMap((kind) => changed(kind, measured[kind], allowed[kind]))

/** Sentences about what costs more than the table allows, or less. */
function changed(kind: Kind, measured: Cost, allowed: Cost): string[] {
  const names = new Set([...Object.keys(measured), ...Object.keys(allowed)])
  return [...names].flatMap((name) => {
    const [now, most] = [measured[name] ?? 0, allowed[name] ?? 0]
    if (now > most) return [`${kind} now has ${now} ${name}, and ${most} are allowed`]
    return now < most ? [`${kind} now has ${now} ${name}: lower the table from ${most}`] : []
  })
}
