import { EventEmitter } from 'node:events'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Readable, Writable } from 'node:stream'
import type { App } from '../../src/app/app.ts'
import type { Config } from '../../src/config/config.ts'
import { buildStep } from '../../src/features/records/transparency/tree-step.ts'
import type { HttpServer, HttpServerOptions } from '../../src/http/server.ts'
import type { Exchange } from '../../src/http/transport/exchange.ts'
import type { EmailSender, SmsSender } from '../../src/providers/senders.ts'
import { type Code, currentCode } from './code.ts'
import { createLyingPayments, type ProviderRecords, payingMethod } from './payments.ts'
import type { Plan } from './plan.ts'
import { createLogger } from './silent-logger.ts'
import type { SimulatedStore } from './store.ts'
import type { Truth } from './upstreams.ts'
import { Process, type World } from './world.ts'

export interface SentRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: object
  /** How long the client takes to read a part of the response. */
  readonly readMs?: number
}

export interface GatewayResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: an actor looks into whatever came back
  readonly body: any
}

/** The caller got no complete response. */
export class ConnectionLost extends Error {}

interface GatewayDeps {
  readonly world: World
  readonly plan: Plan
  readonly store: SimulatedStore
  readonly truth: Truth
  readonly payments: ProviderRecords
  readonly config: Config
  /** What the gateways run; this version unless it says otherwise. */
  readonly code?: Code
}

/** A machine that runs one gateway after another: after a kill or a stop the next one starts. */
export class GatewayHost {
  readonly name: string
  /** What the next gateway runs. */
  code: Code
  #deps: GatewayDeps
  #run: GatewayRun | null = null
  #runs = 0

  constructor(name: string, deps: GatewayDeps) {
    this.name = name
    this.#deps = deps
    this.code = deps.code ?? currentCode
  }

  get run(): GatewayRun | null {
    return this.#run
  }

  get config(): Config {
    return this.#deps.config
  }

  /** From its next start on. */
  configure(config: Config): void {
    this.#deps = { ...this.#deps, config }
  }

  get isServing(): boolean {
    return this.#run?.isServing ?? false
  }

  start(): void {
    this.#runs += 1
    this.#run = new GatewayRun(`${this.name}.${this.#runs}`, this.#deps, this.code)
  }

  kill(): void {
    this.#run?.kill()
    this.#run = null
  }

  /** Stops as on SIGTERM; the process is gone once `isOver`. */
  stop(): void {
    this.#run?.stop(() => {
      this.#run = null
    })
  }
}

type Serve = (exchange: Exchange) => void

/** One process of a gateway, from its start to its end. */
export class GatewayRun {
  readonly process: Process
  readonly code: Code
  readonly #deps: GatewayDeps
  #serve: Serve | null = null
  #app: App | null = null
  #isStopping = false
  readonly #open = new Set<() => void>()

