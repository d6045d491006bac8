import type { Dispatcher } from 'undici'
import { now } from '../../base/clock.ts'
import { openPool } from '../../base/network.ts'
import { after } from '../../base/timers.ts'
import { PaymentFault } from './payment-provider.ts'

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST'
  /** With the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly maxBytes?: number
}

export interface ExchangeAnswer {
  readonly status: number
  /** `name` is in lower case. */
  readonly header: (name: string) => string | undefined
  readonly body: Buffer
}

const usualBytes = 1_048_576
const largestSkewMs = 60_000

/** Sends each request once to one origin, follows no redirect, and bounds the time and the answer. */
export function createExchange(origin: string, timeoutMs: number) {
  // No pipelining and no HTTP/2, because undici resends requests of a broken pipeline or a refused stream.
  const pool: Dispatcher = openPool(origin, { connections: 16, pipelining: 1, allowH2: false })
  let skewMs = 0
  return {
    /** Throws if our clock and the provider's differ by more than a minute. */
    checkClock() {
      if (Math.abs(skewMs) > largestSkewMs)
        throw new PaymentFault(`the clocks of ${origin} and of this machine differ by ${Math.round(skewMs / 1000)} s`)
    },
    async send({ method, path, headers, body, maxBytes = usualBytes }: ExchangeRequest): Promise<ExchangeAnswer> {
      const limit = new AbortController()
      const deadline = after(timeoutMs, () => limit.abort())
      try {
        const answer = await pool.request({
          method,
          path,
          headers: { ...headers, 'accept-encoding': 'identity' },
          body: body ?? null,
          signal: limit.signal,
        })
        const header = (name: string) => {
          const value = answer.headers[name]
          return typeof value === 'string' ? value : undefined
        }
        const date = Date.parse(header('date') ?? '')
        if (!Number.isNaN(date)) skewMs = date - now()
        return { status: answer.statusCode, header, body: await readBody(answer.body, maxBytes) }
      } catch (error) {
        if (error instanceof PaymentFault) throw error
        const { code, name } = error as NodeJS.ErrnoException
        throw new PaymentFault(`${origin} gave no answer: ${limit.signal.aborted ? 'timeout' : (code ?? name)}`)
      } finally {
        deadline.cancel()
      }
    },
    stop: () => pool.destroy(),
  }
}

export type PaymentExchange = ReturnType<typeof createExchange>

async function readBody(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new PaymentFault('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The object in a JSON text; undefined if it is none. */
export function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** A code or message of a provider, short and without control characters, for notes and the log. */
export const brief = (value: unknown): string =>
  String(value ?? 'unknown')
    .replace(/[^\x20-\x7e\u4e00-\u9fff]/g, ' ')
    .slice(0, 120)
