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
  #data: string[] = []
  #isFirstLine = true
  #endedWithReturn = false

  #endLine(): ServerEvent | null {
    const bytes = this.#partial.length === 1 ? this.#partial[0]! : Buffer.concat(this.#partial)
    this.#partial = []
    this.#partialBytes = 0
    const line = this.#decode(bytes)
    if (line === '') return this.#endEvent()
    // A comment, which keeps the connection alive.
    if (line.startsWith(':')) return null
    this.#eventBytes += bytes.length
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') this.#data.push(value)
    else if (field === 'event') this.#name = value
    return null
  }

  #endEvent(): ServerEvent | null {
    const event = { name: this.#name, data: this.#data.join('\n') }
    const hasData = this.#data.length > 0
    this.#name = ''
    this.#data = []
    this.#eventBytes = 0
    return hasData ? event : null
  }

  *parse(bytes: Buffer): Generator<ServerEvent> {
    let from = 0
    let feed = -1
    let carriage = -1
    while (from < bytes.length) {
      // The second half of a CRLF.
      if (this.#endedWithReturn && bytes[from] === lineFeed) from += 1
      this.#endedWithReturn = false
      if (feed < from) feed = indexOrEnd(bytes, lineFeed, from)
      if (carriage < from) carriage = indexOrEnd(bytes, carriageReturn, from)
      const end = Math.min(feed, carriage)
      const piece = bytes.subarray(from, end)
      from = end + 1
      this.#partialBytes += piece.length
      if (this.#eventBytes + this.#partialBytes > maxEventBytes) throw new StreamBreach('an event is too long')
      if (piece.length > 0) this.#partial.push(piece)
      if (end === bytes.length) return
      this.#endedWithReturn = end === carriage
      const event = this.#endLine()
      if (event) yield event
    }
  }

  #decode(bytes: Buffer): string {
    if (bytes.length === 0) return ''
    // Takes half the time of a decoder that checks.
    if (!isUtf8(bytes)) throw new StreamBreach('not UTF-8')
    const line = bytes.toString('utf8')
    const isMarked = this.#isFirstLine && line.startsWith(byteOrderMark)
    this.#isFirstLine = false
    return isMarked ? line.slice(1) : line
  }
}

function indexOrEnd(bytes: Buffer, byte: number, from: number): number {
  const index = bytes.indexOf(byte, from)
  return index === -1 ? bytes.length : index
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
