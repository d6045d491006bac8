import { openSync } from 'node:fs'
import { type Logger, pino } from 'pino'
import { LineSink, unblockStandardOutput } from './line-sink.ts'

export interface LogOptions {
  readonly level: string
  /** A path; the standard output where none is given. */
  readonly file?: string
}

export interface Log {
  readonly logger: Logger
  /** Writes text for a person at once, where the lines go. */
  readonly print: (text: string) => void
  /** Lines that could not be written. */
  readonly linesDropped: () => number
}

const standardOutput = 1

/** The log of a gateway: lines in blocks, because one system call a line was a sixth of its work under load. */
export function openLog({ level, file }: LogOptions): Log {
  if (file === undefined) unblockStandardOutput()
  const sink = new LineSink({ fd: file === undefined ? standardOutput : openSync(file, 'a') })
  return {
    logger: pino({ level }, sink),
    print(text) {
      sink.write(text)
      sink.flush()
    },
    linesDropped: () => sink.dropped,
  }
}
