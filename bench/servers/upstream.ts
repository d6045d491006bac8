import { createServer, type Socket } from 'node:net'
import { completion } from '../workload.ts'
import { serve } from './serve.ts'

/**
 * The provider behind every relay: one fixed completion. It reads just enough HTTP to know where a request ends,
 * so that the relays are measured and not this.
 */
const body = Buffer.from(JSON.stringify(completion))
const response = Buffer.concat([
  Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`),
  body,
])

function converse(wire: Socket): void {
  let pending = ''
  wire.setNoDelay(true)
  wire.on('error', () => wire.destroy())
  wire.on('data', (chunk) => {
    // latin1: one character per byte, so lengths are byte lengths.
    pending = pending === '' ? chunk.toString('latin1') : pending + chunk.toString('latin1')
    for (let end = endOfRequest(pending); end > 0; end = endOfRequest(pending)) {
      pending = pending.slice(end)
      wire.write(response)
    }
  })
}

/** 0 while the request is incomplete. */
function endOfRequest(text: string): number {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return 0
  const head = text.slice(0, headEnd)
  if (/\ntransfer-encoding:/i.test(head)) throw new Error('the upstream of the bench reads no chunked bodies')
  const length = Number(/\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
  const end = headEnd + 4 + length
  return text.length >= end ? end : 0
}

serve(createServer(converse))
