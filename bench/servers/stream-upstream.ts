import { createServer, type Socket } from 'node:net'
import { serve } from './serve.ts'

/**
 * A provider that streams. The prompt says how: `parts 500` sends that many at once, `hold` sends one and then nothing, `trickle`
 * sends one every second.
 */
const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const part = (delta: object, finishReason: string | null) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'bench', choices: [{ index: 0, delta, finish_reason: finishReason }] })}\n\n`
const words = chunk(part({ content: 'a few words ' }, null))
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
const end = `${chunk(`${part({}, 'stop')}data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`)}0\r\n\r\n`

let trickles = 0

function respond(wire: Socket, prompt: string): void {
  wire.write(head + words)
  const [, count] = /^parts (\d+)/.exec(prompt) ?? []
  if (count !== undefined) {
    let left = Number(count) - 1
    const pour = () => {
      while (left > 0) {
        left -= 1
        if (!wire.write(words)) return void wire.once('drain', pour)
      }
      wire.write(end)
    }
    pour()
  } else if (prompt.startsWith('trickle')) {
    // Streams of different callers are not in step.
    trickles += 1
    const phase = setTimeout(() => interval.refresh(), (trickles * 377) % 1000)
    const interval = setInterval(() => wire.write(words), 1000)
    wire.once('close', () => [phase, interval].forEach(clearTimeout))
  }
}

serve(
  createServer((wire) => {
    let pending = ''
    wire.setNoDelay(true)
    wire.on('error', () => wire.destroy())
    wire.on('data', (bytes) => {
      pending += bytes.toString('latin1')
      const headEnd = pending.indexOf('\r\n\r\n')
      if (headEnd < 0) return
      const length = Number(/\ncontent-length: *(\d+)/i.exec(pending)?.[1] ?? 0)
      if (pending.length < headEnd + 4 + length) return
      const body = pending.slice(headEnd + 4, headEnd + 4 + length)
      pending = pending.slice(headEnd + 4 + length)
      if (length === 0) wire.write('HTTP/1.1 404 None\r\ncontent-length: 0\r\n\r\n')
      else respond(wire, JSON.parse(body).messages[0].content)
    })
  }),
)
