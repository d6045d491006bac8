import { createHmac, type Hmac, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { exportKeyOf, type Keyring } from '../../base/keyring.ts'
import { syncDirectory } from '../../base/sync-directory.ts'
import type { Value } from '../engine.ts'

/**
 * One file of JSON lines: a header, then for each table its columns followed by its rows as arrays. The last line has an HMAC of
 * everything before it, so that only someone who has the gateway's secret can change a file unnoticed.
 */
export type ExportLine = ExportHeader | TableLine | readonly Value[]

export interface ExportHeader {
  readonly format: typeof exportFormat
  readonly version: number
  readonly exportedAt: string
  /** The engine and the schema that it was read from. */
  readonly from: string
  /** The version of the secret whose HMAC ends the file. */
  readonly secret: string
}

export interface TableLine {
  readonly table: string
  readonly columns: readonly string[]
}

export const exportFormat = 'api-relay-gateway export'
/** Version 1 had a checksum that anybody could compute. */
export const exportVersion = 2

/** The file cannot be imported: it is not an export, is damaged, or is newer than this program. */
export class ExportUnreadable extends Error {}

/** Writes a new private file; nothing is left of it if `work` fails. */
export async function writeExport<T>(
  file: string,
  { current }: Keyring,
  work: (write: (line: ExportLine) => Promise<void>) => Promise<T>,
): Promise<T> {
  const handle = await open(file, 'wx', 0o600)
  try {
    const lines = new LineWriter(handle, createHmac('sha256', exportKeyOf(current)))
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
  readonly #hmac: Hmac
  #waiting: string[] = []
  #length = 0

  constructor(handle: FileHandle, hmac: Hmac) {
    this.#handle = handle
    this.#hmac = hmac
  }

  async write(line: ExportLine): Promise<void> {
    const text = `${JSON.stringify(line)}\n`
    this.#waiting.push(text)
    this.#length += text.length
    if (this.#length >= bufferedBytes) await this.#flush()
  }

  async finish(): Promise<void> {
    await this.#flush()
    await this.#handle.appendFile(`${JSON.stringify({ hmac: this.#hmac.digest('hex') })}\n`)
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#waiting.join(''))
    this.#waiting = []
    this.#length = 0
    this.#hmac.update(bytes)
    await this.#handle.appendFile(bytes)
  }
}

/** Reads the lines after the header. Throws `ExportUnreadable` at the end unless the file is whole and was written with our secret. */
export async function* readExport(file: string, keyring: Keyring): AsyncGenerator<TableLine | readonly Value[]> {
  let hmac: Hmac | undefined
  let [number, isWhole] = [0, false]
  for await (const bytes of linesOf(file)) {
    number += 1
    const line = parse(bytes, () => `${file} is damaged at line ${number}`)
    if (isWhole) throw new ExportUnreadable(`${file} has more lines after its end`)
    if (number === 1) {
      hmac = hmacOf(file, line, keyring)
    } else if ('hmac' in line) {
      if (!isEqual(String(line.hmac), hmac!.digest()))
        throw new ExportUnreadable(`${file} was changed: its HMAC is wrong`)
      isWhole = true
      continue
    } else {
      yield line as TableLine | readonly Value[]
    }
    hmac!.update(bytes).update('\n')
  }
  if (!isWhole) throw new ExportUnreadable(`${file} ends early: it was cut off`)
}

const isEqual = (hex: string, digest: Buffer): boolean => {
  const given = Buffer.from(hex, 'hex')
  return given.length === digest.length && timingSafeEqual(given, digest)
}

/** By the secret that the header names. */
function hmacOf(file: string, line: object, { keys }: Keyring): Hmac {
  const { format, version, secret } = line as Partial<ExportHeader>
  if (format !== exportFormat) throw new ExportUnreadable(`${file} is not an export of this gateway`)
  if (version !== exportVersion)
    throw new ExportUnreadable(
      `${file} has version ${version}, and this program reads version ${exportVersion}: export the store again with this program, or, if a build before 0.2.0 wrote it, import the file with 0.2.0`,
    )
  const key = keys.find((one) => one.version === secret)
  if (!key)
    throw new ExportUnreadable(`${file} was written with another secret: import it with the secret of its store`)
  return createHmac('sha256', exportKeyOf(key))
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
