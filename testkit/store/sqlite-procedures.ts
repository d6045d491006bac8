import type { Statements } from '../../src/storage/sqlite/connection.ts'

/** Procedures for tests of the worker: like a real one, or misbehaving. */
export const procedures = {
  put: (db: Statements, { name, value }: { name: string; value: number }) =>
    db.run('INSERT INTO counters (name, value) VALUES ($1, $2)', [name, value]),

  /** Loads, decides and saves. */
  move: (db: Statements, { from, to, amount }: { from: string; to: string; amount: number }) => {
    const source = db.get<{ value: number }>('SELECT value FROM counters WHERE name = $1', [from])
    if (!source || source.value < amount) return 'refused'
    db.run('UPDATE counters SET value = value - $2 WHERE name = $1', [from, amount])
    db.run('UPDATE counters SET value = value + $2 WHERE name = $1', [to, amount])
    return 'moved'
  },

  putThenThrow: (db: Statements, name: string) => {
    db.run('INSERT INTO counters (name, value) VALUES ($1, 1)', [name])
    throw new Error('a rule broke')
  },

  putThenDie: (db: Statements, name: string) => {
    db.run('INSERT INTO counters (name, value) VALUES ($1, 1)', [name])
    process.exit(1)
  },

  /** Hangs, as on a disk that does not respond. */
  hang: (_db: Statements, forMs: number) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs)
  },

  /** Sets or reads a setting of the writer's connection. */
  pragma: (db: Statements, text: string) => db.get<Record<string, number | string>>(`PRAGMA ${text}`),
}
