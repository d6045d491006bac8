import type { Value, Writer } from './engine.ts'

export type Method = 'all' | 'get' | 'run'
export type Execute = (method: Method, sql: string, params: readonly Value[]) => Promise<unknown>

export interface TransactionSteps {
  readonly execute: Execute
  readonly commit: () => Promise<void>
  /** Never rejects. */
  readonly rollback: () => Promise<void>
  /** Rejects if the store ends the transaction, so that stuck work does not block its caller. */
  readonly lost?: Promise<never>
}

/** Runs `work` on a handle that is valid only until the transaction ends. Shared by both engines. */
export async function transact<T>(work: (tx: Writer) => Promise<T>, steps: TransactionSteps): Promise<T> {
  const handle = new TransactionHandle(steps.execute)
  let result: T
  try {
    const working = work(handle)
    result = await (steps.lost ? Promise.race([working, steps.lost]) : working)
    handle.assertClean()
  } catch (error) {
    handle.end()
    await steps.rollback()
    throw error
  }
  handle.end()
  await steps.commit()
  return result
}

class TransactionHandle implements Writer {
  readonly #execute: Execute
  #inFlight = 0
  #hasEnded = false
  #failure: unknown

  constructor(execute: Execute) {
    this.#execute = execute
  }

  all<R>(sql: string, params: readonly Value[] = []) {
    return this.#send('all', sql, params) as Promise<R[]>
  }

  get<R>(sql: string, params: readonly Value[] = []) {
    return this.#send('get', sql, params) as Promise<R | undefined>
  }

  run(sql: string, params: readonly Value[] = []) {
    return this.#send('run', sql, params) as Promise<number>
  }

  end() {
    this.#hasEnded = true
  }

  assertClean() {
    if (this.#failure !== undefined) throw this.#failure
    if (this.#inFlight > 0) throw new Error('a statement was not awaited; the transaction was rolled back')
  }

  async #send(method: Method, sql: string, params: readonly Value[]): Promise<unknown> {
    if (this.#hasEnded) throw new Error('this transaction has ended; its handle can no longer be used')
    // PostgreSQL rejects every statement after a failed one, so SQLite must too.
    if (this.#failure !== undefined) throw this.#failure
    this.#inFlight += 1
    try {
      return await this.#execute(method, sql, params)
    } catch (error) {
      this.#failure ??= error
      throw error
    } finally {
      this.#inFlight -= 1
    }
  }
}
