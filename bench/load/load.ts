/** What is sent, over and over, as fast as the answers come. */
export interface LoadPlan {
  /** Without a path. */
  readonly origin: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** Bearer tokens, used in turn. */
  readonly bearers: readonly string[]
  readonly intents: Intents
}

/** Where the Idempotency-Keys come from: `prefix` and a number. */
export interface Intents {
  readonly prefix: string
  /** Numbers from 1 to here are used in turn, for each bearer alike; null counts on and never repeats one. */
  readonly stored: number | null
}

export interface LoadOptions {
  readonly connections: number
  readonly seconds: number
}

export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers with a status of 400 or more. */
  readonly refused: number
  /** Connections that failed and answers that never came. */
  readonly broken: number
  readonly bytes: number
  /** CPU seconds that the generator itself used; null where the system does not tell. */
  readonly generatorCpuSeconds: number | null
}

export interface LoadGenerator {
  readonly name: string
  drive(plan: LoadPlan, options: LoadOptions): Promise<LoadResult>
}
