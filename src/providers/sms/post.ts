import { openHttpClient } from '../http/client.ts'
import { whyFailed } from '../http/exchange.ts'
import { DeliveryFailure, sendLimitMs } from '../senders.ts'

interface PostRequest {
  /** With the query; `/` by default. */
  readonly path?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const maxResponseBytes = 65_536

/**
 * Sends POST requests to one origin. Throws a `DeliveryFailure` that quotes nothing of the request. `json` is undefined if the
 * response is not JSON.
 */
export function createPost({ origin, host }: URL) {
  const client = openHttpClient(origin, { connections: 16 })
  return async ({ path = '/', headers, body }: PostRequest): Promise<{ status: number; json: unknown }> => {
    const request = { method: 'POST', path, headers, body } as const
    const result = await client.send({ ...request, timeoutMs: sendLimitMs, maxBytes: maxResponseBytes })
    if (result.event === 'answered') return { status: result.value.status, json: parse(result.value.body.toString()) }
    throw new DeliveryFailure(
      result.event === 'oversized' ? result.detail : `${host} cannot be reached: ${whyFailed(result)}`,
    )
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A vendor's refusal. Only what looks like a code is kept: a message may repeat the phone. */
export function refusal(vendor: string, code: unknown, status: number): DeliveryFailure {
  const isCode = typeof code === 'string' && /^[A-Za-z][A-Za-z0-9._-]{0,79}$/.test(code)
  return new DeliveryFailure(`${vendor} refused the message: ${isCode ? code : `status ${status}`}`)
}

/** The vendor's id of the template of each kind of message. */
export interface SmsTemplates {
  readonly registration: string
  readonly recovery: string
  readonly notice: string
}
