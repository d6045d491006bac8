import { EventEmitter } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import threads, { type Worker, type WorkerOptions } from 'node:worker_threads'
import type { Request, WorkerMessage } from '../../src/storage/sqlite/protocol.ts'

const RealWorker = threads.Worker
const free: HostThread[] = []
/** Threads that wait for their next store. */
const maxFree = 3

/**
 * A SQLite store of this process gets the thread of one that was closed before. A new one costs 0.1 s of
 * processor time, most of it for loading the source again. A thread that did not close its store is ended, as always.
 */
threads.Worker = new Proxy(RealWorker, {
  construct: (_target, [file, options]: [string | URL, WorkerOptions]) =>
    String(file).endsWith('/sqlite/worker.ts')
      ? new StoreThread(String(file), options.workerData)
      : new RealWorker(file, options),
})
syncBuiltinESMExports()

/** A thread that runs one store after the other: see `thread-host.ts`. */
class HostThread {
  readonly worker: Worker = new RealWorker(new URL('./thread-host.ts', import.meta.url))
  user: StoreThread | undefined

  constructor() {
    this.worker.on('error', (error) => this.user?.emit('error', error))
    this.worker.on('exit', (code) => {
      if (free.includes(this)) free.splice(free.indexOf(this), 1)
      this.user?.emit('exit', code)
    })
    // Its store is closed, and nothing of it is left.
    this.worker.on('message', () => {
      if (free.length < maxFree) free.push(this)
      else void this.worker.terminate()
    })
  }
}

/** What the store uses of a `Worker`. */
class StoreThread extends EventEmitter {
  readonly #host = free.pop() ?? new HostThread()
  readonly #channel = new threads.MessageChannel()
  #closeId: number | undefined
  #isClosed = false

  constructor(file: string, workerData: unknown) {
    super()
    const { port1, port2 } = this.#channel
    this.#host.user = this
    this.#host.worker.ref()
    port1.on('message', (message: WorkerMessage) => {
      if (message.kind === 'done' && message.id === this.#closeId) this.#isClosed = true
      this.emit('message', message)
    })
    this.#host.worker.postMessage({ file, workerData, port: port2 }, [port2])
  }

  postMessage(request: Request): void {
    if (request.kind === 'close') this.#closeId = request.id
    this.#channel.port1.postMessage(request)
  }

  async terminate(): Promise<number> {
    const { user, worker } = this.#host
    if (user !== this) return 0
    if (!this.#isClosed) return worker.terminate()
    this.#host.user = undefined
    worker.unref()
    this.emit('exit', 0)
    return 0
  }
}
