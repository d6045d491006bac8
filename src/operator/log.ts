import { openSync } from 'node:fs'
import { type Logger, pino } from 'pino'
import { LineSink, unblockStandardOutput } from './line-sink.ts'

export interface LogOptions {
  readonly level: string
  /** Standard output by default. */
  readonly file?: string
}

export interface Log {
  readonly logger: Logger
  /** Writes plain text to the log at once. */
  readonly print: (text: string) => void
  /** Lines that could not be written. */
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
    // The time in a form that people read, and that PostgreSQL takes as a recovery_target_time.
    logger: pino({ level, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } }, sink),
    print(text) {
      sink.write(text)
      sink.flush()
    },
    linesDropped: () => sink.dropped,
  }
}
