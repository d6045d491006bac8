import type { Socket } from 'node:net'

/**
 * Sends the last bytes and the end, then lets the peer read them. A socket that is closed with unread input
 * resets the connection, and the reset can overtake the answer.
 */
export function closeGently(socket: Socket, lastBytes?: string): void {
  if (!socket.writable) return
  process.nextTick(discardInput, socket)
  if (lastBytes === undefined) socket.end()
  else socket.end(lastBytes)
  const giveUp = setTimeout(() => socket.destroy(), lingerMs)
  giveUp.unref()
  socket.once('close', () => clearTimeout(giveUp))
}

/** Takes the socket away from the HTTP parser: what still comes is read and thrown away. */
export function discardInput(socket: Socket): void {
  if (socket.destroyed) return
  socket.removeAllListeners('data')
  socket.on('data', ignore)
  socket.resume()
  // Node closes at once after an answer that says so; input is now expected behind it.
  socket.destroySoon = () => closeGently(socket)
}

function ignore(): void {}

const lingerMs = 1000
