import { closeSync, existsSync, openSync, readFileSync, readSync, type Stats, statSync } from 'node:fs'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { backup } from 'node:sqlite'
import { now } from '../../base/clock.ts'
import { randomBytes } from '../../base/randomness.ts'
import type { Logger } from '../engine.ts'
import { StoreUnavailable, StoreUnusable } from '../engine.ts'
import { Connection } from './connection.ts'

const logOf = (file: string) => `${file}-wal`
const statOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false })

/** Whether anything is in the log of a store. */
export const hasLog = (file: string): boolean => (statOf(logOf(file))?.size ?? 0) > 0

/** SQLite would treat the store as new, and delete its log if there is one, losing the last commits. */
export function refuseEmptyFile(file: string): void {
  const bytes = statOf(file)?.size
  if (bytes !== undefined && bytes > 0) return
  if (hasLog(file)) {
    throw new StoreUnusable(
      `${file} is missing or empty, but its log ${logOf(file)} is not: restore both from a backup`,
    )
  }
  if (bytes === undefined) return
  throw new StoreUnusable(
    `${file} is empty, so it lost what was in it: restore it from a backup, or delete it to begin anew`,
  )
}

/** Creates a private store that is never empty, so that an empty one is known to be damaged. */
export async function createStoreFile(file: string): Promise<void> {
  if (existsSync(file)) return
  const partial = await createPartial(file)
  try {
    const connection = new Connection(partial, { busyTimeoutMs: 0, readOnly: false })
    connection.markFile()
    connection.close()
    await moveIntoPlace(partial, file).catch((error) => {
      // Another program was faster.
      if (!existsSync(file)) throw error
    })
  } finally {
    for (const name of [partial, logOf(partial), `${partial}-shm`]) await rm(name, { force: true })
  }
}

/** Created here with mode 0600; SQLite would use the umask's. */
async function createPartial(path: string): Promise<string> {
  const partial = `${path}.${randomBytes(8).toString('hex')}.partial`
  await (await open(partial, 'wx', 0o600)).close()
  return partial
}

/** Pages missing from the file must be in the log: SQLite reads a missing page as zeros. */
export function refuseTruncated(file: string, writer: Connection): void {
  const { page_count: pages } = writer.get<{ page_count: number }>('PRAGMA page_count')!
  const { page_size: pageBytes } = writer.get<{ page_size: number }>('PRAGMA page_size')!
  const { log } = writer.checkpoint('NOOP')
  const bytes = statOf(file)?.size ?? 0
  if (bytes + log * pageBytes >= pages * pageBytes) return
  throw new StoreUnusable(`${file} is truncated: ${bytes} of ${pages * pageBytes} bytes; restore it from a backup`)
}

export const identityOf = (path: string): string => {
  const stats = statOf(path)
  return stats ? `${stats.dev}:${stats.ino}` : 'none'
}

/**
 * Runs before every commit: writes to a deleted or replaced file are lost when the process ends. Either changes the time of the
 * folder, so one look at that is enough while it stays the same.
 */
export function createReplacedFileCheck(file: string): () => void {
  const folder = dirname(file)
  const opened = [file, logOf(file)].map((path) => ({ path, identity: identityOf(path) }))
  let settledMs: number | undefined
  return () => {
    const changedMs = statOf(folder)?.mtimeMs
    if (changedMs !== undefined && changedMs === settledMs) return
    for (const { path, identity } of opened) if (identityOf(path) !== identity) throw fileReplaced(path)
    // Another change within a tick of the file system's clock would have the same time.
    settledMs = changedMs !== undefined && now() - changedMs > tickMs ? changedMs : undefined
  }
}

const tickMs = 100

export const fileReplaced = (path: string): StoreUnavailable =>
  new StoreUnavailable(`${path} was deleted or replaced while it was in use; stop the gateway and restore the store`)

/** Copies the store, as of one moment, while it is in use. */
export async function copyStore(from: { file: string; busyTimeoutMs: number }, path: string): Promise<void> {
  if (existsSync(path)) throw alreadyExists(path)
  const partial = await createPartial(path)
  const source = new Connection(from.file, { busyTimeoutMs: from.busyTimeoutMs, readOnly: true })
  try {
    // An open read transaction, because otherwise every commit restarts the copy.
    source.exec('BEGIN')
    source.all('SELECT count(*) FROM sqlite_master')
    await backup(source.database, partial)
    await moveIntoPlace(partial, path)
  } finally {
    source.rollback()
    source.close()
    await rm(partial, { force: true })
  }
}

