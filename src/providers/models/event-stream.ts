import { isUtf8 } from 'node:buffer'
import { isTooDeep, maxJsonDepth } from '../../contract/validate.ts'

/** One event of a stream of server-sent events. */
export interface ServerEvent {
  readonly name: string
  readonly data: string
}

/** The stream broke the rules of its format. The message is for the log and quotes nothing. */
export class StreamBreach extends Error {
  override readonly name = 'StreamBreach'
}

export const maxEventBytes = 262_144

const lineFeed = 10
const carriageReturn = 13
const byteOrderMark = '\uFEFF'

/**
 * Splits bytes into server-sent events, as the HTML standard describes. An event counts once its blank line has arrived. Throws a
 * `StreamBreach` at bytes that are not UTF-8 and at an event that is too long.
 */
export class EventStreamParser {
  /** The start of a line whose end has not arrived yet. */
  #partial: Buffer[] = []
  #partialBytes = 0
  /** Of the event in progress, without the partial line. */
  #eventBytes = 0
  #name = ''
  #data: string | null = null
  #isFirstLine = true
  #endedWithReturn = false

  /** The lines that have ended; the rest waits for more. They are bytes if not all of them are UTF-8. */
  #takeLines(bytes: Buffer): readonly (string | Buffer)[] {
    const end = endOfLines(bytes)
    if (end === 0) {
      this.#wait(bytes)
      return []
    }
    const ended = bytes.subarray(0, end)
    const lines = this.#partial.length === 0 ? ended : Buffer.concat([...this.#partial, ended])
    this.#partial = []
    this.#partialBytes = 0
    if (end < bytes.length) this.#wait(bytes.subarray(end))
    // All lines at once, because decoding each takes twice the time.
    const text = lines.toString('utf8')
    // Only a text with replacement characters can come from bytes that are not UTF-8.
    const isSound = !text.includes('\uFFFD') || isUtf8(lines)
    return isSound ? this.#split(text) : this.#split(lines.toString('latin1')).map(bytesOf)
  }

  #wait(bytes: Buffer): void {
    this.#partial.push(bytes)
    this.#partialBytes += bytes.length
  }

  #split(text: string): string[] {
    // The second half of a CRLF.
    const from = this.#endedWithReturn && text.startsWith('\n') ? 1 : 0
    this.#endedWithReturn = text.endsWith('\r')
    if (text.includes('\r')) {
      const lines = text.slice(from).split(/\r\n?|\n/)
      // After the last line end.
      lines.pop()
      return lines
    }
    // `split` takes twice as long here.
    const lines: string[] = []
    for (let start = from, end = 0; start < text.length; start = end + 1) {
      end = text.indexOf('\n', start)
      lines.push(text.slice(start, end))
    }
    return lines
  }

  /** Calls `take` with each event that has ended, until it returns false. */
  parse(bytes: Buffer, take: (event: ServerEvent) => boolean): void {
    for (const line of this.#takeLines(bytes)) {
      const event = this.#endLine(typeof line === 'string' ? line : decode(line))
      if (event && !take(event)) return
    }
    this.#refuseLongEvent(this.#partialBytes)
  }

  #endLine(text: string): ServerEvent | null {
    const line = this.#isFirstLine && text.startsWith(byteOrderMark) ? text.slice(1) : text
    this.#isFirstLine = false
    if (line === '') return this.#endEvent()
    const lineBytes = Buffer.byteLength(text)
    this.#refuseLongEvent(lineBytes)
    // A comment, which keeps the connection alive.
    if (line.startsWith(':')) return null
    this.#eventBytes += lineBytes
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') this.#data = this.#data === null ? value : `${this.#data}\n${value}`
    else if (field === 'event') this.#name = value
    return null
  }

  #endEvent(): ServerEvent | null {
    const event = this.#data === null ? null : { name: this.#name, data: this.#data }
    this.#name = ''
    this.#data = null
    this.#eventBytes = 0
    return event
  }

  #refuseLongEvent(moreBytes: number): void {
    if (this.#eventBytes + moreBytes > maxEventBytes) throw new StreamBreach('an event is too long')
  }
}

/** Nearly always all of it. */
const endOfLines = (bytes: Buffer) =>
  bytes.at(-1) === lineFeed
    ? bytes.length
    : Math.max(bytes.lastIndexOf(lineFeed), bytes.lastIndexOf(carriageReturn)) + 1

const bytesOf = (line: string) => Buffer.from(line, 'latin1')

function decode(line: Buffer): string {
  if (!isUtf8(line)) throw new StreamBreach('not UTF-8')
  return line.toString('utf8')
}

/** The JSON object in the data of an event; null if it is something else. */
export function jsonObject(data: string): Record<string, unknown> | null {
  if (hasManyBrackets(data) && isTooDeep(Buffer.from(data))) return null
  try {
    const value: unknown = JSON.parse(data)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

/** Cheaper than a look at every byte, and almost never true. */
function hasManyBrackets(text: string): boolean {
  let count = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      count += 1
      if (count > maxJsonDepth) return true
    }
  }
  return false
}