  constructor(name: string, deps: GatewayDeps, code: Code) {
    const { world, plan } = deps
    this.#deps = deps
    this.code = code
    this.process = new Process(name, world)
    if (plan.isOn('clock-skew')) this.process.skewMs = world.random.between(-4000, 4000)
    if (plan.isOn('clock-drift')) this.process.drift = world.random.between(-200, 200) / 1_000_000
    world.schedule(world.random.between(0, 500), this.process, 'start', () => void this.#start())
  }

  get isServing(): boolean {
    return this.#serve !== null && !this.#isStopping
  }

  get config(): Config {
    return this.#deps.config
  }

  kill(): void {
    this.#deps.world.trace(`${this.process.name} is killed`)
    this.process.kill()
    this.#serve = null
    for (const reset of [...this.#open]) reset()
  }

  stop(onStopped: () => void): void {
    const { world } = this.#deps
    if (!this.#app || this.#isStopping) return
    this.#isStopping = true
    world.schedule(0, this.process, 'stop', () => {
      void this.#app!.stop().then(
        () => {
          world.trace('stopped')
          world.reach('gateway: stopped')
          this.process.kill()
          for (const reset of [...this.#open]) reset()
          onStopped()
        },
        (error) => world.fail(`a stop failed: ${error}`),
      )
    })
  }

  /** Sends a request from `from`; rejects with `ConnectionLost` if no complete response comes back. */
  send(request: SentRequest, from: Process, cutAfterMs: number | null): Promise<GatewayResponse> {
    const { world } = this.#deps
    return new Promise((resolve, reject) => {
      let isOver = false
      const end = (work: () => void) => {
        if (isOver) return
        isOver = true
        this.#open.delete(reset)
        world.schedule(world.random.between(0, 3), from, 'response', work)
      }
      const reset = () => end(() => reject(new ConnectionLost()))
      this.#open.add(reset)
      let hangUp = () => {}
      if (cutAfterMs !== null) {
        world.schedule(cutAfterMs, from, 'cut', () => {
          if (isOver) return
          reset()
          // The gateway sees it a moment later, or when it wakes up.
          world.schedule(1, this.process, 'the client is gone', () => hangUp())
        })
      }
      world.schedule(world.random.between(0, 3), this.process, `request ${request.path}`, () => {
        if (!this.#serve) return reset()
        const read = (next: () => void) => void world.schedule(request.readMs!, this.process, 'read', next)
        const answer = (response: GatewayResponse) => end(() => resolve(response))
        const { exchange, hangUp: leave } = exchangeOf(this.code.http, request, {
          onResponse: answer,
          read: request.readMs ? read : (next) => next(),
        })
        hangUp = leave
        this.#serve(exchange)
      })
    })
  }

  async #start(): Promise<void> {
    const { world, store, config, truth, payments, plan } = this.#deps
    try {
      const logger = createLogger((level, message, { err }: { err?: unknown }) => {
        world.reach(`log: ${message}`)
        if (isMistake(err)) world.fail(`a gateway logged: ${message}: ${err.stack}`)
        if (level === 'fatal') world.fail(`a gateway logged: ${message}`)
      })
      this.#app = await this.code.startApp({
        config,
        logger,
        openStore: async () => this.code.openEngine(store, this.process, logger),
        createServer: (options) => this.#createServer(options),
        treeWork: { build: buildStep, keep: keepAtOnce },
        mediaTiming: { firstMs: 2000, maxMs: 8000 },
        webhookNetwork: { resolve: async () => ['93.184.215.14'] },
        sms: createSms(world, plan, truth, this.process),
        email: createEmail(world, plan, truth, this.process),
        paymentProviders: new Map([[payingMethod, createLyingPayments(world, plan, payments, this.process)]]),
      })
      world.reach('gateway: started')
    } catch (error) {
      // As a supervisor would: the process ends, and another one starts.
      world.reach('gateway: start failed')
      world.trace(`start failed: ${error}`)
      if (isMistake(error)) world.fail(`a start failed: ${error.stack}`)
      this.process.kill()
    }
  }

  #createServer(options: HttpServerOptions): HttpServer {
    let inFlight = 0
    let onIdle = () => {}
    const { http } = this.code
    const log = http.createRequestLog(options.logger, options.observe)
    const done = () => {
      inFlight -= 1
      if (inFlight === 0) onIdle()
    }
    const responder = http.createResponder({ common: http.commonHeaders(options.origin), log, done })
    const router = http.createRouter({ routes: options.routes, isLoopback: options.isLoopback, ...responder })
    const { world } = this.#deps
    const drain = async (timeoutMs: number) => {
      this.#serve = null
      if (inFlight === 0) return
      const idle = new Promise<void>((resolve) => (onIdle = resolve))
      await Promise.race([idle, world.sleep(timeoutMs, this.process, 'drain')])
    }
    return {
      listen: async (address) => {
        this.#serve = (exchange) => {
          inFlight += 1
          router.route(Object.assign(exchange, { requestId: options.newRequestId() }))
        }
        return address
      },
      announceDrain: () => {},
      drain,
      close: () => drain(0),
      inFlight: () => inFlight,
    }
  }
}

/** Errors that only wrong code raises. */
const isMistake = (error: unknown): error is Error =>
  error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError

/** The other end of a connection: takes each part of a response, and all of it. */
interface Client {
  readonly onResponse: (response: GatewayResponse) => void
  readonly read: (next: () => void) => void
}

/** A request and its response without a socket. */
function exchangeOf(
  http: Code['http'],
  { method, path, headers, body }: SentRequest,
  { onResponse, read }: Client,
): { exchange: Exchange; hangUp: () => void } {
  const bytes = body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body))
  const socket = Object.assign(new EventEmitter(), {
    destroyed: false,
    readableEnded: false,
    writableLength: 0,
    destroy: () => hangUp(),
  })
  const hangUp = () => {
    if (socket.destroyed) return
    socket.destroyed = true
    response.destroy()
    socket.emit('close')
  }
  const request = Object.assign(new Readable({ read() {} }), {
    method,
    url: path,
    socket,
    rawHeaders: Object.entries({ ...(body && { 'content-type': 'application/json' }), ...headers }).flat(),
  })
  request.push(bytes)
  request.push(null)
  const chunks: Buffer[] = []
  let status = 0
  let answered: Record<string, string> = {}
  const response = Object.assign(
    new Writable({
      write(chunk: Buffer, _, next) {
        chunks.push(Buffer.from(chunk))
        read(next)
      },
      final(next) {
        const text = Buffer.concat(chunks).toString()
        const isJson = String(answered['content-type']).includes('json')
        onResponse({ status, headers: answered, text, body: isJson ? JSON.parse(text) : undefined })
        next()
      },
    }),
    {
      headersSent: false,
      shouldKeepAlive: true,
      writeHead(code: number, all: Record<string, string>) {
        status = code
        answered = Object.fromEntries(Object.entries(all).map(([name, value]) => [name.toLowerCase(), String(value)]))
      },
    },
  )
  const exchange = new http.Exchange({
    request: request as never,
    response: response as never,
    requestId: '',
    requesterOf: () => ({ address: '203.0.113.9', network: '203.0.113.9' }),
    contentLength: bytes.length,
    awaitsContinue: false,
    recentKeys: { remember: () => {}, forget: () => {}, projectOf: () => undefined } as never,
    onTooSlow: () => {},
  })
  return { exchange, hangUp }
}

