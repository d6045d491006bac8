import { createInflateRaw } from 'node:zlib'
import { PaymentFault } from './payment-provider.ts'

export interface ZipLimits {
  readonly maxFiles: number
  /** Of all files together, unpacked. */
  readonly maxBytes: number
}

interface Packed {
  readonly isDeflated: boolean
  readonly bytes: Buffer
}

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const endLength = 22
const maxComment = 65_535
const stored = 0
const deflated = 8

/**
 * The files in a ZIP archive, found by its central directory, each as a stream of its content. Read one after the other. They are
 * inflated in the thread pool, chunk by chunk, and never further than the limit.
 */
export async function* unzip(zip: Buffer, { maxFiles, maxBytes }: ZipLimits): AsyncGenerator<AsyncIterable<Buffer>> {
  let left = maxBytes
  async function* contentOf({ isDeflated, bytes }: Packed): AsyncGenerator<Buffer> {
    for await (const chunk of isDeflated ? inflated(bytes) : [bytes]) {
      left -= chunk.length
      if (left < 0) throw new PaymentFault('the archive unpacks to more than is allowed')
      yield chunk
    }
  }
  for (const packed of entriesOf(zip, maxFiles)) yield contentOf(packed)
}

async function* inflated(bytes: Buffer): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: 65_536 })
  inflate.end(bytes)
  try {
    yield* inflate
  } catch {
    throw new PaymentFault('the archive is damaged')
  }
}

function entriesOf(zip: Buffer, maxFiles: number): Packed[] {
  try {
    const end = findEnd(zip)
    const count = zip.readUInt16LE(end + 10)
    if (count > maxFiles) throw new PaymentFault('the archive has too many files')
    const entries: Packed[] = []
    for (let at = zip.readUInt32LE(end + 16), index = 0; index < count; index += 1) {
      if (zip.readUInt32LE(at) !== entrySignature) throw new PaymentFault('the archive is damaged')
      const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field))
      entries.push(packedAt(zip, at))
      at += 46 + nameLength! + extraLength! + commentLength!
    }
    return entries
  } catch (error) {
    if (error instanceof PaymentFault) throw error
    throw new PaymentFault('the archive cannot be read')
  }
}

function findEnd(zip: Buffer): number {
  for (let at = zip.length - endLength; at >= Math.max(0, zip.length - endLength - maxComment); at -= 1) {
    if (zip.readUInt32LE(at) === endSignature) return at
  }
  throw new PaymentFault('the download is not an archive')
}

function packedAt(zip: Buffer, entry: number): Packed {
  const method = zip.readUInt16LE(entry + 10)
  const size = zip.readUInt32LE(entry + 20)
  const header = zip.readUInt32LE(entry + 42)
  const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
  if (method !== stored && method !== deflated) throw new PaymentFault('the archive cannot be unpacked')
  if (start + size > zip.length) throw new PaymentFault('the archive is damaged')
  return { isDeflated: method === deflated, bytes: zip.subarray(start, start + size) }
}
