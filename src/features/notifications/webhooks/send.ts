import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { monotonicMs } from '../../../base/clock.ts'
import { after } from '../../../base/timers.ts'
import { openHttpClient } from '../../../providers/http/client.ts'
import { type BodyReader, whyFailed } from '../../../providers/http/exchange.ts'
import type { DeliveryFault } from './contract.ts'
import { hostOf, isLocalhost, mayConnect, parseTarget, type TargetRules } from './target.ts'

/** The addresses of a name. Rejects if it has none. */
type ResolveName = (name: string, signal: AbortSignal) => Promise<readonly string[]>

/**
 * Asks the name servers directly. `dns.lookup` would share its two threads with the connections to providers, and a name whose
 * servers never respond would hold them up.
 */
export const resolveName: ResolveName = async (name, signal) => {
  if (isIP(name) !== 0) return [name]
  if (isLocalhost(name)) return ['127.0.0.1', '::1']
  const resolver = new Resolver({ timeout: 2500, tries: 2 })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const responses = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = responses.flatMap((response) => (response.status === 'fulfilled' ? response.value : []))
    if (addresses.length === 0) throw (responses[0] as PromiseRejectedResult).reason
    return addresses
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

export interface SendDeps extends TargetRules {
  readonly resolve: ResolveName
  /** Replaces the usual certificate authorities; in tests. */
  readonly ca?: string | undefined
  readonly timeoutMs?: number
}

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** How one attempt ended. `fault` is null if the endpoint accepted the event. */
export interface Attempt {
  readonly fault: DeliveryFault | null
  /** Null without a response. */
  readonly answerStatus: number | null
  /** From the start of the attempt to the response. */
  readonly answerMs: number | null
  /** The start of its body as text; null without one. */
  readonly answerBody: string | null
}

/** The longest that one attempt may take, from the name to the end of the response. */
export const sendTimeoutMs = 10_000
const maxResponseBytes = 65_536
/** Of the body of a response that are kept. */
const keptBodyBytes = 1024

/** Sends one POST to a customer's endpoint, if its address is allowed. Never rejects. */
export async function sendWebhook(request: WebhookRequest, deps: SendDeps): Promise<Attempt> {
  const { timeoutMs = sendTimeoutMs } = deps
  const limit = new AbortController()
  const deadline = after(timeoutMs, () => limit.abort())
  try {
    const url = parseTarget(request.url, deps)
    if (url === null) return failed('address_refused')
    const addresses = await untilAborted(deps.resolve(hostOf(url), limit.signal), limit.signal).catch(() => [])
    if (limit.signal.aborted) return failed('timed_out')
    if (addresses.length === 0) return failed('name_not_found')
    // Refused if any address is private, because the connection could use any of them.
    if (!addresses.every((address) => mayConnect(address, deps))) return failed('address_refused')
    return await post({ url, addresses, request, ca: deps.ca, timeoutMs, signal: limit.signal })
  } finally {
    deadline.cancel()
  }
}

const failed = (fault: DeliveryFault): Attempt => ({ fault, answerStatus: null, answerMs: null, answerBody: null })

interface Post {
  readonly url: URL
  readonly addresses: readonly string[]
  readonly request: WebhookRequest
  readonly ca: string | undefined
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

async function post({ url, addresses, request, ca, timeoutMs, signal }: Post): Promise<Attempt> {
  const client = openHttpClient(url.origin, { connections: 1, addresses, ca })
  try {
    const { headers, body } = request
    const result = await client.exchange(
      { method: 'POST', path: url.pathname + url.search, headers, body },
      { reader: attemptReader(), totalMs: timeoutMs, signal },
    )
    if (result.event === 'answered') return result.value
    return failed(signal.aborted ? 'timed_out' : faultOf(whyFailed(result)))
  } finally {
    await client.close()
  }
}

/** The status decides; the start of the body is for the owner to read. The rest is read so that the endpoint can finish. */
function attemptReader(): BodyReader<Attempt> {
  const startedAt = monotonicMs()
  const kept: Buffer[] = []
  let bytes = 0
  let status = 0
  let answerMs = 0

  const end = () => {
    const value = { fault: faultOfStatus(status), answerStatus: status, answerMs, answerBody: textOf(kept, bytes) }
    return { event: 'answered', value } as const
  }
  return {
    anyStatus: true,
    begin(head) {
      status = head.status
      answerMs = Math.round(monotonicMs() - startedAt)
      return 'closing'
    },
    read(chunk) {
      if (bytes < keptBodyBytes) kept.push(chunk.subarray(0, keptBodyBytes - bytes))
      bytes += chunk.length
      return bytes > maxResponseBytes ? end() : 'closing'
    },
    end,
  }
}

function textOf(kept: readonly Buffer[], bytes: number): string | null {
  if (bytes === 0) return null
  // Databases cannot store U+0000; the others would only confuse a reader.
  const text = Buffer.concat(kept).toString('utf8').replace(controls, '\uFFFD')
  return bytes > keptBodyBytes ? `${text}…` : text
}

const controls = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u202A-\u202E\u2066-\u2069]/g

function faultOfStatus(status: number): DeliveryFault | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirected' : 'status'
}

function faultOf(why: string): DeliveryFault {
  if (why === 'timeout') return 'timed_out'
  return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(why) ? 'tls_failed' : 'unreachable'
}

/** For a look-up without a timeout of its own. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(new Error('timed out')), { once: true })
  return Promise.race([work, promise])
}
