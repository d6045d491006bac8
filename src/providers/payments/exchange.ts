import { now } from '../../base/clock.ts'
import { openHttpClient, type ReceivedResponse, type SendRequest } from '../http/client.ts'
import { whyFailed } from '../http/exchange.ts'
import { PaymentFault } from './payment-provider.ts'

export type ExchangeRequest = Omit<SendRequest, 'timeoutMs'>

const largestSkewMs = 60_000
/** More than the payments that are asked about at once: refunds must not wait behind them while a provider is slow. */
const connections = 32

/** Requests to one origin of a payment provider. */
export function createExchange(origin: string, timeoutMs: number) {
  const client = openHttpClient(origin, { connections })
  let skewMs = 0
  return {
    /** Throws if our clock and the provider's differ by more than a minute. */
    checkClock() {
      if (Math.abs(skewMs) > largestSkewMs)
        throw new PaymentFault(`the clocks of ${origin} and of this machine differ by ${Math.round(skewMs / 1000)} s`)
    },
    /** Throws a `PaymentFault` without a response. */
    async send(request: ExchangeRequest): Promise<ReceivedResponse> {
      const result = await client.send({ ...request, timeoutMs })
      if (result.event !== 'answered') throw new PaymentFault(`${origin} gave no response: ${whyFailed(result)}`)
      const date = Date.parse(result.value.header('date') ?? '')
      if (!Number.isNaN(date)) skewMs = date - now()
      return result.value
    },
    stop: client.close,
  }
}

export type PaymentExchange = ReturnType<typeof createExchange>

/** The object in a JSON text; undefined if it is not an object. */
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
