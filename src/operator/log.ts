import { type Logger, pino } from 'pino'

export interface LogOptions {
  readonly level: string
  /** A path; the standard output where none is given. */
  readonly file?: string
}

/** Where the log is read too slowly, lines beyond this are dropped rather than kept in memory for good. */
const mostUnread = 16 * 1024 * 1024

/**
 * The log of a gateway: lines in blocks, written beside the event loop. One system call a line was a sixth of its work under
 * load. The stream measures all that it holds with each piece that it gets, so it gets the lines of one turn in one piece.
 */
export function openLog({ level, file }: LogOptions): Logger {
  const blocks = pino.destination({
    ...(file !== undefined && { dest: file }),
    sync: false,
    minLength: 12_288,
    maxLength: mostUnread,
    periodicFlush: 500,
  })
  let lines = ''
  function handOver(): void {
    if (lines === '') return
    blocks.write(lines)
    lines = ''
  }
  // Nothing is lost; only the block that is being written beside the event loop may then come behind these lines.
  process.on('exit', () => {
    handOver()
    blocks.flushSync()
  })
  return pino(
    { level },
    {
      write(line: string): void {
        if (lines === '') setImmediate(handOver)
        lines += line
      },
    },
  )
}
