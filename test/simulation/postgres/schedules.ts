import type { Value } from '../../../src/storage/engine.ts'
import type { Prng } from '../prng.ts'

/** A statement of a small transaction. */
export interface Step {
  readonly sql: string
  readonly params: readonly Value[]
  /** Gives up waiting for a lock. */
  readonly hasTimeout: boolean
}

export interface Schedule {
  readonly transactions: readonly { readonly steps: readonly Step[]; readonly end: 'COMMIT' | 'ROLLBACK' }[]
  /** Which transaction goes next is drawn from this. */
  readonly random: Prng
}

export const createTable = `CREATE TABLE rows (
  id INTEGER NOT NULL PRIMARY KEY,
  v INTEGER NOT NULL,
  u TEXT UNIQUE
)`

export const firstRows = [1, 2, 3, 4].map((id) => [id, 10 * id, id === 4 ? null : 'abc'[id - 1]!] as const)

/** By the primary key on both, so that rows are locked in its order. */
const inRange = 'id >= $1 AND id <= $2'

function drawStatement(random: Prng): Omit<Step, 'hasTimeout'> {
  const id = random.between(1, 5)
  const to = random.pick([id, id, 5])
  const text = random.pick(['a', 'b', 'c', 'd', null])
  const limit = random.between(0, 50)
  const step = (sql: string, ...params: Value[]) => ({ sql, params })
  const statements = [
    () => step(`SELECT id, v, u FROM rows WHERE ${inRange} ORDER BY id`, id, to),
    () => step(`UPDATE rows SET v = v + $3 WHERE ${inRange} RETURNING id, v`, id, to, random.between(0, 9)),
    () => step(`UPDATE rows SET v = v + 7 WHERE ${inRange} AND v > $3 RETURNING id, v`, id, to, limit),
    () => step('UPDATE rows SET u = $2 WHERE id = $1 RETURNING id, u', id, text),
    () => step('DELETE FROM rows WHERE id = $1 AND v < $2 RETURNING id, v', id, limit),
    () => step('INSERT INTO rows (id, v, u) VALUES ($1, $2, $3) RETURNING id', id, limit, text),
    () =>
      step(
        `INSERT INTO rows (id, v, u) VALUES ($1, $2, NULL)
          ON CONFLICT (id) DO UPDATE SET v = rows.v + excluded.v RETURNING id, v`,
        id,
        limit,
      ),
    () => step('INSERT INTO rows (id, v, u) VALUES ($1, $2, NULL) ON CONFLICT (id) DO NOTHING RETURNING id', id, limit),
    () => step(`SELECT id, v FROM rows WHERE ${inRange} ORDER BY id FOR UPDATE`, id, to),
    () => step(`SELECT id, v FROM rows WHERE ${inRange} AND v > $3 ORDER BY id FOR UPDATE`, id, to, limit),
    () => step(`SELECT id, v FROM rows WHERE ${inRange} ORDER BY id LIMIT 2 FOR UPDATE SKIP LOCKED`, id, to),
    () => step(`SELECT id, v FROM rows WHERE ${inRange} ORDER BY id FOR UPDATE NOWAIT`, id, to),
    // A claim as the gateway's queues make it, with and without the check that a claimed row is still due.
    () =>
      step(
        `UPDATE rows SET v = v + 100 WHERE id IN (SELECT id FROM rows WHERE v < $1 ORDER BY id LIMIT 1)
          AND v < $1 RETURNING id, v`,
        limit,
      ),
    () =>
      step(
        `UPDATE rows SET v = v + 100 WHERE id IN (SELECT id FROM rows WHERE v < $1 ORDER BY id LIMIT 1)
          RETURNING id, v`,
        limit,
      ),
    () =>
      step(
        `UPDATE rows SET v = v + 100 WHERE id IN (SELECT id FROM rows WHERE v < $1 ORDER BY id LIMIT 2
          FOR UPDATE SKIP LOCKED) AND v < $1 RETURNING id, v`,
        limit,
      ),
  ]
  return random.pick(statements)()
}

export function drawSchedule(random: Prng): Schedule {
  const transactions = Array.from({ length: random.between(2, 3) }, () => ({
    steps: Array.from({ length: random.between(1, 4) }, () => ({
      ...drawStatement(random),
      hasTimeout: random.chance(0.08),
    })),
    end: random.chance(0.75) ? ('COMMIT' as const) : ('ROLLBACK' as const),
  }))
  return { transactions, random }
}
