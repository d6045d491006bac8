import { once } from 'node:events'
import type { Writable } from 'node:stream'

/** Output of a command: results to standard output, everything else to standard error. */
export interface Terminal {
  /** Resolves once the text is accepted, so that a long listing waits for its reader. */
  readonly print: (text: string) => Promise<void>
  readonly printJson: (value: unknown) => Promise<void>
  readonly note: (line: string) => void
  /** Sets the exit code: 0 success, 1 failure or findings, 2 wrong usage. */
  readonly finish: (exitCode: 0 | 1 | 2) => void
  /** Draws on standard error; null if that is not a terminal. */
  readonly drawProgress: ((done: number, total: number) => void) | null
}

export interface Streams {
  readonly stdout: Writable
  readonly stderr: Writable & { readonly isTTY?: boolean }
}

export function createTerminal({ stdout, stderr }: Streams, finish: Terminal['finish']): Terminal {
  const print = async (text: string) => {
    if (!stdout.write(text)) await once(stdout, 'drain')
  }
  return {
    print,
    printJson: (value) => print(`${JSON.stringify(value, null, 2)}\n`),
    note: (line) => void stderr.write(`${line}\n`),
    finish,
    drawProgress: stderr.isTTY ? createProgressBar((text) => void stderr.write(text)) : null,
  }
}

/** Wrong usage: one line, exit code 2. */
export class Misuse extends Error {}

/** The command cannot be carried out: one line, exit code 1. */
export class CommandFailure extends Error {}

const barWidth = 40
const redrawRows = 5000
/** Smaller stores finish too quickly for a progress bar. */
const smallStoreRows = 50_000

function createProgressBar(write: (text: string) => void) {
  let drawnAt = 0
  return (done: number, total: number) => {
    if (total < smallStoreRows) return
    if (done >= total) {
      write('\r\x1b[K')
      return
    }
    if (done - drawnAt < redrawRows) return
    drawnAt = done
    const filled = Math.floor((done / total) * barWidth)
    const percent = Math.floor((done / total) * 100)
    write(`\r${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)} ${percent}% of ${total} rows`)
  }
}
