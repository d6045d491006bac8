import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncDirectory } from '../../base/sync-directory.ts'
import type { Value } from '../engine.ts'

/**
 * One file of JSON lines: a header, then for each table its columns followed by its rows as arrays. The last line has the SHA-256
 * of everything before it, so that a file that was cut off or changed is found out.
 */
export type ExportLine = ExportHeader | TableLine | readonly Value[]

export interface ExportHeader {
  readonly format: typeof exportFormat
  readonly version: number
  readonly exportedAt: string
  /** The engine and the schema that it was read from. */
  readonly from: string
}

export interface TableLine {
  readonly table: string
  readonly columns: readonly string[]
}

export const exportFormat = 'api-relay-gateway export'
export const exportVersion = 1

/** The file cannot be imported: it is not an export, is damaged, or is newer than this program. */
export class ExportUnreadable extends Error {}

/** Writes a new private file; nothing is left of it if `work` fails. */
export async function writeExport<T>(
  file: string,
  work: (write: (line: ExportLine) => Promise<void>) => Promise<T>,
): Promise<T> {
  const handle = await open(file, 'wx', 0o600)
  try {
    const lines = new LineWriter(handle)
    const result = await work((line) => lines.write(line))
    await lines.finish()
    await handle.sync()
    await handle.close()
    await syncDirectory(dirname(file))
    return result
  } catch (error) {
    await handle.close()
    await rm(file)
    throw error
  }
}

const bufferedBytes = 256 * 1024

class LineWriter {
  readonly #handle: FileHandle
  readonly #hash: Hash = createHash('sha256')
  #waiting: string[] = []
  #length = 0

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  async write(line: ExportLine): Promise<void> {
    const text = `${JSON.stringify(line)}\n`
    this.#waiting.push(text)
    this.#length += text.length
    if (this.#length >= bufferedBytes) await this.#flush()
  }

  async finish(): Promise<void> {
    await this.#flush()
    await this.#handle.appendFile(`${JSON.stringify({ sha256: this.#hash.digest('hex') })}\n`)
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#waiting.join(''))
    this.#waiting = []
    this.#length = 0
    this.#hash.update(bytes)
    await this.#handle.appendFile(bytes)
  }
}

/** Reads the lines after the header. Throws `ExportUnreadable` at the end unless the file is whole. */
export async function* readExport(file: string): AsyncGenerator<TableLine | readonly Value[]> {
  const hash = createHash('sha256')
  let [number, isWhole] = [0, false]
  for await (const bytes of linesOf(file)) {
    number += 1
    const line = parse(bytes, () => `${file} is damaged at line ${number}`)
    if (isWhole) throw new ExportUnreadable(`${file} has more lines after its end`)
    if (number === 1) {
      checkHeader(file, line)
    } else if ('sha256' in line) {
      if (line.sha256 !== hash.digest('hex')) throw new ExportUnreadable(`${file} was changed: its checksum is another`)
      isWhole = true
      continue
    } else {
      yield line as TableLine | readonly Value[]
    }
    hash.update(bytes).update('\n')
  }
  if (!isWhole) throw new ExportUnreadable(`${file} ends early: it was cut off`)
}

function checkHeader(file: string, line: object): void {
  const { format, version } = line as Partial<ExportHeader>
  if (format !== exportFormat) throw new ExportUnreadable(`${file} is not an export of this gateway`)
  if (version === exportVersion) return
  throw new ExportUnreadable(`${file} has version ${version}, and this program reads version ${exportVersion}`)
}

function parse(bytes: Buffer, fault: () => string): object {
  try {
    const line: unknown = JSON.parse(bytes.toString('utf8'))
    if (typeof line === 'object' && line !== null) return line
  } catch {}
  throw new ExportUnreadable(fault())
}

/** Above any row: a stored response is the largest. */
const maxLineBytes = 64 * 1024 * 1024

/** Not `readline`, which also splits at U+2028. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  let restBytes = 0
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...rest, chunk.subarray(start, end)])
      rest = []
      restBytes = 0
      start = end + 1
    }
    rest.push(chunk.subarray(start))
    restBytes += chunk.length - start
    if (restBytes > maxLineBytes) throw new ExportUnreadable(`${file} has a line that is too long`)
  }
  if (restBytes > 0) yield Buffer.concat(rest)
}
