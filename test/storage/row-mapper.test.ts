import { describe, expect, it } from 'vitest'
import type { Value, Writer } from '../../src/storage/engine.ts'
import { flag, from, integer, orNull, rowMapper, text, words } from '../../src/storage/row-mapper.ts'

const columns = {
  keyId: text(),
  scopes: words<'read' | 'write'>(),
  isOut: orNull(flag('out_of_service')),
  usedAt: orNull(integer()),
}
const keys = rowMapper('keys', columns)

/** Notes what it is asked, and answers every read with this row. */
function recording(stored: object) {
  const asked: [string, readonly Value[]][] = []
  const answer = <T>(sql: string, params: readonly Value[] = [], value: unknown = 1) => {
    asked.push([sql, params])
    return Promise.resolve(value as T)
  }
  const tx: Writer = {
    all: (sql, params) => answer(sql, params, [{ ...stored }]),
    get: (sql, params) => answer(sql, params, { ...stored }),
    run: (sql, params) => answer(sql, params),
  }
  return { tx, asked }
}

describe('a table of columns', () => {
  it('a table of columns names the columns of a join, and expressions', () => {
    const joined = rowMapper('keys k JOIN plans p', { ...from('k', columns), credits: integer('p.credits * 2') })
    expect(joined.list).toBe(
      'k.key_id AS "keyId", k.scopes AS "scopes", k.out_of_service AS "isOut", k.used_at AS "usedAt", p.credits * 2 AS "credits"',
    )
  })

  it('a table of columns reads rows as they are typed', async () => {
    const { tx, asked } = recording({ keyId: 'k1', scopes: 'read write', isOut: 1, usedAt: null })
    const row = { keyId: 'k1', scopes: ['read', 'write'], isOut: true, usedAt: null }
    expect(await keys.get(tx, 'WHERE key_id = $1', ['k1'])).toEqual(row)
    expect(await keys.all(tx)).toEqual([row])
    const select = 'SELECT key_id AS "keyId", scopes, out_of_service AS "isOut", used_at AS "usedAt" FROM keys'
    expect(asked).toEqual([
      [`${select} WHERE key_id = $1`, ['k1']],
      [select, []],
    ])
  })

  it('a table of columns writes the fields that are given, and no others', async () => {
    const { tx, asked } = recording({})
    await keys.insertAll(tx, [
      { keyId: 'k1', scopes: ['read'] },
      { keyId: 'k2', scopes: ['read', 'write'] },
    ])
    await keys.upsert(tx, { keyId: 'k1', isOut: false, usedAt: null }, ['keyId'])
    expect(await keys.update(tx, { usedAt: 7 }, 'key_id = $1', ['k1'])).toBe(1)
    expect(asked).toEqual([
      ['INSERT INTO keys (key_id, scopes) VALUES ($1, $2), ($3, $4)', ['k1', 'read', 'k2', 'read write']],
      [
        'INSERT INTO keys (key_id, out_of_service, used_at) VALUES ($1, $2, $3) ON CONFLICT (key_id) DO UPDATE SET out_of_service = excluded.out_of_service, used_at = excluded.used_at',
        ['k1', 0, null],
      ],
      ['UPDATE keys SET used_at = $2 WHERE key_id = $1', ['k1', 7]],
    ])
  })
})
