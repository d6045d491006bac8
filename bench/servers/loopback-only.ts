import { Server } from 'node:net'

/** Preloaded into a peer whose listen address cannot be configured: makes it listen on loopback only. */
type Listen = (this: Server, ...args: unknown[]) => Server
const prototype = Server.prototype as unknown as { listen: Listen }
const { listen } = prototype
prototype.listen = function (first, ...rest) {
  const onListening = rest.find((argument) => typeof argument === 'function')
  return typeof first === 'number'
    ? listen.call(this, { port: first, host: '127.0.0.1' }, onListening)
    : listen.call(this, first, ...rest)
}
