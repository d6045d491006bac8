import type { Behaviour } from './upstream.ts'

/** One event of a stream. */
export const event = (value: unknown): string =>
  `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`

export const part = (delta: object, finishReason: string | null = null, more: object = {}): string =>
  event({
    id: 'chatcmpl-upstream',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'upstream-fast-2026',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
    ...more,
  })

export const usage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 }
export const usageEvent = event({ object: 'chat.completion.chunk', choices: [], usage })
export const done = event('[DONE]')

/** A good response: two parts, the end, the usage. */
export const goodEvents = [
  part({ role: 'assistant', content: '' }),
  part({ content: 'Mount ' }),
  part({ content: '珠穆' }),
  part({}, 'stop'),
  usageEvent,
  done,
]
export const goodStream = goodEvents.join('')
export const goodContent = 'Mount 珠穆'

const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n'
const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

/** How a stream ends: its body is complete, the connection is closed or reset within it, or nothing more comes. */
export type StreamEnd = 'complete' | 'cut' | 'reset' | 'hang'

/** Streams these bytes in one packet. */
export const streams =
  (text: string | Buffer, end: StreamEnd = 'complete'): Behaviour =>
  (wire) => {
    const bytes = Buffer.from(text as string)
    wire.write(`${head}transfer-encoding: chunked\r\n\r\n`)
    if (bytes.length > 0) wire.write(chunk(bytes))
    if (end === 'complete') wire.write('0\r\n\r\n')
    else if (end === 'cut') wire.end()
    else if (end === 'reset') setImmediate(() => wire.resetAndDestroy())
  }

/** Streams each piece when the test says so. */
export function steppedStream() {
  let send: (text: string) => void = () => {}
  let finish: (end: StreamEnd) => void = () => {}
  const started = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const behaviour: Behaviour = (wire) => {
    wire.write(`${head}transfer-encoding: chunked\r\n\r\n`)
    wire.once('close', () => closed.resolve())
    send = (text) => void wire.write(chunk(Buffer.from(text)))
    finish = (end) => {
      if (end === 'complete') wire.write('0\r\n\r\n')
      else if (end === 'cut') wire.end()
      else if (end === 'reset') wire.resetAndDestroy()
    }
    started.resolve()
  }
  return {
    behaviour,
    started: started.promise,
    closed: closed.promise,
    send: (text: string) => send(text),
    finish: (end: StreamEnd = 'complete') => finish(end),
  }
}
