import { readFileSync } from 'node:fs'
import { StoreUnusable } from '../engine.ts'
import type { Logger } from '../logger.ts'
import { statOf } from './store-files.ts'

/** Part of a write-ahead log that SQLite does not read, although it was written after everything before it. */
export interface LogDamage {
  /** Where the first unreadable frame begins. */
  readonly offset: number
  /** Commits from there on. */
  readonly commits: number
}

/**
 * SQLite stops at the first frame with a wrong checksum and forgets the commits after it without a word. A commit waits until the
 * one before it is on the disk, so only the last one can be incomplete after a power cut; anything more is damage.
 */
export function refuseDamagedLog(file: string, logger: Logger): void {
  const log = `${file}-wal`
  const damage = findLogDamage(log)
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

const headerBytes = 32
const frameHeaderBytes = 24

/** Null if nothing is lost, or if somebody writes to the log just now. */
export function findLogDamage(path: string): LogDamage | null {
  const before = statOf(path)
  if (!before || before.size <= headerBytes) return null
  const log = readFileSync(path)
  const damage = damageIn(log)
  const after = statOf(path)
  return before.mtimeMs === after?.mtimeMs && before.size === after.size ? damage : null
}

function damageIn(log: Buffer): LogDamage | null {
  const pageBytes = log.readUInt32BE(8)
  const isLittleEndian = log.readUInt32BE(0) === 0x377f0682
  const sum = (from: number, to: number, seed: Checksum) => checksum(log.subarray(from, to), isLittleEndian, seed)
  const isHeaderValid = isSame(sum(0, headerBytes - 8, [0, 0]), storedAt(log, headerBytes - 8))
  // Without a header nothing in the log can be told apart from an earlier one.
  if (!isHeaderValid) return { offset: 0, commits: 2 }
  const salts = log.subarray(16, 24)
  const frameBytes = frameHeaderBytes + pageBytes
  let seed = storedAt(log, headerBytes - 8)
  let [offset, commits] = [-1, 0]
  for (let at = headerBytes; at + frameBytes <= log.length; at += frameBytes) {
    const isCurrent = salts.equals(log.subarray(at + 8, at + 16))
    if (offset === -1) {
      const whole = sum(at + frameHeaderBytes, at + frameBytes, sum(at, at + 8, seed))
      if (isCurrent && isSame(whole, storedAt(log, at + 16))) {
        seed = whole
        continue
      }
      offset = at
    }
    // Frames of an earlier log have other salts.
    if (isCurrent && log.readUInt32BE(at + 4) > 0) commits += 1
  }
  return commits === 0 ? null : { offset, commits }
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
