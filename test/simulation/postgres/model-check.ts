import pg from 'pg'
import { Connection } from '../../../src/storage/sqlite/connection.ts'
import { Prng } from '../prng.ts'
import { createTable, drawSchedule, firstRows, type Schedule, type Step } from './schedules.ts'
import { ModelKnowledge, ModelServer } from './server.ts'
import type { Transaction } from './transaction.ts'

/**
 * Runs the same random schedules of small transactions on the model and on a real PostgreSQL, step by step, and compares what
 * every statement returns, who waits, and the rows at the end.
 */

interface Totals {
  schedules: number
  /** Schedules that ended early, because two transactions waited for a third: PostgreSQL does not say which goes first. */
  cut: number
  statements: number
  waits: number
  /** By SQLSTATE. */
  errors: Record<string, number>
}

export class ModelDiffers extends Error {}

const deadlockMs = 5
/** Longer than a deadlock takes to be found. */
const lockTimeoutMs = 100
const forever = 1e9

export async function checkModel(url: string, { schedules, seed = 1, lanes = 16 }: CheckOptions): Promise<Totals> {
  const total: Totals = { schedules: 0, cut: 0, statements: 0, waits: 0, errors: {} }
  let next = seed
  let failure: unknown = null
  const lane = async (number: number) => {
    const server = await openLane(url, number)
    try {
      for (let own = next++; own < seed + schedules && failure === null; own = next++) {
        await new Comparison(server, drawSchedule(new Prng(own, 4)), own, total).run()
        total.schedules += 1
      }
    } catch (error) {
      failure ??= error
    } finally {
      await server.close()
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)))
  if (failure !== null) throw failure
  return total
}

interface CheckOptions {
  readonly schedules: number
  readonly seed?: number
  readonly lanes?: number
}

type Lane = Awaited<ReturnType<typeof openLane>>

