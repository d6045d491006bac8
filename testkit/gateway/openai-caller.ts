import { connect } from 'node:net'
import { Client, type Dispatcher } from 'undici'
import { requestText, sendAndReset } from '../http/reset-request.ts'
import type { Gateway, HttpResponse } from './gateway.ts'
import { type Credits, PayingCustomer } from './paying-customer.ts'

/** A customer who talks the chat completions protocol. */
export class OpenAiCaller {
  readonly gateway: Gateway
  readonly customer: PayingCustomer

  constructor(gateway: Gateway, customer: PayingCustomer) {
    this.gateway = gateway
    this.customer = customer
  }

  static async join(gateway: Gateway, options?: { amountFen?: number }): Promise<OpenAiCaller> {
    return new OpenAiCaller(gateway, await PayingCustomer.join(gateway, options))
  }

  get apiKey(): string {
    return this.customer.apiKey
  }

  newKey(): string {
    return this.customer.newKey()
  }

  credits(): Promise<Credits> {
    return this.customer.credits()
  }

  send(method: 'GET' | 'POST', path: string, body?: string, headers: Record<string, string> = {}) {
    return this.gateway.send(method, path, { authorization: `Bearer ${this.apiKey}`, ...headers }, body)
  }

  complete(body: object, headers: Record<string, string> = {}): Promise<HttpResponse> {
    return this.send('POST', '/v1/chat/completions', JSON.stringify(body), headers)
  }
}

export interface Streamed {
  readonly content: string
  readonly finishReason: string | null
  readonly isDone: boolean
  readonly id: string | null
  readonly usage: object | null
  readonly error: { code: string; charge_id: string | null } | null
  readonly chunks: number
}

/** What a client makes of a stream. Every event must be a chunk, an error or the end. */
export function streamed({ text }: Pick<HttpResponse, 'text'>): Streamed {
  const events = text.split('\n\n')
  if (events.pop() !== '') throw new Error('the stream ends inside an event')
  const result = { content: '', finishReason: null as string | null, isDone: false, id: null as string | null }
  let usage: object | null = null
  let error: Streamed['error'] = null
  let chunks = 0
  for (const event of events) {
    if (event.startsWith(':')) continue
    if (result.isDone) throw new Error('something follows the end')
    const data = event.replace(/^data: /, '')
    if (data === '[DONE]') {
      result.isDone = true
      continue
    }
    const value = JSON.parse(data)
    if (value.error) {
      error = value.error
      continue
    }
    if (value.object !== 'chat.completion.chunk') throw new Error(`not a chunk: ${data}`)
    chunks += 1
    result.id ??= value.id
    if (value.id !== result.id) throw new Error('the id changed')
    usage = value.usage ?? usage
    const [choice] = value.choices
    result.content += choice?.delta.content ?? ''
    result.finishReason = choice?.finish_reason ?? result.finishReason
  }
  return { ...result, usage, error, chunks }
}

/** A stream that is read as it arrives. */
export class OpenStream {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  text = ''
  readonly #body: Dispatcher.ResponseData['body']
  readonly #ended: Promise<void>
  #onText: () => void = () => {}

  constructor({ statusCode, headers, body }: Dispatcher.ResponseData) {
    this.status = statusCode
    this.headers = headers
    this.#body = body
    body.setEncoding('utf8')
    body.on('data', (text: string) => {
      this.text += text
      this.#onText()
    })
    this.#ended = new Promise((resolve) => body.on('error', () => {}).once('close', resolve))
  }

  static open(caller: OpenAiCaller, body: object, headers: Record<string, string> = {}): Promise<OpenStream> {
    return openStreamAt(caller.gateway.app.public.port, caller.apiKey, body, headers)
  }

  get key(): string {
    return String(this.headers['idempotency-key'])
  }

  /** Resolves once this text has arrived. */
  async until(text: string): Promise<void> {
    while (!this.text.includes(text)) {
      await new Promise<void>((resolve) => {
        this.#onText = resolve
      })
    }
  }

  /** Resolves with everything that arrived, once nothing more can come. */
  async rest(): Promise<string> {
    await this.#ended
    return this.text
  }

  pause(): void {
    this.#body.pause()
  }

  resume(): void {
    this.#body.resume()
  }

  /** Closes the connection. */
  async leave(): Promise<void> {
    this.#body.destroy()
    await this.#ended
  }
}

export async function openStreamAt(
  port: number,
  apiKey: string,
  body: object,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<OpenStream> {
  const client = new Client(`http://127.0.0.1:${port}`)
  const response = await client.request({
    path: '/v1/chat/completions',
    method: 'POST',
    headers: {
      host: 'localhost:8787',
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      connection: 'close',
      ...headers,
    },
    body: JSON.stringify({ stream: true, ...body }),
    ...(signal && { signal }),
  })
  return new OpenStream(response)
}

/** Sends a request and leaves at once. The kernel takes it, even for a process that is stopped. */
export async function askAndLeave(port: number, apiKey: string, body: object): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await new Promise((resolve) => socket.write(rawRequest(apiKey, body), resolve))
  await new Promise((resolve) => socket.once('close', resolve).destroy())
}

function rawRequest(apiKey: string, body: object, headers: Record<string, string> = {}): string {
  const all = {
    host: 'localhost:8787',
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    ...headers,
  }
  return requestText('POST', '/v1/chat/completions', all, JSON.stringify({ stream: true, ...body }))
}

/** Asks for a stream and resets the connection. */
export const askAndReset = (
  port: number,
  apiKey: string,
  body: object,
  { headers, when }: { headers: Record<string, string>; when: number | 'in the middle' },
): Promise<void> => sendAndReset(port, rawRequest(apiKey, body, headers), when)

/** A stream on a socket that reads one byte from the kernel per call. */
export function readSlowly({ gateway, apiKey }: OpenAiCaller, body: object, key: string) {
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const text: string[] = []
  let onByte: () => void = begun.resolve
  let isHeld = true
  const socket = connect({
    port: gateway.app.public.port,
    host: '127.0.0.1',
    onread: {
      buffer: () => Buffer.alloc(isHeld ? 1 : 65_536),
      callback(count, bytes) {
        text.push(Buffer.from(bytes.subarray(0, count)).toString('latin1'))
        onByte()
        return !isHeld
      },
    },
  })
  socket.on('error', () => {}).once('close', () => ended.resolve())
  socket.write(rawRequest(apiKey, body, { 'idempotency-key': key }))
  return {
    begun: begun.promise,
    /** Resolves once another byte has been read, or none can come. */
    readOne: () => {
      const read = new Promise<void>((resolve) => {
        onByte = resolve
      })
      socket.resume()
      return Promise.race([read, ended.promise])
    },
    /** Reads on to the end. */
    async rest(): Promise<string> {
      isHeld = false
      socket.resume()
      await ended.promise
      return text.join('')
    },
  }
}
