import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import pg from 'pg'
import type { Command } from '../../src/ledger/commands.ts'
import { createLedger } from '../../src/ledger/ledger.ts'
import type { Value } from '../../src/storage/engine.ts'
import { createPostgresBatchStore } from '../../src/storage/postgres/batch.ts'
import { encode, type Parameter } from '../../src/storage/postgres/composite-rows.ts'
import type { PipelinedTransaction, Statement } from '../../src/storage/postgres/pipelined-transaction.ts'
import { planSettings } from '../../src/storage/postgres/pool.ts'
import type { PostgresEngine } from '../../src/storage/postgres/postgres-engine.ts'
import { applyBatch } from '../../src/storage/sqlite/batch.ts'
import { Connection, type Statements } from '../../src/storage/sqlite/connection.ts'
import type { Rig } from '../../testkit/store/rig.ts'
import type { Batch } from './workload.ts'

/** Ours: through ledger, batch queue, rules and engine, as in the gateway. */
export function ledgerRun({ stores }: Rig): (batches: readonly Batch[]) => Promise<void> {
  const ledger = createLedger({ store: stores.batches })
  return async (batches) => {
    for (const { admits, ends } of batches) {
      await Promise.all(admits.map(ledger.admit))
      await Promise.all(ends.map(ledger.end))
    }
  }
}

interface Recorded {
  readonly sql: string
  readonly params: readonly Parameter[]
}
/** The statements of one transaction, grouped as they are pipelined. */
type Transaction = readonly (readonly Recorded[])[]

/** Bare: the same statements sent directly to the driver, without queue, rules or worker thread. */
export interface BareRun {
  record(batches: readonly Batch[]): Promise<Transaction[]>
  replay(transactions: readonly Transaction[]): Promise<void>
  close(): Promise<void>
}

/** Statements are recorded on the store `recordOn` and timed on the store `replayOn`. */
export function bareSqlite(recordOn: string, replayOn: string): BareRun {
  const source = new Connection(join(recordOn, 'gateway.sqlite'), { busyTimeoutMs: 1000, readOnly: false })
  const target = new DatabaseSync(join(replayOn, 'gateway.sqlite'))
  target.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  const prepared = new Map<string, StatementSync>()
  const prepare = (sql: string) => {
    const statement = prepared.get(sql) ?? target.prepare(sql.replaceAll(/\$(\d+)/g, '?$1'))
    prepared.set(sql, statement)
    return statement
  }
  return {
    async record(batches) {
      return commandsOf(batches).map((commands) => {
        const statements: Recorded[] = []
        const recorded =
          <T>(execute: (sql: string, params: readonly Value[]) => T) =>
          (sql: string, params: readonly Value[] = []): T => {
            statements.push({ sql, params })
            return execute(sql, params)
          }
        const recorder = {
          all: recorded((sql, params) => source.all(sql, params)),
          get: recorded((sql, params) => source.get(sql, params)),
          run: recorded((sql, params) => source.run(sql, params)),
          put: recorded((sql, params) => source.put(sql, params)),
          generation: source.generation,
        } satisfies Statements
        source.exec('BEGIN IMMEDIATE')
        applyBatch(recorder, commands)
        source.exec('COMMIT')
        return [statements]
      })
    },
    async replay(transactions) {
      for (const [statements] of transactions) {
        target.exec('BEGIN IMMEDIATE')
        for (const { sql, params } of statements!) {
          const statement = prepare(sql)
          if (sql.startsWith('SELECT')) statement.get(...(params as Value[]))
          else statement.run(...(params as Value[]))
        }
        target.exec('COMMIT')
      }
    },
    async close() {
      source.close()
      target.close()
    },
  }
}

export async function barePostgres(recordOn: PostgresEngine, replayUrl: string): Promise<BareRun> {
  const client = new pg.Client({ connectionString: replayUrl, pipeline: true } as pg.ClientConfig)
  await client.connect()
  // With the store's plan settings, so that only queue, rules and sessions are compared.
  for (const [name, value] of Object.entries({ ...planSettings, enable_seqscan: 'off' }))
    await client.query(`SET ${name} = ${value}`)
  const names = new Map<string, string>()
  const nameOf = (sql: string) => {
    const name = names.get(sql) ?? `bare ${names.size}`
    names.set(sql, name)
    return name
  }
  const send = ({ sql, params }: Recorded) => client.query({ name: nameOf(sql), text: sql, values: params.map(encode) })
  return {
    async record(batches) {
      const transactions: Transaction[] = []
      for (const commands of commandsOf(batches)) {
        const roundTrips: Recorded[][] = []
        const recording = {
          server: recordOn.server,
          pipelined: <T>(work: (tx: PipelinedTransaction) => Promise<T>) =>
            recordOn.pipelined((tx) =>
              work({
                send: (statements) => {
                  roundTrips.push(taken(statements))
                  return tx.send(statements)
                },
                commit: (statements = []) => {
                  roundTrips.push(taken(statements))
                  return tx.commit(statements)
                },
                end: () => tx.end(),
              } satisfies Pick<PipelinedTransaction, keyof PipelinedTransaction> as unknown as PipelinedTransaction),
            ),
        }
        await createPostgresBatchStore(recording as unknown as PostgresEngine).apply(commands)
        transactions.push(roundTrips)
      }
      return transactions
    },
    async replay(transactions) {
      for (const [reads, writes] of transactions) {
        await Promise.all([client.query('BEGIN'), ...reads!.map(send)])
        await Promise.all([...writes!.map(send), client.query('COMMIT')])
      }
    },
    close: () => client.end(),
  }
}

const taken = (statements: readonly (Statement | null)[]): Recorded[] =>
  statements.flatMap((statement) => (statement ? [{ sql: statement.sql, params: statement.params ?? [] }] : []))

const commandsOf = (batches: readonly Batch[]): (readonly Command[])[] =>
  batches.flatMap(({ admits, ends }) => [admits, ends])
