import type { ChatChunk } from './contract.ts'
import { ConnectionError, errorOf, GatewayError } from './errors.ts'
import type { Received } from './transport.ts'

/** The data of each server-sent event; an event counts once its blank line has arrived. */
async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const events = text.split('\n\n')
      text = events.pop()!
      for (const event of events) {
        const data = event.split('\n').filter((line) => line.startsWith('data:'))
        if (data.length > 0) yield data.map((line) => line.slice(5).trim()).join('\n')
      }
    }
  } finally {
    // Stopping to read does not stop the call: it is settled.
    reader.cancel().catch(() => {})
  }
}

interface ErrorData {
  readonly error: { readonly code: string; readonly message: string; readonly charge_id?: string | null }
}

/** The parts of a response. A stream that ends without its last event throws: it may have been charged. */
export async function* chunksIn({ response: { headers, body }, idempotencyKey }: Received): AsyncGenerator<ChatChunk> {
  const requestId = headers.get('x-request-id') ?? undefined
  const chargeId = headers.get('x-charge-id') ?? undefined
  try {
    for await (const data of eventsIn(body!)) {
      if (data === '[DONE]') return
      const event = JSON.parse(data) as ChatChunk | ErrorData
      if ('error' in event) {
        const { code, message, charge_id } = event.error
        throw errorOf({
          code,
          message,
          status: 502,
          requestId,
          chargeId: charge_id ?? chargeId,
          idempotencyKey,
          headers,
        })
      }
      yield event
    }
  } catch (cause) {
    if (cause instanceof GatewayError) throw cause
    throw broken(cause)
  }
  throw broken()

  function broken(cause?: unknown): ConnectionError {
    const message =
      'The stream broke before its end. Repeat the call with its idempotencyKey to get the whole response.'
    const facts = { code: 'CONNECTION_FAILED', message, status: 0, requestId, chargeId, idempotencyKey }
    return new ConnectionError({ ...facts, cause })
  }
}
