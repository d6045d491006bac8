import { once } from 'node:events'
import { userInfo } from 'node:os'
import type { Writable } from 'node:stream'
import { InvalidArgumentError } from 'commander'
import { oneLine } from '../operator-kit/actor.ts'

export const wholeNumber = (min: number, max: number) => (value: string) => {
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max) return number
  throw new InvalidArgumentError(`Enter a whole number from ${min} to ${max}.`)
}

/** Text of at most `max` characters on one line. */
export const singleLine = (what: string, max: number) => (value: string) => {
  const line = oneLine(value, max)
  if (line !== null) return line
  throw new InvalidArgumentError(`Enter ${what} of 1 to ${max} characters on one line.`)
}

/** A day of the calendar. */
export function parseDay(value: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value)
  if (!isDay) throw new InvalidArgumentError('Enter a day such as 2026-09-03.')
  return value
}

/** Parses a day, meaning midnight UTC, or a time with its zone. */
export function parseTime(value: string): number {
  const isWellFormed = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/.exec(value)
  const at = isWellFormed ? Date.parse(value) : Number.NaN
  // Date.parse reads 30 February as 2 March.
  const isRealDay = isWellFormed && new Date(`${isWellFormed[1]}T00:00:00Z`).toJSON()?.startsWith(isWellFormed[1]!)
  if (isRealDay && !Number.isNaN(at)) return at
  throw new InvalidArgumentError('Enter a day (2026-01-31) or a time with its zone (2026-01-31T08:00:00Z).')
}

/** Output of a command: results to standard output, everything else to standard error. */
export interface Terminal {
  /** Resolves once the text is accepted, so that a long listing waits for its reader. */
  readonly print: (text: string) => Promise<void>
  readonly printJson: (value: unknown) => Promise<void>
  /** A table, or `empty` if it has no rows. */
  readonly printTable: (
    names: readonly string[],
    rows: readonly (readonly TableCell[])[],
    empty: string,
  ) => Promise<void>
  readonly note: (line: string) => void
  /** Sets the exit code: 0 success, 1 failure or findings, 2 wrong usage, 3 incomplete because a provider did not answer. */
  readonly finish: (exitCode: 0 | 1 | 2 | 3) => void
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
    printTable: (names, rows, empty) => print(rows.length === 0 ? empty : table(names, rows)),
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

export type TableCell = string | number | null

/** A text table with column names; numbers are right-aligned. */
export function table(names: readonly string[], rows: readonly (readonly TableCell[])[]): string {
  const widths = names.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => printable(row[column] ?? null).length)),
  )
  const lines = [names, ...rows].map((row) =>
    row
      .map((cell, column) => alignCell(cell, widths[column]!))
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}

export const alignCell = (cell: TableCell, width: number): string =>
  typeof cell === 'number' ? printable(cell).padStart(width) : printable(cell).padEnd(width)

/** Replaces control characters, which could manipulate the terminal. */
const printable = (cell: TableCell): string =>
  cell === null ? '-' : String(cell).replace(/[\x00-\x1f\x7f-\x9f]/g, '?')

/** Longer input is cut off: a phone or an address is short. */
const maxInput = 4096

export async function readAll(input: AsyncIterable<string | Uint8Array>): Promise<string> {
  let text = ''
  for await (const chunk of input) {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
    if (text.length > maxInput) break
  }
  return text.slice(0, maxInput)
}

export function userName(): string {
  try {
    return userInfo().username
  } catch {
    // In a container the user may have no name.
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}