async function moveIntoPlace(partial: string, path: string): Promise<void> {
  try {
    await link(partial, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw alreadyExists(path)
    // Some file systems have no hard links.
    await rename(partial, path)
  }
}

const alreadyExists = (path: string) => new Error(`${path} already exists; a backup never overwrites a file`)

/** What a write-ahead log contains. */
interface LogContent {
  readonly damage: LogDamage | null
  /** The numbers of `Connection.stamp` in its commits. */
  readonly stamps: readonly number[]
}

/** Part of a write-ahead log that SQLite does not read, although it was written after everything before it. */
interface LogDamage {
  readonly offset: number
  /** Commits from there on. */
  readonly commits: number
}

/**
 * SQLite stops at the first frame with a wrong checksum and forgets the commits after it without a word. A commit waits until the
 * one before it is on the disk, so only the last one can be incomplete after a power cut; anything more is damage.
 */
export function refuseDamagedLog(file: string, logger: Logger): void {
  const log = logOf(file)
  const { damage, stamps } = readLog(log) ?? { damage: null, stamps: [] }
  refuseOtherLog(file, stamps)
  if (!damage) return
  const { offset, commits } = damage
  if (commits <= 1) {
    logger.warn({ log, offset }, 'the last commit in the log is incomplete and was left out')
    return
  }
  throw new StoreUnusable(
    `${log} is damaged at byte ${offset}, and ${commits} commits after it cannot be read: restore the store from a backup. To go on without them, cut the log off: truncate --size ${offset} ${log}`,
  )
}

/** SQLite replays any log over any database: one that lacks what the other has would give pages that never were together. */
function refuseOtherLog(file: string, stamps: readonly number[]): void {
  const [first] = stamps
  if (first === undefined) return
  const stamp = stampOf(file)
  if (stamp > stamps.at(-1)!) {
    throw new StoreUnusable(
      `${logOf(file)} is older than ${file}, or belongs to another database: restore both from a backup`,
    )
  }
  if (stamp < first - 1) {
    throw new StoreUnusable(`${file} lost what was written to it before its log began: restore both from a backup`)
  }
}

/** Where SQLite keeps `user_version` in the first page. */
const stampAt = 60

function stampOf(file: string): number {
  const bytes = Buffer.alloc(4)
  const descriptor = openSync(file, 'r')
  try {
    readSync(descriptor, bytes, 0, bytes.length, stampAt)
  } finally {
    closeSync(descriptor)
  }
  return bytes.readInt32BE()
}

const headerBytes = 32
const frameHeaderBytes = 24

/** Null if there is none, or if it is being written. */
function readLog(path: string): LogContent | null {
  const before = statOf(path)
  if (!before || before.size <= headerBytes) return null
  const content = contentOf(readFileSync(path))
  const after = statOf(path)
  return before.mtimeMs === after?.mtimeMs && before.size === after.size ? content : null
}

function contentOf(log: Buffer): LogContent {
  const pageBytes = log.readUInt32BE(8)
  const isLittleEndian = log.readUInt32BE(0) === 0x377f0682
  const sum = (from: number, to: number, seed: Checksum) => checksum(log.subarray(from, to), isLittleEndian, seed)
  const isHeaderValid = isSame(sum(0, headerBytes - 8, [0, 0]), storedAt(log, headerBytes - 8))
  // Without a header the log cannot be distinguished from an earlier one.
  if (!isHeaderValid) return { damage: { offset: 0, commits: 2 }, stamps: [] }
  const salts = log.subarray(16, 24)
  const frameBytes = frameHeaderBytes + pageBytes
  let seed = storedAt(log, headerBytes - 8)
  let [offset, commits] = [-1, 0]
  const stamps: number[] = []
  let uncommitted: number | undefined
  for (let at = headerBytes; at + frameBytes <= log.length; at += frameBytes) {
    const isCurrent = salts.equals(log.subarray(at + 8, at + 16))
    if (offset === -1) {
      const whole = sum(at + frameHeaderBytes, at + frameBytes, sum(at, at + 8, seed))
      if (isCurrent && isSame(whole, storedAt(log, at + 16))) {
        seed = whole
        if (log.readUInt32BE(at) === 1) uncommitted = log.readInt32BE(at + frameHeaderBytes + stampAt)
        if (log.readUInt32BE(at + 4) > 0 && uncommitted !== undefined) {
          stamps.push(uncommitted)
          uncommitted = undefined
        }
        continue
      }
      offset = at
    }
    // Frames of an earlier log have other salts.
    if (isCurrent && log.readUInt32BE(at + 4) > 0) commits += 1
  }
  return { damage: commits === 0 ? null : { offset, commits }, stamps }
}

type Checksum = readonly [number, number]

const storedAt = (log: Buffer, at: number): Checksum => [log.readUInt32BE(at), log.readUInt32BE(at + 4)]
const isSame = (a: Checksum, b: Checksum) => a[0] === b[0] && a[1] === b[1]

/** As SQLite's file format defines it; the magic number names the byte order. */
function checksum(bytes: Buffer, isLittleEndian: boolean, [first, second]: Checksum): Checksum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + view.getUint32(at, isLittleEndian) + second) >>> 0
    second = (second + view.getUint32(at + 4, isLittleEndian) + first) >>> 0
  }
  return [first, second]
}
