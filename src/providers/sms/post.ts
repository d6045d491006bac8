import { Agent, request } from 'undici'
import { after } from '../../base/timers.ts'
import { DeliveryFailure, sendLimitMs } from '../senders.ts'

interface PostRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const maxResponseBytes = 65_536

// No HTTP/2, because undici resends a request whose stream was refused.
const agent = new Agent({ connections: 16, pipelining: 1, allowH2: false })

/**
 * Sends one POST, once, and follows no redirect. Throws a `DeliveryFailure` without anything of the request in it. `json` is
 * undefined if the answer is not JSON.
 */
export async function post({ url, headers, body }: PostRequest): Promise<{ status: number; json: unknown }> {
  const limit = new AbortController()
  const deadline = after(sendLimitMs, () => limit.abort())
  try {
    const response = await request(url, {
      method: 'POST',
      headers: { ...headers, 'accept-encoding': 'identity' },
      body,
      dispatcher: agent,
      signal: limit.signal,
    })
    return { status: response.statusCode, json: parse(await readBody(response.body)) }
  } catch (error) {
    if (error instanceof DeliveryFailure) throw error
    const { code, name } = error as NodeJS.ErrnoException
    throw new DeliveryFailure(`${url.host} cannot be reached: ${limit.signal.aborted ? 'timeout' : (code ?? name)}`)
  } finally {
    deadline.cancel()
  }
}

async function readBody(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxResponseBytes) throw new DeliveryFailure('the response is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
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
