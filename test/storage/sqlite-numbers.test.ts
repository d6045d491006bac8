import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Connection } from '../../src/storage/sqlite/connection.ts'

/** node:sqlite binds every number as REAL, but the books keep integers. */
describe('integers in a SQLite column', () => {
  let directory: string
  let connection: Connection

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gateway-numbers-'))
    connection = new Connection(join(directory, 'numbers.sqlite'), { busyTimeoutMs: 1000, readOnly: false })
    connection.exec('CREATE TABLE sums (name TEXT NOT NULL PRIMARY KEY, whole INTEGER CHECK (whole >= 0)) STRICT')
  })
  afterAll(async () => {
    connection.close()
    await rm(directory, { recursive: true })
  })

  const stored = (name: string) =>
    connection.get('SELECT whole, typeof(whole) AS type FROM sums WHERE name = $1', [name])

  test.each([0, 1, 3, 2 ** 31, 1_763_200_000_123, Number.MAX_SAFE_INTEGER])('%d is stored as an integer', (whole) => {
    connection.put('INSERT INTO sums (name, whole) VALUES ($1, $2)', [`${whole}`, whole])
    expect(stored(`${whole}`)).toEqual({ whole, type: 'integer' })
  })

  test('a sum with a stored integer stays an integer', () => {
    const add = `INSERT INTO sums (name, whole) VALUES ($1, $2)
      ON CONFLICT (name) DO UPDATE SET whole = sums.whole + excluded.whole`
    for (const whole of [Number.MAX_SAFE_INTEGER - 7, 7]) connection.put(add, ['sum', whole])
    expect(stored('sum')).toEqual({ whole: Number.MAX_SAFE_INTEGER, type: 'integer' })
  })

  test('null stays null, and a fraction is refused', () => {
    connection.put('INSERT INTO sums (name, whole) VALUES ($1, $2)', ['nothing', null])
    expect(stored('nothing')).toEqual({ whole: null, type: 'null' })
    expect(() => connection.put('INSERT INTO sums (name, whole) VALUES ($1, $2)', ['half', 0.5])).toThrow()
  })
})
