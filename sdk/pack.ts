import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from './build.ts'

interface PackedFile {
  readonly path: string
  readonly bytes: Uint8Array
}

const home = import.meta.dirname

/** The package as `npm pack` makes it, without npm. Built from the same sources, it has the same bytes. */
export function packSdk(): Buffer {
  const dist = mkdtempSync(join(home, 'dist-'))
  try {
    build(dist)
    const files = [
      ...['package.json', 'README.md'].map((path) => ({ path, bytes: readFileSync(join(home, path)) })),
      ...readdirSync(dist)
        .sort()
        .map((name) => ({ path: `dist/${name}`, bytes: readFileSync(join(dist, name)) })),
    ]
    return packed(files)
  } finally {
    rmSync(dist, { recursive: true, force: true })
  }
}

const blockBytes = 512

export function packed(files: readonly PackedFile[]): Buffer {
  const blocks = files.flatMap(({ path, bytes }) => [headerOf(path, bytes.length), bytes, padding(bytes.length)])
  const archive = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]), { level: 9 })
  // The platform, "unknown" everywhere.
  archive[9] = 255
  return archive
}

const padding = (length: number) => Buffer.alloc((blockBytes - (length % blockBytes)) % blockBytes)

/** The time that npm gives to every file. */
const modifiedSeconds = Date.UTC(1985, 9, 26, 8, 15) / 1000

/** A ustar header, without owner and with a fixed time. */
function headerOf(path: string, length: number): Buffer {
  const header = Buffer.alloc(blockBytes)
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
  const name = `package/${path}`
  if (Buffer.byteLength(name) > 100) throw new Error(`the path ${name} is too long for a tar header`)
  header.write(name, 0)
  header.write(octal(0o644, 7), 100)
  header.write(octal(length, 11), 124)
  header.write(octal(modifiedSeconds, 11), 136)
  header.write('0', 156)
  header.write('ustar\u000000', 257)
  // Counted with spaces in its own place.
  header.fill(' ', 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 6)}\0`, 148)
  return header
}
