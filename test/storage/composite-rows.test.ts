import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLedger } from '../../src/ledger/ledger.ts'
import type { Value } from '../../src/storage/engine.ts'
import { compositeTypes, rowTypeOf } from '../../src/storage/postgres/batch-statements.ts'
import { CompositeRows } from '../../src/storage/postgres/composite-rows.ts'
import type { PostgresEngine } from '../../src/storage/postgres/postgres-engine.ts'
import { freshStore } from '../../testkit/store/engines.ts'
import { addCredits, admissionOf, createCustomer, createRig } from '../../testkit/store/rig.ts'

/** Rows sent to PostgreSQL as one value. */

let opened: Awaited<ReturnType<typeof freshStore>>
let engine: PostgresEngine

beforeAll(async () => {
  opened = await freshStore('postgres')
  engine = opened.store as PostgresEngine
  await engine.write((tx) => tx.run('CREATE TYPE sample_row AS (id text, status int, body text, at bigint)'))
})
afterAll(() => opened.remove())

/** Text, int, text, bigint. */
const columns = Object.values(compositeTypes.response).filter((_, place) => place !== 2)
const sent = async (rows: Value[][]) => {
  const [read] = await engine.pipelined((tx) =>
    tx.send([{ sql: 'SELECT * FROM unnest($1::sample_row[])', params: [new CompositeRows(columns, rows)] }]),
  )
  return read!.map((row) => Object.values(row))
}

it.each(
  Object.entries(compositeTypes).map(
    ([name, columns]) => [rowTypeOf(name as keyof typeof compositeTypes), columns] as const,
  ),
)('the server has the type %s with the columns that we send', async (type, columns) => {
  const found = await engine.read((tx) =>
    tx.all<{ column: string; type: string }>(
      `SELECT attname AS "column", CASE format_type(atttypid, NULL) WHEN 'integer' THEN 'int' ELSE format_type(atttypid, NULL) END AS type
      FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 ORDER BY attnum`,
      [type],
    ),
  )
  expect(found).toEqual(Object.entries(columns).map(([column, type]) => ({ column, type })))
})

describe('a list of rows', () => {
  it.each([
    ['plain and empty texts', 'chg_0Vb31jl900ywKpGQJXPD', ''],
    ['what other forms would take for their own', '{}(),"\\', "NULL', $1"],
    ['letters of any length in bytes', 'aé好😀', '\u2028\t\r\n'],
  ])('a list of rows arrives with %s', async (_name, a, b) => {
    const rows: Value[][] = [
      [a, 200, b, 1],
      [b, -1, a, 2],
    ]
    expect(await sent(rows)).toEqual(rows)
  })

  it('a list of rows arrives with integers of all sizes, and with nulls', async () => {
    const integers = [
      0,
      1,
      -1,
      2 ** 31 - 1,
      2 ** 31,
      -(2 ** 31) - 1,
      2 ** 32,
      Number.MAX_SAFE_INTEGER,
      -Number.MAX_SAFE_INTEGER,
    ]
    const rows = integers.map((integer): Value[] => ['id', 2 ** 31 - 1, null, integer])
    expect(await sent(rows)).toEqual(rows)
    expect(await sent([[null, null, null, null]])).toEqual([[null, null, null, null]])
  })

  it('a list of rows arrives complete when it is longer than usual, and so do later ones', async () => {
    const long = '好'.repeat(800_000)
    expect(await sent([['a', 200, long, 1]])).toEqual([['a', 200, long, 1]])
    expect(await sent([['b', 200, 'short', 2]])).toEqual([['b', 200, 'short', 2]])
  })

  it.each<[string, Value[]]>([
    ['a number for a text', [1, 200, 'body', 1]],
    ['a text for a number', ['id', 200, 'body', '1']],
    ['a fraction', ['id', 200, 'body', 1.5]],
    ['an integer that no number holds', ['id', 200, 'body', 2 ** 53]],
    ['an integer too large for its column', ['id', 2 ** 31, 'body', 1]],
    ['too few values', ['id', 200, 'body']],
  ])('a list of rows is refused with %s, before anything is sent', async (_name, row) => {
    expect(() => new CompositeRows(columns, [row]).encode()).toThrow()
    await expect(sent([row])).rejects.toSatisfy((error) => error instanceof TypeError || error instanceof RangeError)
    expect(await sent([['id', 200, 'body', 1]])).toHaveLength(1)
  })
})

it('a text with U+0000 is refused before anything is sent', async () => {
  await expect(sent([['a\0b', 1, '', 1]])).rejects.toThrow('PostgreSQL cannot store U+0000')
})

it('a command with U+0000 fails alone, and its batch commits at once', async () => {
  const rig = createRig(engine)
  const customer = await createCustomer(rig)
  await addCredits(rig, customer.projectId, 100)
  const { batches } = rig.stores
  const sizes: number[] = []
  const ledger = createLedger({
    store: {
      ...batches,
      applyUnlocked: (commands) => {
        sizes.push(commands.length)
        return batches.applyUnlocked!(commands)
      },
    },
  })
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, (_, i) =>
      ledger.admit(admissionOf(rig, customer, { requestId: i === 3 ? 'req_\0' : 'req' })),
    ),
  )
  expect(results.map(({ status }) => status)).toEqual(
    Array.from({ length: 8 }, (_, i) => (i === 3 ? 'rejected' : 'fulfilled')),
  )
  expect(sizes).toEqual([7])
})
