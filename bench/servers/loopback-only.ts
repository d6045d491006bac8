import { Server } from 'node:net'

/** Loaded in front of a peer that knows no address to listen on: it then listens on this machine only. */
type Listen = (this: Server, ...args: unknown[]) => Server
const prototype = Server.prototype as unknown as { listen: Listen }
const { listen } = prototype
prototype.listen = function (first, ...rest) {
  const onListening = rest.find((argument) => typeof argument === 'function')
  return typeof first === 'number'
    ? listen.call(this, { port: first, host: '127.0.0.1' }, onListening)
    : listen.call(this, first, ...rest)
}
