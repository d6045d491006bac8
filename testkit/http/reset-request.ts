import { connect } from 'node:net'

export function requestText(method: 'GET' | 'POST', path: string, headers: Record<string, string>, body = ''): string {
  const all = { ...(method === 'POST' && { 'content-length': String(Buffer.byteLength(body)) }), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, ...lines, '', body].join('\r\n')
}

/** Sends a request and resets the connection: after a time, or in the middle of the response. */
export async function sendAndReset(port: number, request: string, when: number | 'in the middle'): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  const reset = () => void socket.resetAndDestroy()
  const closed = new Promise<void>((resolve) => socket.on('error', () => {}).once('close', () => resolve()))
  socket.once('connect', () => {
    socket.write(request)
    if (when === 'in the middle') socket.once('data', reset)
    else setTimeout(reset, when)
  })
  const giveUp = setTimeout(reset, longestMs)
  await closed
  clearTimeout(giveUp)
}

const longestMs = 5000
