/** The request to repeat as fast as responses arrive. */
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
  /** Cycles through 1 to this number, the same for each bearer; null never repeats a number. */
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
  /** Responses with a status of 400 or more. */
  readonly refused: number
  /** Failed connections and responses that never came. */
  readonly broken: number
  readonly bytes: number
  /** CPU seconds of the generator itself; null where the system does not report them. */
  readonly generatorCpuSeconds: number | null
}

export interface LoadGenerator {
  readonly name: string
  drive(plan: LoadPlan, options: LoadOptions): Promise<LoadResult>
}