/** Connections with a schema of their own. */
async function openLane(url: string, number: number) {
  const schema = `lane${number}`
  const open = async () => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    await client.query(`SET search_path = ${schema}; SET deadlock_timeout = ${deadlockMs};
      SET enable_seqscan = off; SET enable_bitmapscan = off`)
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
    return { client, pid: rows[0].pid as number }
  }
  const monitor = await open()
  await monitor.client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}; ${createTable}`)
  const sessions = [await open(), await open(), await open()]
  return {
    monitor: monitor.client,
    sessions,
    close: () => Promise.all([monitor, ...sessions].map(({ client }) => client.end())),
  }
}

type Result = { readonly rows: object[] } | { readonly code: string }

const resultOf = (error: Error | null, rows: object[] | undefined): Result =>
  error
    ? { code: (error as { code?: string }).code ?? String(error.stack) }
    : { rows: rows!.map((row) => ({ ...row })) }

/** One transaction on both sides. */
class Pair {
  readonly model: Transaction
  readonly session: Lane['sessions'][number]
  readonly schedule: Schedule['transactions'][number]
  at = 0
  isOver = false
  /** The statement under way: what either side has said so far. */
  expected: Result | null = null
  actual: Result | null = null
  isBusy = false

  constructor(model: Transaction, session: Lane['sessions'][number], schedule: Schedule['transactions'][number]) {
    this.model = model
    this.session = session
    this.schedule = schedule
  }
}

/** The server's time for the model, which passes only between steps. */
class StepTime {
  #now = 0
  #timers: { at: number; work: () => void; isCancelled: boolean }[] = []

  after(ms: number, work: () => void) {
    const timer = { at: this.#now + ms, work, isCancelled: false }
    this.#timers.push(timer)
    return timer
  }

  pass(ms: number): void {
    this.#now += ms
    for (;;) {
      const due = this.#timers
        .filter(({ at, isCancelled }) => !isCancelled && at <= this.#now)
        .sort((a, b) => a.at - b.at)
      this.#timers = this.#timers.filter(({ at, isCancelled }) => !isCancelled && at > this.#now)
      if (due.length === 0) return
      for (const timer of due) if (!timer.isCancelled) timer.work()
    }
  }
}

/** PostgreSQL may run a subselect more than once, and would then lock more rows than its LIMIT. */
const onceEach = (sql: string) => sql.replace(/IN (\(SELECT [^)]*\))/, '= ANY (ARRAY$1)')

const knowledge = new ModelKnowledge()

class Comparison {
  readonly #lane: Lane
  readonly #schedule: Schedule
  readonly #seed: number
  readonly #total: Totals
  readonly #time = new StepTime()
  readonly #db = new Connection(':memory:', { busyTimeoutMs: 0, readOnly: false })
  readonly #model: ModelServer
  readonly #history: string[] = []
  #pairs: Pair[] = []

  constructor(lane: Lane, schedule: Schedule, seed: number, total: Totals) {
    this.#lane = lane
    this.#schedule = schedule
    this.#seed = seed
    this.#total = total
    this.#db.database.exec(createTable)
    this.#model = new ModelServer(this.#db, this.#time, { types: new Map(), deadlockMs, knowledge })
  }

  async run(): Promise<void> {
    await this.#prepare()
    for (;;) {
      const ready = this.#pairs.filter(({ isOver, isBusy }) => !isOver && !isBusy)
      if (ready.length === 0) break
      await this.#step(this.#schedule.random.pick(ready))
      if (this.#model.locks.hasRivals) return this.#cut()
    }
    if (this.#pairs.some(({ isBusy }) => isBusy)) this.#differ('some wait for ever')
    const select = 'SELECT id, v, u FROM rows ORDER BY id'
    const { rows } = await this.#lane.monitor.query(select)
    this.#same('the rows at the end', this.#model.committed().all(select), rows)
    this.#db.close()
  }

  /** Rolls everything back, those first that others wait for. */
  async #cut(): Promise<void> {
    this.#total.cut += 1
    const open = this.#pairs.filter(({ isOver }) => !isOver)
    await Promise.all(
      open.map(async ({ isBusy, session }) => {
        if (isBusy) await this.#lane.monitor.query('SELECT pg_cancel_backend($1)', [session.pid])
        await session.client.query('ROLLBACK')
      }),
    )
    this.#db.close()
  }

  async #prepare(): Promise<void> {
    const { monitor, sessions } = this.#lane
    await monitor.query('DELETE FROM rows')
    for (const row of firstRows) {
      await monitor.query('INSERT INTO rows VALUES ($1, $2, $3)', [...row])
      this.#db.run('INSERT INTO rows VALUES ($1, $2, $3)', row)
    }
    this.#pairs = this.#schedule.transactions.map(
      (schedule, index) => new Pair(this.#model.begin(forever), sessions[index]!, schedule),
    )
    for (const { session } of this.#pairs) await session.client.query('BEGIN')
  }

  async #step(pair: Pair): Promise<void> {
    const step = pair.schedule.steps[pair.at]
    const number = this.#pairs.indexOf(pair) + 1
    if (!step || pair.model.state !== 'open') {
      const end = pair.model.state === 'open' ? pair.schedule.end : 'ROLLBACK'
      this.#history.push(`${number}: ${end}`)
      pair.isOver = true
      const ended = pair.session.client.query(end)
      if (end === 'COMMIT') this.#model.commit(pair.model)
      else this.#model.rollback(pair.model)
      await ended
    } else {
      pair.at += 1
      this.#history.push(
        `${number}: ${step.sql.replaceAll(/\s+/g, ' ')} ${JSON.stringify(step.params)}${step.hasTimeout ? ' (timeout)' : ''}`,
      )
      await this.#send(pair, step)
    }
    await this.#settle()
  }

  /** Sends a statement to both. */
  async #send(pair: Pair, step: Step): Promise<void> {
    const { client } = pair.session
    this.#total.statements += 1
    await client.query(`SET LOCAL lock_timeout = ${step.hasTimeout ? lockTimeoutMs : 0}`)
    pair.isBusy = true
    pair.expected = null
    pair.actual = null
    pair.model.lockLimitMs = step.hasTimeout ? lockTimeoutMs : forever
    this.#model.execute(pair.model, step.sql, step.params, (error, outcome) => {
      pair.expected = resultOf(error, outcome?.rows)
    })
    if (pair.expected === null) this.#total.waits += 1
    void client.query(onceEach(step.sql), [...step.params]).then(
      ({ rows }) => {
        pair.actual = resultOf(null, rows)
      },
      (error) => {
        pair.actual = resultOf(error, undefined)
      },
    )
  }

  /** Until nothing changes any more on either side, also by deadlocks and time-outs, and both agree on who is done and who waits. */
  async #settle(): Promise<void> {
    const isWaiting = ({ isBusy, expected }: Pair) => isBusy && expected === null
    this.#time.pass(4 * deadlockMs)
    while (this.#pairs.some((pair) => isWaiting(pair) && pair.model.lockLimitMs < forever))
      this.#time.pass(lockTimeoutMs)
    if (this.#model.locks.hasRivals) return
    await this.#agree()
    // Every wait looks for a deadlock before the next step, so that the one that closes a cycle finds it.
    if (this.#pairs.some(isWaiting)) await new Promise((resolve) => void setTimeout(resolve, 4 * deadlockMs))
  }

  async #agree(): Promise<void> {
    for (const pair of this.#pairs) {
      if (!pair.isBusy) continue
      if (pair.expected === null) await this.#until(pair, 'waits', () => this.#isBlocked(pair))
      else {
        await this.#until(pair, 'is done', async () => pair.actual !== null)
        this.#same(`transaction ${this.#pairs.indexOf(pair) + 1}`, pair.expected, pair.actual)
        const { code } = pair.expected as { code?: string }
        if (code) this.#total.errors[code] = (this.#total.errors[code] ?? 0) + 1
        pair.isBusy = false
      }
    }
  }

  async #isBlocked(pair: Pair): Promise<boolean> {
    if (pair.actual !== null) this.#differ(`a statement did not wait, and returned ${JSON.stringify(pair.actual)}`)
    const { rows } = await this.#lane.monitor.query('SELECT cardinality(pg_blocking_pids($1)) AS blockers', [
      pair.session.pid,
    ])
    return rows[0].blockers > 0
  }

  async #until(pair: Pair, what: string, isSo: () => Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < 3000; tries += 1) {
      if (await isSo()) return
      await new Promise((resolve) => void setTimeout(resolve, 1))
    }
    this.#differ(
      `transaction ${this.#pairs.indexOf(pair) + 1} ${what} in the model only: ${JSON.stringify(pair.expected)}`,
    )
  }

  #same(what: string, expected: unknown, actual: unknown): void {
    const texts = [expected, actual].map((value) => JSON.stringify(value))
    if (texts[0] !== texts[1]) this.#differ(`${what}: the model has ${texts[0]}, PostgreSQL ${texts[1]}`)
  }

  #differ(what: string): never {
    throw new ModelDiffers(`schedule ${this.#seed}: ${what}\n${this.#history.join('\n')}`)
  }
}
