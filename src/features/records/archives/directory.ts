import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, rename, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { createGunzip, gunzip, gzip } from 'node:zlib'
import { syncDirectory } from '../../../base/sync-directory.ts'
import type { ArchiveFile, ArchiveLine, FileMark, PageMark } from './records.ts'

/** The archive files of this machine. Each page is a gzip member of its own, so that a file can be appended to and read with zcat. */
export type ArchiveDirectory = ReturnType<typeof createArchiveDirectory>

/** `intact`: begins with the recorded content; a crash may have left more after it. */
export type FileState = 'intact' | 'missing' | 'damaged'

type Named = Pick<ArchiveFile, 'fileName'> & FileMark

export function createArchiveDirectory(path: string) {
  const at = (fileName: string) => join(path, fileName)
  /** Files that were read or written as a whole, so that an append does not read them again. */
  const hashed = new Map<string, { readonly mark: FileMark; readonly hash: Hash }>()

  async function hashOf(file: Named): Promise<Hash | null> {
    const known = hashed.get(file.fileName)
    if (known && known.mark.sha256 === file.sha256 && known.mark.bytes === file.bytes) return known.hash.copy()
    const hash = createHash('sha256')
    for await (const chunk of recorded(at(file.fileName), file.bytes)) hash.update(chunk as Buffer)
    if (hash.copy().digest('hex') !== file.sha256) return null
    hashed.set(file.fileName, { mark: file, hash })
    return hash.copy()
  }

  async function stateOf(file: Named): Promise<FileState> {
    const size = await sizeOf(at(file.fileName))
    if (size === null) return 'missing'
    return size >= file.bytes && (await hashOf(file)) !== null ? 'intact' : 'damaged'
  }

  return {
    path,
    isInMemory: () => isInMemory(path),
    /** Reads the whole file, unless this program has read or written it before. */
    stateOf,
    /** Forgets what was read before, so that damage since then is noticed. */
    forget: () => hashed.clear(),
    /**
     * Adds a page to a file that is intact, or to a new one, and returns what is to be recorded. On disk when it resolves.
     * What was behind the recorded content is cut off.
     */
    async append(fileName: string, mark: FileMark | null, lines: readonly ArchiveLine[]): Promise<FileMark> {
      // A power cut could take a new folder away, and its files with it.
      if (await mkdir(path, { recursive: true, mode: 0o700 })) await syncDirectory(dirname(path))
      if (mark === null) await setAside(at(fileName))
      const hash = mark === null ? createHash('sha256') : await hashOf({ fileName, ...mark })
      if (hash === null) throw new Error(`${at(fileName)} is not as it was recorded`)
      const page = await compress(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      const start = mark?.bytes ?? 0
      await writeAt(at(fileName), { start, page, isNew: mark === null })
      if (mark === null) await syncDirectory(path)
      hash.update(page)
      const written = { bytes: start + page.length, sha256: hash.copy().digest('hex') }
      hashed.set(fileName, { mark: written, hash })
      return written
    },
    /** The lines of one page. Their hashes in the public tree prove them, so the rest of the file is not read. */
    async page({ fileName, start, bytes }: PageMark & Pick<ArchiveFile, 'fileName'>): Promise<ArchiveLine[]> {
      const packed = Buffer.alloc(bytes)
      const handle = await open(at(fileName), 'r')
      try {
        const { bytesRead } = await handle.read(packed, 0, bytes, start)
        if (bytesRead < bytes) throw new Error(`${at(fileName)} is too short`)
      } finally {
        await handle.close()
      }
      const text = (await unpack(packed, { maxOutputLength: largestPageBytes })).toString('utf8')
      return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as ArchiveLine]))
    },
    async *lines({ fileName, bytes }: Named): AsyncGenerator<ArchiveLine> {
      const input = recorded(at(fileName), bytes).pipe(createGunzip())
      for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) yield JSON.parse(line)
    },
  }
}

const compress = promisify(gzip)
const unpack = promisify(gunzip)
const largestPageBytes = 67_108_864

/** TMPFS_MAGIC and RAMFS_MAGIC of Linux; other systems number their file systems differently. */
const memoryFileSystems: readonly number[] = [0x01021994, 0x858458f6]

async function isInMemory(path: string): Promise<boolean> {
  if (process.platform !== 'linux') return false
  try {
    return memoryFileSystems.includes((await statfs(path)).type)
  } catch (error) {
    // The directory will be made: its parent decides.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && path !== dirname(path)) return isInMemory(dirname(path))
    throw error
  }
}

const recorded = (path: string, bytes: number) => createReadStream(path, { end: bytes - 1 })

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** A file that no record names was left by a crash, or belongs to another store: it is kept under another name. */
async function setAside(path: string): Promise<void> {
  if ((await sizeOf(path)) === null) return
  for (let number = 1; ; number += 1) {
    const aside = `${path}.unrecorded-${number}`
    if ((await sizeOf(aside)) === null) return rename(path, aside)
  }
}

async function writeAt(
  path: string,
  { start, page, isNew }: { start: number; page: Buffer; isNew: boolean },
): Promise<void> {
  const handle = await open(path, isNew ? 'wx' : 'r+', 0o600)
  try {
    await handle.truncate(start)
    await writeAll(handle, page, start)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function writeAll(handle: FileHandle, page: Buffer, start: number): Promise<void> {
  for (let written = 0; written < page.length; ) {
    const { bytesWritten } = await handle.write(page, written, page.length - written, start + written)
    written += bytesWritten
  }
}
