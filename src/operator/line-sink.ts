import { fstatSync, write, writeSync } from 'node:fs'

export interface LineSink {
  /** Takes whole lines. They are written in blocks, half a second later at the latest. */
  readonly write: (lines: string) => void
  /** Writes at once what was taken so far. */
  readonly flush: () => void
  /** Lines that could not be written. */
  readonly dropped: () => number
}

export interface SinkOptions {
  /** A pipe must not block: see `unblock`. */
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
 * Writes lines to a descriptor, and never waits for it: what a full disk refuses, or a slow reader leaves lying, is dropped and
 * counted. Written for this because sonic-boom, pino's own, waits for ever at the exit in both cases.
 */
export function createLineSink({ fd, maxUnreadBytes = 16 * 1024 * 1024 }: SinkOptions): LineSink {
  const writeBlock = isPipe(fd) ? writeAtOnce : write
  let turn = ''
  let queue: Buffer[] = []
  /** What is being written, and what has not been taken of it yet. */
  let block: Buffer | null = null
  let isInThread = false
  let isWaiting = false
  let unreadBytes = 0
  let dropped = 0
  let lastByte = newline

  function handOver(): void {
    if (turn === '') return
    const lines = Buffer.from(turn)
    turn = ''
    if (unreadBytes + lines.length > maxUnreadBytes) {
      dropped += countLines(lines)
      return
    }
    queue.push(lines)
    unreadBytes += lines.length
    if (unreadBytes >= blockBytes) writeNext()
  }

  function writeNext(): void {
    if (isInThread || isWaiting || (block === null && queue.length === 0)) return
    block ??= nextBlock()
    isInThread = true
    writeBlock(fd, block, 0, block.length, null, (error, written) => {
      isInThread = false
      advance(error, written)
      if (error === null && unreadBytes >= blockBytes) writeNext()
    })
  }

  /** Half a line that was cut off must not become one with the next. */
  function nextBlock(): Buffer {
    const lines = Buffer.concat(lastByte === newline ? queue : [Buffer.of(newline), ...queue])
    queue = []
    unreadBytes = lines.length
    return lines
  }

  function advance(error: NodeJS.ErrnoException | null, written: number): void {
    if (error !== null && error.code !== 'EAGAIN') return drop()
    if (written > 0) lastByte = block![written - 1]!
    unreadBytes -= written
    block = written === block!.length ? null : block!.subarray(written)
    if (error !== null) wait()
    else if (block !== null) writeNext()
  }

  /** The reader is behind. */
  function wait(): void {
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      writeNext()
    }, retryMs).unref()
  }

  function drop(): void {
    if (block === null) return
    // A line break in front only ends half a line that was counted before.
    dropped += countLines(block) - (block[0] === newline ? 1 : 0)
    unreadBytes -= block.length
    block = null
  }

  function writeAll(): void {
    const giveUpAt = performance.now() + exitLimitMs
    // A block that a thread is writing is out of reach; it goes on while the process ends.
    if (isInThread) block = null
    while (block !== null || queue.length > 0) {
      block ??= nextBlock()
      try {
        const written = writeSync(fd, block)
        lastByte = block[written - 1]!
        block = written === block.length ? null : block.subarray(written)
      } catch (error) {
        const isWorthWaiting = (error as NodeJS.ErrnoException).code === 'EAGAIN' && performance.now() < giveUpAt
        if (isWorthWaiting) Atomics.wait(sleeper, 0, 0, 10)
        else drop()
      }
    }
  }

  setInterval(writeNext, flushEveryMs).unref()
  process.on('exit', () => {
    handOver()
    writeAll()
  })
  return {
    write(lines) {
      // The lines of one turn of the event loop are handed over in one piece.
      if (turn === '') setImmediate(handOver)
      turn += lines
    },
    flush() {
      handOver()
      writeNext()
    },
    dropped: () => dropped,
  }
}

/**
 * Makes a pipe on standard output return at once when it is full: Node does so when it makes a stream of it. A write that
 * blocks would hold a thread for good, and a process ends only with its threads.
 */
export function unblockStandardOutput(): void {
  void process.stdout
}

function isPipe(fd: number): boolean {
  const stats = fstatSync(fd)
  return stats.isFIFO() || stats.isSocket()
}

type Done = (error: NodeJS.ErrnoException | null, written: number) => void

/** For a pipe that does not block. A thread could not say at the exit how much of its block was taken. */
function writeAtOnce(fd: number, block: Buffer, offset: number, length: number, _position: null, done: Done): void {
  let written: number
  try {
    written = writeSync(fd, block, offset, length)
  } catch (error) {
    return done(error as NodeJS.ErrnoException, 0)
  }
  done(null, written)
}

const sleeper = new Int32Array(new SharedArrayBuffer(4))

function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) lines += 1
  return lines
}