/** How a delivery may go: it fails, or it arrives and its response is lost. */
async function deliver(world: World, plan: Plan, owner: Process, arrive: () => void): Promise<void> {
  const isFaulty = () => plan.isOn('message-failures') && world.random.chance(plan.providerFaultShare)
  await world.sleep(world.random.between(1, 400), owner, 'delivery')
  if (isFaulty()) {
    world.reach('message: refused')
    throw new Error('refused')
  }
  arrive()
  await world.sleep(world.random.between(1, 400), owner, 'delivered')
  if (!isFaulty()) return
  world.reach('message: arrived and lost the answer')
  throw new Error('no answer')
}

const createSms = (world: World, plan: Plan, truth: Truth, owner: Process): SmsSender => ({
  send: (message) =>
    deliver(world, plan, owner, () => {
      const [map, id] =
        message.kind === 'notice' ? [truth.notices, message.messageId] : [truth.codes, message.challengeId]
      map.set(id, (map.get(id) ?? 0) + 1)
    }),
})

const createEmail = (world: World, plan: Plan, truth: Truth, owner: Process): EmailSender => ({
  send: (message) =>
    deliver(world, plan, owner, () => {
      truth.notices.set(message.messageId, (truth.notices.get(message.messageId) ?? 0) + 1)
    }),
})

/** Files are not part of the world: what is written is there at once. */
function keepAtOnce(file: string, note: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, note)
  renameSync(`${file}.new`, file)
}
