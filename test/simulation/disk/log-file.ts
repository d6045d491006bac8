import { createHash } from 'node:crypto'

/**
 * SQLite's write-ahead log, read as its file format describes it. Written apart from the gateway's own reader, which is among what
 * is tested.
 */

export const pageBytes = 4096
export const headerBytes = 32
export const frameBytes = 24 + pageBytes

export interface Frame {
  readonly page: number
  /** Pages of the database after the commit that this frame ends; 0 for a frame inside a transaction. */
  readonly pagesAfter: number
  /** Where its page begins in the log. */
  readonly at: number
}

/** The frames that a recovery replays: those before the first wrong one, up to the last commit among them. */
export function replayedFrames(log: Buffer): Frame[] {
  if (log.length < headerBytes || (log.readUInt32BE(0) & ~1) !== 0x377f0682) return []
  const isBigEndian = (log.readUInt32BE(0) & 1) === 1
  let sums = checksum(log.subarray(0, 24), isBigEndian, [0, 0])
  if (!isAt(log, 24, sums)) return []
  const frames: Frame[] = []
  let committed = 0
  for (let at = headerBytes; at + frameBytes <= log.length; at += frameBytes) {
    if (log.compare(log, 16, 24, at + 8, at + 16) !== 0) break
    sums = checksum(log.subarray(at, at + 8), isBigEndian, sums)
    sums = checksum(log.subarray(at + 24, at + frameBytes), isBigEndian, sums)
    if (!isAt(log, at + 16, sums)) break
    const frame = { page: log.readUInt32BE(at), pagesAfter: log.readUInt32BE(at + 4), at: at + 24 }
    frames.push(frame)
    if (frame.pagesAfter > 0) committed = frames.length
  }
  return frames.slice(0, committed)
}

/** The database as a reader sees it: its file with the log replayed over it. */
export function databaseOf(file: Buffer, log: Buffer): Buffer {
  const frames = replayedFrames(log)
  if (frames.length === 0) return file
  const pages = frames.at(-1)!.pagesAfter
  const database = Buffer.alloc(pages * pageBytes)
  file.copy(database, 0, 0, Math.min(file.length, database.length))
  for (const { page, at } of frames) if (page <= pages) log.copy(database, (page - 1) * pageBytes, at, at + pageBytes)
  return database
}

/** Without the numbers in the first page that the store changes on its own: they are not part of what was acknowledged. */
export function digestOf(file: Buffer, log: Buffer): string {
  const database = Buffer.from(databaseOf(file, log))
  for (const at of [24, 60, 92]) if (database.length >= at + 4) database.fill(0, at, at + 4)
  return createHash('sha1').update(database).digest('hex')
}

type Sums = readonly [number, number]

const isAt = (log: Buffer, at: number, [first, second]: Sums) =>
  log.readUInt32BE(at) === first && log.readUInt32BE(at + 4) === second

function checksum(bytes: Buffer, isBigEndian: boolean, [first, second]: Sums): Sums {
  const read = isBigEndian ? (at: number) => bytes.readUInt32BE(at) : (at: number) => bytes.readUInt32LE(at)
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + read(at) + second) >>> 0
    second = (second + read(at + 4) + first) >>> 0
  }
  return [first, second]
}
