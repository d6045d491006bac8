import { Dispatcher } from 'undici'
import type { Network } from '../../src/base/network.ts'
import type { Process, World } from './world.ts'

export interface UpstreamRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What a server does with a request, `afterMs` after it arrived. */
export type Reply =
  | {
      readonly kind: 'response'
      readonly afterMs: number
      readonly status: number
      readonly body: string | Buffer
      readonly headers?: Readonly<Record<string, string>>
      /** The connection ends within the body. */
      readonly isCut?: boolean
    }
  | {
      readonly kind: 'stream'
      readonly afterMs: number
      /** Each comes `everyMs` after the one before. */
      readonly pieces: readonly string[]
      readonly everyMs: number
      readonly ending: 'whole' | 'cut' | 'silent'
    }
  | { readonly kind: 'reset'; readonly afterMs: number }
  | { readonly kind: 'garbled'; readonly afterMs: number }
  | { readonly kind: 'silence' }

export interface Server {
  /** False: no connection. */
  readonly accepts: () => boolean
  readonly handle: (request: UpstreamRequest, sender: string) => Reply
}

/** Called when a gateway decides to send a request, before anything can delay it. */
type OnSend = (sender: Process, origin: string, request: UpstreamRequest) => void

type Handler = Dispatcher.DispatchHandler

const failure = (code: string) => Object.assign(new Error(code), { code })

/** Connections of the gateways to simulated servers, by origin. */
export const createNetwork = (world: World, servers: ReadonlyMap<string, Server>, onSend: OnSend): Network => {
  const open = (origin: string) =>
    new SimulatedDispatcher(world, servers.get(origin) ?? noServer, (request) => onSend(world.current, origin, request))
  return { openPool: open }
}

const noServer: Server = { accepts: () => false, handle: () => ({ kind: 'silence' }) }

class SimulatedDispatcher extends Dispatcher {
  readonly #world: World
  readonly #server: Server
  readonly #onSend: (request: UpstreamRequest) => void
  readonly #calls = new Set<SimulatedCall>()

  constructor(world: World, server: Server, onSend: (request: UpstreamRequest) => void) {
    super()
    this.#onSend = onSend
    this.#world = world
    this.#server = server
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Handler): boolean {
    const call = new SimulatedCall(this.#world, this.#server, handler, () => this.#calls.delete(call))
    this.#calls.add(call)
    const request = {
      method: options.method,
      path: options.path,
      headers: options.headers as Record<string, string>,
      body: options.body === null || options.body === undefined ? '' : String(options.body),
    }
    this.#onSend(request)
    call.start(request)
    return true
  }

  override close(): Promise<void> {
    return this.destroy()
  }

  override async destroy(): Promise<void> {
    for (const call of [...this.#calls]) call.abort(failure('UND_ERR_DESTROYED'))
  }
}

/** One request on a connection of its own. */
class SimulatedCall {
  readonly #world: World
  readonly #server: Server
  readonly #handler: Handler
  readonly #owner: Process
  readonly #onOver: () => void
  readonly #controller: Dispatcher.DispatchController
  #isOver = false

  constructor(world: World, server: Server, handler: Handler, onOver: () => void) {
    this.#world = world
    this.#server = server
    this.#handler = handler
    this.#owner = world.current
    this.#onOver = onOver
    const abort = (reason: Error) => this.abort(reason)
    this.#controller = {
      aborted: false,
      paused: false,
      reason: null,
      rawHeaders: null,
      rawTrailers: null,
      abort,
      pause: () => {},
      resume: () => {},
    } as unknown as Dispatcher.DispatchController
  }

  start(request: UpstreamRequest): void {
    const world = this.#world
    this.#at(world.random.between(0, 4), 'connect', () => {
      if (!this.#server.accepts()) {
        world.reach('network: no connection')
        return this.#fail(failure('ECONNREFUSED'))
      }
      this.#handler.onRequestStart?.(this.#controller, {})
      // It may have been aborted just now: then nothing leaves.
      if (this.#isOver) return
      // The server gets it whatever becomes of the sender.
      world.schedule(world.random.between(0, 4), world.outside, `request ${request.path}`, () => {
        world.trace(`${this.#owner.name} asks ${request.method} ${request.path}`)
        this.#reply(this.#server.handle(request, this.#owner.name))
      })
    })
  }

  abort(reason: Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#onOver()
    this.#world.schedule(0, this.#owner, 'aborted', () => this.#handler.onResponseError?.(this.#controller, reason))
  }

  #reply(reply: Reply): void {
    if (reply.kind === 'silence') return
    this.#at(reply.afterMs, `reply ${reply.kind}`, () => {
      if (reply.kind === 'reset') return this.#fail(failure('ECONNRESET'))
      if (reply.kind === 'garbled') return this.#fail(failure('HPE_INVALID_CONSTANT'))
      if (reply.kind === 'stream') return this.#stream(reply)
      const bytes = Buffer.from(reply.body)
      const headers = { 'content-length': String(bytes.length), ...reply.headers }
      this.#handler.onResponseStart?.(this.#controller, reply.status, headers, '')
      if (this.#isOver) return
      const sent = reply.isCut ? bytes.subarray(0, bytes.length >> 1) : bytes
      if (sent.length > 0) this.#handler.onResponseData?.(this.#controller, sent)
      if (this.#isOver) return
      if (reply.isCut) return this.#fail(failure('UND_ERR_SOCKET'))
      this.#finish(() => this.#handler.onResponseEnd?.(this.#controller, {}))
    })
  }

  #stream({ pieces, everyMs, ending }: Extract<Reply, { kind: 'stream' }>): void {
    const headers = { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' }
    this.#handler.onResponseStart?.(this.#controller, 200, headers, '')
    pieces.forEach((piece, index) => {
      this.#at(index * everyMs, 'part', () => void this.#handler.onResponseData?.(this.#controller, Buffer.from(piece)))
    })
    if (ending === 'silent') return
    this.#at(pieces.length * everyMs, `stream ${ending}`, () => {
      if (ending === 'cut') this.#fail(failure('UND_ERR_SOCKET'))
      else this.#finish(() => this.#handler.onResponseEnd?.(this.#controller, {}))
    })
  }

  #fail(error: Error): void {
    this.#finish(() => this.#handler.onResponseError?.(this.#controller, error))
  }

  #finish(how: () => void): void {
    this.#isOver = true
    this.#onOver()
    how()
  }

  #at(ms: number, label: string, work: () => void): void {
    this.#world.schedule(ms, this.#owner, label, () => {
      if (!this.#isOver) work()
    })
  }
}
