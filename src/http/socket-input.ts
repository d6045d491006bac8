import type { Socket } from 'node:net'

/** Stops reading until `releaseInput`, also when the parser asks for more at the end of each request. */
export function holdInput(socket: Socket): void {
  socket.resume = stayPaused
  // After the packet: in the midst of it the parser would only be told to go on again.
  process.nextTick(pause, socket)
}

export function releaseInput(socket: Socket): void {
  Reflect.deleteProperty(socket, 'resume')
  socket.resume()
}

/** Takes the socket away from the HTTP parser: what still comes is read and thrown away. */
export function discardInput(socket: Socket): void {
  if (socket.destroyed) return
  socket.removeAllListeners('data')
  socket.on('data', ignore)
  releaseInput(socket)
  // Node closes at once after an answer that says so; here input is to be expected behind it.
  socket.destroySoon = () => closeGently(socket)
}

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

function stayPaused(this: Socket): Socket {
  return this
}

function pause(socket: Socket): void {
  if (Object.hasOwn(socket, 'resume')) socket.pause()
}

function ignore(): void {}

const lingerMs = 1000
