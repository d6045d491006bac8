import { fstatSync, write, writeSync } from 'node:fs'

export interface SinkOptions {
  /** A pipe must not block: see `unblockStandardOutput`. */
  readonly fd: number
  /** Where the lines are read too slowly, further ones are dropped rather than kept in memory. */
  readonly maxUnreadBytes?: number
}

const blockBytes = 12_288
const flushEveryMs = 500
const retryMs = 100
const exitLimitMs = 2000
const newline = 0x0a

/**
 * Writes lines to a descriptor and never waits for it: what a full disk refuses, or a slow reader leaves unread, is dropped and
 * counted. Not sonic-boom, pino's own writer, because in both cases it waits without end when the process exits.
 */
export class LineSink {
  readonly #fd: number
  readonly #maxUnreadBytes: number
  readonly #writeBlock: WriteBlock
  /** Lines of this turn of the event loop: they are queued in one piece. */
  #turn = ''
  #queue: Buffer[] = []
  /** What is being written and was not taken yet. */
  #block: Buffer | null = null
  #isInThread = false
  #isWaiting = false
  #unreadBytes = 0
  #dropped = 0
  #lastByte = newline

  constructor({ fd, maxUnreadBytes = 16 * 1024 * 1024 }: SinkOptions) {
    this.#fd = fd
    this.#maxUnreadBytes = maxUnreadBytes
    this.#writeBlock = isPipe(fd) ? writeAtOnce : writeInThread
    setInterval(() => this.#writeNext(), flushEveryMs).unref()
    process.on('exit', () => this.#writeAll())
  }

  /** Lines that could not be written. */
  get dropped(): number {
    return this.#dropped
  }

  /** Takes whole lines. They are written in blocks, half a second later at the latest. */
  write(lines: string): void {
    if (this.#turn === '') setImmediate(() => this.#enqueue())
    this.#turn += lines
  }

  /** Writes at once what was taken so far. */
  flush(): void {
    this.#enqueue()
    this.#writeNext()
  }

  #enqueue(): void {
    if (this.#turn === '') return
    const lines = Buffer.from(this.#turn)
    this.#turn = ''
    if (this.#unreadBytes + lines.length > this.#maxUnreadBytes) {
      this.#dropped += countLines(lines)
      return
    }
    this.#queue.push(lines)
    this.#unreadBytes += lines.length
    if (this.#unreadBytes >= blockBytes) this.#writeNext()
  }

  #writeNext(): void {
    if (this.#isInThread || this.#isWaiting || (this.#block === null && this.#queue.length === 0)) return
    this.#block ??= this.#nextBlock()
    this.#isInThread = true
    this.#writeBlock(this.#fd, this.#block, (error, written) => {
      this.#isInThread = false
      if (error === null) this.#advance(written)
      else if (error.code === 'EAGAIN') this.#waitForReader()
      else this.#dropBlock()
      const isMoreDue = this.#block !== null || this.#unreadBytes >= blockBytes
      if (error === null && isMoreDue) this.#writeNext()
    })
  }

  #nextBlock(): Buffer {
    // Half a line that was cut off must not become one with the next.
    const lines = this.#lastByte === newline ? this.#queue : [Buffer.of(newline), ...this.#queue]
    this.#queue = []
    const block = Buffer.concat(lines)
    this.#unreadBytes = block.length
    return block
  }

  #advance(written: number): void {
    const block = this.#block!
    if (written > 0) this.#lastByte = block[written - 1]!
    this.#unreadBytes -= written
    this.#block = written === block.length ? null : block.subarray(written)
  }

  #waitForReader(): void {
    this.#isWaiting = true
    setTimeout(() => {
      this.#isWaiting = false
      this.#writeNext()
    }, retryMs).unref()
  }

  #dropBlock(): void {
    const block = this.#block!
    // A line break in front only ends half a line that was counted before.
    this.#dropped += countLines(block) - (block[0] === newline ? 1 : 0)
    this.#unreadBytes -= block.length
    this.#block = null
  }

  /** At the exit: tries for a while, then drops the rest. */
  #writeAll(): void {
    const giveUpAt = performance.now() + exitLimitMs
    this.#enqueue()
    // A block that a thread is writing is out of reach; the process ends after the thread.
    if (this.#isInThread) this.#block = null
    while (this.#block !== null || this.#queue.length > 0) {
      this.#block ??= this.#nextBlock()
      try {
        this.#advance(writeSync(this.#fd, this.#block))
      } catch (error) {
        const isWorthWaiting = (error as NodeJS.ErrnoException).code === 'EAGAIN' && performance.now() < giveUpAt
        if (isWorthWaiting) Atomics.wait(sleeper, 0, 0, 10)
        else this.#dropBlock()
      }
    }
  }
}

/**
 * Makes a pipe on standard output return at once when it is full: Node does so when it makes a stream of it. A write that
 * blocks would hold a thread for good, and a process ends only after its threads.
 */
export function unblockStandardOutput(): void {
  void process.stdout
}

function isPipe(fd: number): boolean {
  const stats = fstatSync(fd)
  return stats.isFIFO() || stats.isSocket()
}

type Done = (error: NodeJS.ErrnoException | null, written: number) => void
type WriteBlock = (fd: number, block: Buffer, done: Done) => void

const writeInThread: WriteBlock = (fd, block, done) => write(fd, block, 0, block.length, null, done)

/** For a pipe that does not block. A thread could not say at the exit how much of its block was taken. */
const writeAtOnce: WriteBlock = (fd, block, done) => {
  let written = 0
  let fault: NodeJS.ErrnoException | null = null
  try {
    written = writeSync(fd, block)
  } catch (error) {
    fault = error as NodeJS.ErrnoException
  }
  done(fault, written)
}

const sleeper = new Int32Array(new SharedArrayBuffer(4))

function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) lines += 1
  return lines
}
