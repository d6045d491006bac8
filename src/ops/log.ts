import { fstatSync, openSync, write, writeSync } from 'node:fs'
import { type Logger, pino } from 'pino'
import { monotonicMs, now } from '../base/clock.ts'
import { createIsoFormat, isoOf } from '../base/time.ts'
import { after, every, soon } from '../base/timers.ts'

export interface SinkOptions {
  /** A pipe must be non-blocking: see `unblockStandardOutput`. */
  readonly fd: number
  /** Lines beyond this are dropped instead of kept in memory. */
  readonly maxUnreadBytes?: number
}

const blockBytes = 12_288
const flushEveryMs = 500
const retryMs = 100
const exitTimeoutMs = 2000
const newline = 0x0a

/**
 * Writes lines to a file descriptor without ever blocking: lines that a full disk or a slow reader does not take are dropped
 * and counted. Not sonic-boom, pino's own writer: in both cases it hangs when the process exits.
 */
export class LineSink {
  readonly #fd: number
  readonly #maxUnreadBytes: number
  readonly #writeBlock: WriteBlock
  /** Lines of this turn of the event loop, queued together. */
  #turn = ''
  #queue: Buffer[] = []
  /** The unwritten rest of the current block. */
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
    every(flushEveryMs, () => this.#writeNext()).unref()
    process.on('exit', () => this.#writeAll())
  }

  get dropped(): number {
    return this.#dropped
  }

  /** Takes whole lines and writes them in blocks, within half a second. */
  write(lines: string): void {
    if (this.#turn === '') soon(() => this.#enqueue())
    this.#turn += lines
  }

  /** Writes everything taken so far at once. */
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
      const hasMore = this.#block !== null || this.#unreadBytes >= blockBytes
      if (error === null && hasMore) this.#writeNext()
    })
  }

  #nextBlock(): Buffer {
    // Ends a line that was cut off, so that it does not merge with the next.
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
    after(retryMs, () => {
      this.#isWaiting = false
      this.#writeNext()
    }).unref()
  }

  #dropBlock(): void {
    const block = this.#block!
    // A leading newline only ends a cut-off line that was already counted.
    this.#dropped += countLines(block) - (block[0] === newline ? 1 : 0)
    this.#unreadBytes -= block.length
    this.#block = null
  }

  /** On exit: retries for a while, then drops the rest. */
  #writeAll(): void {
    const giveUpAt = monotonicMs() + exitTimeoutMs
    this.#enqueue()
    // A block in a thread is beyond our control; the process waits for the thread before it ends.
    if (this.#isInThread) this.#block = null
    while (this.#block !== null || this.#queue.length > 0) {
      this.#block ??= this.#nextBlock()
      try {
        this.#advance(writeSync(this.#fd, this.#block))
      } catch (error) {
        const canRetry = (error as NodeJS.ErrnoException).code === 'EAGAIN' && monotonicMs() < giveUpAt
        if (canRetry) Atomics.wait(sleeper, 0, 0, 10)
        else this.#dropBlock()
      }
    }
  }
}

/**
 * Makes a pipe on standard output non-blocking, as a side effect of creating Node's stream for it. A blocked write would
 * hold its thread, and the process cannot end before its threads.
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

/** For a non-blocking pipe. A thread could not report on exit how much of its block was written. */
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

export interface LogOptions {
  readonly level: string
  /** Standard output by default. */
  readonly file?: string
}

export interface Log {
  readonly logger: Logger
  /** Writes plain text to the log at once. */
  readonly print: (text: string) => void
  readonly linesDropped: () => number
}

const standardOutput = 1
const maxCauses = 3

/** Name, code, message and stack only: a database error also carries the row that it refused. */
export function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code } = error as NodeJS.ErrnoException
  const cause = error.cause !== undefined && depth < maxCauses ? describeError(error.cause, depth + 1) : undefined
  return { type: error.name, code, message: error.message, stack: error.stack, cause }
}

/** Opens the log. Lines are written in blocks: a system call per line took a sixth of the CPU under load. */
export function openLog({ level, file }: LogOptions): Log {
  if (file === undefined) unblockStandardOutput()
  const sink = new LineSink({ fd: file === undefined ? standardOutput : openSync(file, 'a') })
  return {
    logger: pino({ level, timestamp, serializers: { err: describeError } }, sink),
    print(text) {
      sink.write(text)
      sink.flush()
    },
    linesDropped: () => sink.dropped,
  }
}

const isoFormat = createIsoFormat()
const timestamp = () => `,"time":"${inPasteable(isoFormat(now()))}"`

/** As a database server takes it for `recovery_target_time`, where the zone `Z` is not known. */
export const pasteableTime = (ms: number): string => inPasteable(isoOf(ms))

const inPasteable = (iso: string): string => `${iso.slice(0, -1)}+00:00`
