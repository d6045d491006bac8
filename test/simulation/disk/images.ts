import type { Prng } from '../prng.ts'
import { type Files, logName, storeName } from './installation.ts'
import { frameBytes, headerBytes, pageBytes, replayedFrames } from './log-file.ts'
import type { Moment } from './recorder.ts'

/** What a disk gives back after a power cut. */
export interface Image {
  readonly kind: Lie
  /** Whether the disk kept what it had acknowledged. */
  readonly isHonest: boolean
  /** The last moment before the power cut. */
  readonly moment: number
  readonly files: Files
  readonly about: string
}

export interface Scene {
  readonly moments: readonly Moment[]
  /** Of another store with the same secret. */
  readonly others: readonly Moment[]
  readonly random: Prng
}

const checkpointName = 'transparency/checkpoint'
const sectorBytes = 512

/** Null where the recording has no such moment. */
export function makeImage(kind: keyof typeof lies, scene: Scene): Image | null {
  const { moments, random } = scene
  const moment = random.between(Math.floor(moments.length / 4), moments.length - 1)
  const made = lies[kind](scene, moment)
  if (made === null) return null
  const isHonest = honest.has(kind)
  return { kind, isHonest, moment, files: made.files, about: `${kind} at ${moment}: ${made.about}` }
}

interface Made {
  readonly files: Files
  readonly about: string
}

type MakeImage = (scene: Scene, moment: number) => Made | null

const filesOf = ({ database, log, files }: Pick<Moment, 'database' | 'log' | 'files'>): Map<string, Buffer> =>
  new Map([...files, [storeName, database], [logName, log]])

/** Sectors of the later content reach the disk or do not, each for itself. */
function mixed(random: Prng, before: Buffer, after: Buffer): Buffer {
  const share = random.share()
  const grown = Math.max(0, Math.ceil((after.length - before.length) / sectorBytes))
  const length = Math.min(after.length, before.length + random.between(0, grown) * sectorBytes)
  const kept = Buffer.alloc(Math.max(length, Math.min(before.length, after.length)))
  before.copy(kept)
  for (let at = 0; at < kept.length; at += sectorBytes)
    if (at >= before.length || random.chance(share)) after.copy(kept, at, at, Math.min(at + sectorBytes, kept.length))
  return kept
}

/** The last moment whose log the store has asked the disk to keep: `PRAGMA synchronous` decides. */
function syncedBefore(moments: readonly Moment[], moment: number): number {
  const { synchronous } = moments[moment]!
  if (synchronous >= 2) return moment
  for (let at = moment; at > 0 && synchronous === 1; at -= 1)
    if (moments[at]!.database !== moments[at - 1]!.database) return at
  return 0
}

/** Everything synced is there, and any part of what was being written. */
function powerCut({ moments, random }: Scene, moment: number): Made {
  const now = moments[moment]!
  const next = moments[moment + 1] ?? now
  const synced = moments[syncedBefore(moments, moment)]!
  if (synced !== now) {
    const log = mixed(random, synced.log, now.log)
    return { files: filesOf({ ...now, log }), about: `synchronous is ${now.synchronous}` }
  }
  if (next.database !== now.database && random.chance(0.5)) {
    const database = mixed(random, now.database, next.database)
    return { files: filesOf({ ...next, database, files: now.files }), about: 'while the log was copied' }
  }
  const { before, after } = unsynced(random, now.log, next.log)
  return { files: filesOf({ ...now, log: mixed(random, before, after) }), about: 'during a commit' }
}

/** Between two moments are one or several commits, and each waits until the one before it is on the disk. */
function unsynced(random: Prng, now: Buffer, next: Buffer): { before: Buffer; after: Buffer } {
  const isSameLog = now.subarray(0, headerBytes).equals(next.subarray(0, headerBytes))
  const start = isSameLog ? endsOf(now).at(-1)! : headerBytes
  const ends = [start, ...endsOf(next).filter((end) => end > start)]
  const commit = random.between(0, Math.max(0, ends.length - 2))
  const upTo = (end: number) => {
    const log = Buffer.alloc(Math.max(now.length, end))
    now.copy(log)
    // SQLite syncs the header of a new log before it writes frames.
    next.copy(log, 0, 0, end)
    return log
  }
  return { before: upTo(ends[commit]!), after: upTo(ends[commit + 1] ?? ends[commit]!) }
}

/** Where the commits of a log end. */
const endsOf = (log: Buffer): number[] => {
  const ends = replayedFrames(log).flatMap(({ pagesAfter, at }) => (pagesAfter > 0 ? [at + pageBytes] : []))
  return ends.length > 0 ? ends : [headerBytes]
}

const earlier = ({ random }: Scene, moment: number): number =>
  random.chance(0.5) ? random.between(0, moment) : Math.max(0, moment - random.between(1, 20))

const flipped = (random: Prng, content: Buffer, from = 0): { content: Buffer; at: number } => {
  const at = random.between(from, content.length - 1)
  const copy = Buffer.from(content)
  copy[at]! ^= 1 << random.between(0, 7)
  return { content: copy, at }
}

/** Half of a range is as in the older content. */
function torn(random: Prng, content: Buffer, older: Buffer, range: { from: number; bytes: number }) {
  const { from, bytes } = range
  const half = bytes / 2
  const start = random.chance(0.5) ? from : from + half
  const copy = Buffer.from(content)
  copy.fill(0, start, start + half)
  if (start < older.length) older.copy(copy, start, start, start + half)
  return copy
}

