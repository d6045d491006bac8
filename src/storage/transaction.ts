import type { Value, Writer } from './engine.ts'

export type Method = 'all' | 'get' | 'run'
export type Execute = (method: Method, sql: string, params: readonly Value[]) => Promise<unknown>

export interface Steps {
  readonly execute: Execute
  readonly commit: () => Promise<void>
  /** Never rejects. */
  readonly rollback: () => Promise<void>
  /** Rejects when the store ends the transaction by itself, so that work that never ends cannot hold its caller. */
  readonly lost?: Promise<never>
}

/** Runs `work` on a handle that lives exactly as long as its transaction; the same for every engine. */
export async function transact<T>(work: (tx: Writer) => Promise<T>, steps: Steps): Promise<T> {
  const handle = new Handle(steps.execute)
  let result: T
  try {
    const working = work(handle)
    result = await (steps.lost ? Promise.race([working, steps.lost]) : working)
    handle.refuseUnlessClean()
  } catch (error) {
    handle.end()
    await steps.rollback()
    throw error
  }
  handle.end()
  await steps.commit()
  return result
}

class Handle implements Writer {
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

  refuseUnlessClean() {
    if (this.#failure !== undefined) throw this.#failure
    if (this.#inFlight > 0) throw new Error('a statement of this transaction was not awaited; it was rolled back')
  }

  async #send(method: Method, sql: string, params: readonly Value[]): Promise<unknown> {
    if (this.#hasEnded) throw new Error('this transaction has ended; its handle must not be used any more')
    // PostgreSQL refuses everything after a failed statement, so every engine does.
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
