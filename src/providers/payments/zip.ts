import { inflateRawSync } from 'node:zlib'
import { PaymentFault } from './payment-provider.ts'

interface ZipEntry {
  /** Its bytes, because names are in GBK or UTF-8. */
  readonly name: Buffer
  readonly content: Buffer
}

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const endLength = 22
const maxComment = 65_535
const maxEntries = 100

/** The files in a ZIP archive, found by its central directory. Each is at most `maxBytes` long. */
export function readZip(zip: Buffer, maxBytes: number): ZipEntry[] {
  try {
    const end = findEnd(zip)
    const count = zip.readUInt16LE(end + 10)
    if (count > maxEntries) throw new PaymentFault('the archive has too many files')
    const entries: ZipEntry[] = []
    for (let at = zip.readUInt32LE(end + 16), index = 0; index < count; index += 1) {
      if (zip.readUInt32LE(at) !== entrySignature) throw new PaymentFault('the archive is damaged')
      const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field))
      const name = zip.subarray(at + 46, at + 46 + nameLength!)
      entries.push({ name, content: contentAt(zip, at, maxBytes) })
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

const stored = 0
const deflated = 8

function contentAt(zip: Buffer, entry: number, maxBytes: number): Buffer {
  const method = zip.readUInt16LE(entry + 10)
  const size = zip.readUInt32LE(entry + 20)
  const header = zip.readUInt32LE(entry + 42)
  const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
  const bytes = zip.subarray(start, start + size)
  if (method === deflated) return inflateRawSync(bytes, { maxOutputLength: maxBytes })
  if (method !== stored || bytes.length > maxBytes) throw new PaymentFault('the archive cannot be unpacked')
  return bytes
}