/** The page of the database that a checkpoint changed, at random. */
function changedPage(random: Prng, older: Buffer, newer: Buffer): number | null {
  const pages = Array.from({ length: newer.length / pageBytes }, (_, page) => page * pageBytes).filter(
    (at) => !newer.subarray(at, at + pageBytes).equals(older.subarray(at, at + pageBytes)),
  )
  return pages.length === 0 ? null : random.pick(pages)
}

const without = (files: Map<string, Buffer>, name: string): Made | null =>
  files.delete(name) ? { files, about: `${name} is missing` } : null

function shortened(random: Prng, files: Map<string, Buffer>, name: string | undefined): Made | null {
  const content = name === undefined ? undefined : files.get(name)
  if (!content || content.length === 0) return null
  const bytes = random.between(0, content.length - 1)
  files.set(name!, content.subarray(0, bytes))
  return { files, about: `${name} has ${bytes} of ${content.length} bytes` }
}

const archiveIn = (files: Files): string | undefined => [...files.keys()].find((name) => name.startsWith('archives/'))

const lies = {
  'power cut': powerCut,
  'second power cut': (scene, moment) => powerCut(scene, moment),
  'lost fsync of everything': (scene, moment) => {
    const at = earlier(scene, moment)
    const { database, log } = scene.moments[at]!
    return { files: filesOf({ ...scene.moments[moment]!, database, log }), about: `all of ${at}` }
  },
  'lost fsync of the log': (scene, moment) => {
    const at = earlier(scene, moment)
    return { files: filesOf({ ...scene.moments[moment]!, log: scene.moments[at]!.log }), about: `the log of ${at}` }
  },
  'lost fsync of the database': (scene, moment) => {
    const at = earlier(scene, moment)
    const { database } = scene.moments[at]!
    return { files: filesOf({ ...scene.moments[moment]!, database }), about: `the database of ${at}` }
  },
  'lost part of a checkpoint': (scene, moment) => {
    const { moments, random } = scene
    const at = earlier(scene, moment)
    const database = mixed(random, moments[at]!.database, moments[moment]!.database)
    return { files: filesOf({ ...moments[moment]!, database }), about: `pages of the database of ${at}` }
  },
  'torn page of the database': (scene, moment) => {
    const { moments, random } = scene
    const older = moments[earlier(scene, moment)]!.database
    const { database, ...now } = moments[moment]!
    const from = changedPage(random, older, database)
    if (from === null) return null
    const half = torn(random, database, older, { from, bytes: pageBytes })
    return { files: filesOf({ ...now, database: half }), about: `page ${from / pageBytes + 1}` }
  },
  'torn frame of the log': (scene, moment) => {
    const { moments, random } = scene
    const { log, ...now } = moments[moment]!
    const frames = replayedFrames(log)
    if (frames.length === 0) return null
    const { at } = random.pick(frames)
    const half = torn(random, log, moments[earlier(scene, moment)]!.log, { from: at - 24, bytes: frameBytes })
    return { files: filesOf({ ...now, log: half }), about: `the frame at byte ${at - 24}` }
  },
  'short log': ({ moments, random }, moment) => shortened(random, filesOf(moments[moment]!), logName),
  'short database': ({ moments, random }, moment) => shortened(random, filesOf(moments[moment]!), storeName),
  'bit flip in the log': ({ moments, random }, moment) => {
    const { log, ...now } = moments[moment]!
    const { content, at } = flipped(random, log)
    return { files: filesOf({ ...now, log: content }), about: `byte ${at}` }
  },
  'bit flip in the database': ({ moments, random }, moment) => {
    const { database, ...now } = moments[moment]!
    const { content, at } = flipped(random, database)
    return { files: filesOf({ ...now, database: content }), about: `byte ${at}` }
  },
  'log of another database': ({ moments, others, random }, moment) => ({
    files: filesOf({ ...moments[moment]!, log: random.pick(others).log }),
    about: 'of another recording',
  }),
  'log missing': ({ moments }, moment) => without(filesOf(moments[moment]!), logName),
  'database missing': ({ moments }, moment) => without(filesOf(moments[moment]!), storeName),
  'database and log missing': ({ moments }, moment) => {
    const files = filesOf(moments[moment]!)
    files.delete(logName)
    return without(files, storeName)
  },
  'checkpoint file missing': ({ moments }, moment) => without(filesOf(moments[moment]!), checkpointName),
  'short checkpoint file': ({ moments, random }, moment) =>
    shortened(random, filesOf(moments[moment]!), checkpointName),
  'archive missing': ({ moments }, moment) => {
    const files = filesOf(moments[moment]!)
    const archive = archiveIn(files)
    return archive === undefined ? null : without(files, archive)
  },
  'short archive': ({ moments, random }, moment) => {
    const files = filesOf(moments[moment]!)
    return shortened(random, files, archiveIn(files))
  },
} satisfies Record<string, MakeImage>

export type Lie = keyof typeof lies | 'full disk'
/** Those that one recording is enough for. */
export const lieNames = (Object.keys(lies) as (keyof typeof lies)[]).filter((name) => name !== 'second power cut')

/** The disk kept its promises, and all that was acknowledged must be there. */
const honest: ReadonlySet<Lie> = new Set<Lie>(['power cut', 'second power cut'])
