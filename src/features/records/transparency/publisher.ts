import { readFileSync } from 'node:fs'
import * as files from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { randomBase62 } from '../../../base/ids.ts'
import { sometimes } from '../../../base/sometimes.ts'
import type { Engine, Reader } from '../../../storage/engine.ts'
import type { KeeperCheck } from './keepers.ts'
import {
  contradictionsOf,
  currentLog,
  ensureFirstLog,
  findLog,
  insertContradiction,
  type LogRow,
  refuseLog,
  type TileCache,
  TileMissing,
  tileReader,
} from './log-store.ts'
import { type Checkpoint, readCheckpoint } from './note.ts'
import { type ReadTile, rootOf } from './tree.ts'

export interface Published extends Checkpoint {
  readonly note: string
  readonly logNumber: number
}

export type CheckpointPublisher = ReturnType<typeof createPublisher>

export interface PublisherDeps {
  readonly engine: Pick<Engine, 'read' | 'write'>
  readonly dataDir: string
  readonly tiles: TileCache
  readonly keep?: KeepCheckpoint
  /** Whether the other instances have compared their checkpoints, too. */
  readonly keepers?: KeeperCheck
  /** The store's tree is not the one whose checkpoint was published. */
  readonly onRefused: (kept: Published, fault: string) => void
}

/**
 * Decides which checkpoint this instance serves. It keeps the last one in a file, written before it is served. A store whose tree
 * is smaller or different is refused: then the kept checkpoint stays, and no instance signs any more.
 */
export function createPublisher({ engine, dataDir, tiles, onRefused, keep = keepAside, keepers }: PublisherDeps) {
  const file = keptCheckpointFile(dataDir)
  let served: Published | null = null
  let isRefused = false
  /** The checkpoint of this instance's last commit. */
  let appended: string | null = null
  const contradict = createContradictions(engine)

  /** Compares the store with what was published, and publishes what it has appended. Returns the log if it may be signed. */
  async function refresh(): Promise<LogRow | null> {
    // Read before the store, so that the store is never older than the file, also where instances share a directory.
    const kept = readKept(file) ?? served
    const { log, fault, server } = await engine.read(async (tx) => {
      const log = await currentLog(tx)
      // What this instance has just appended itself need not be hashed again.
      const isOwn = kept !== null && kept.note === appended && log.checkpoint === appended
      const fault = kept && !isOwn && (await contradiction(tx, log, kept, (number) => tiles.reader(tx, number)))
      return { log, fault, server: (await keepers?.readServer(tx)) ?? null }
    })
    if (kept && fault) {
      sometimes('the store contradicts a published checkpoint')
      served = kept
      if (!isRefused) onRefused(kept, fault)
      isRefused = true
      await contradict.refuse(log, kept)
      return null
    }
    if (kept && kept.logNumber < log.logNumber) await contradict.recordEnded(kept)
    isRefused = log.refused !== null
    const stored = publishedOf(log.checkpoint)
    if (stored && !isRefused) {
      if (stored.note !== kept?.note) await keep(file, stored.note)
      served = stored
    } else served = kept
    return isRefused || !((await keepers?.mayFollow(server)) ?? true) ? null : log
  }

  return {
    refresh,
    /** Serves a checkpoint that this instance has just committed. */
    async publish(note: string): Promise<void> {
      const published = publishedOf(note)!
      await keep(file, published.note)
      served = published
      appended = note
    },
    /** What is served now; null before the first entry. */
    current: (): Published | null => served,
    /** False while the store contradicts what was published: then there are no proofs. */
    isSound: (): boolean => !isRefused,
  }
}

/** Records what an instance has published and the store contradicts: each its own, once. */
function createContradictions(engine: Pick<Engine, 'read' | 'write'>) {
  let recorded: string | null = null
  return {
    async refuse(log: LogRow, kept: Published): Promise<void> {
      if (log.refused !== null && recorded === kept.note) return
      await engine.write(async (tx) => {
        if (log.logNumber === 1) await ensureFirstLog(tx)
        await refuseLog(tx, log.logNumber, kept.note)
        await insertContradiction(tx, kept.logNumber, kept.note)
      })
      recorded = kept.note
    },
    /** A fork ended the log; this instance was not running when it was announced. */
    async recordEnded(kept: Published): Promise<void> {
      const fault = await engine.read(async (tx) => {
        const ended = await findLog(tx, kept.logNumber)
        return ended ? contradiction(tx, ended, kept) : 'the log is missing'
      })
      if (fault) await engine.write((tx) => insertContradiction(tx, kept.logNumber, kept.note))
    },
  }
}

/** Every published checkpoint that a log contradicts, the newest first. Gateways of 0.2.0 recorded only one, with the log. */
export async function contradictedBy(tx: Reader, log: LogRow, to?: number): Promise<Published[]> {
  const notes = [...(log.refused === null ? [] : [log.refused]), ...(await contradictionsOf(tx, log.logNumber, to))]
  const found = new Map(
    notes.flatMap((note) => {
      const published = publishedOf(note)
      // Signatures may have been added to one of them.
      return published ? [[`${published.origin} ${published.size} ${published.root.toString('hex')}`, published]] : []
    }),
  )
  return [...found.values()].sort((a, b) => b.logNumber - a.logNumber || b.size - a.size)
}

export type KeepCheckpoint = (file: string, note: string) => void | Promise<void>

/** In another thread: replacing a file may wait for the disk. */
export const keepWith =
  ({ mkdir, open, rename }: Pick<typeof files, 'mkdir' | 'open' | 'rename'>): KeepCheckpoint =>
  async (file, note) => {
    const folder = dirname(file)
    const syncNames = async (path: string) => {
      await using directory = await open(path, 'r')
      await directory.sync()
    }
    // A power cut could take a new folder away, and with it what was published.
    if (await mkdir(folder, { recursive: true, mode: 0o700 })) await syncNames(dirname(folder))
    // A name of its own, because instances may share the directory.
    const written = `${file}.${randomBase62(8)}`
    // Synced before and after the rename: after a power cut, an empty file would hide what was published.
    {
      await using handle = await open(written, 'w', 0o600)
      await handle.writeFile(note)
      await handle.sync()
    }
    await rename(written, file)
    await syncNames(folder)
  }

const keepAside = keepWith(files)

export const keptCheckpointFile = (dataDir: string): string => join(dataDir, 'transparency', 'checkpoint')

/** The kept checkpoint cannot be read, so it is unknown whether the store is older: nothing is signed. */
export class KeptUnreadable extends Error {
  override readonly name = 'KeptUnreadable'
}

/** What an instance has kept; null if it has kept nothing. */
export function readKept(file: string): Published | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const kept = publishedOf(text)
  if (kept) return kept
  throw new KeptUnreadable(
    `${file} is not a checkpoint: put the last one there that payers or witnesses have, or remove it if the store was not restored`,
  )
}

export function publishedOf(note: string | null): Published | null {
  const checkpoint = note === null ? null : readCheckpoint(note)
  if (!checkpoint) return null
  const [, number = '1'] = /\/transparency(?:\/([1-9]\d{0,8}))?$/.exec(checkpoint.origin) ?? []
  return { ...checkpoint, note: note!, logNumber: Number(number) }
}

/** Why nothing is signed, for the doctor; null if all is well. */
export async function transparencyFault(engine: Pick<Engine, 'read'>, dataDir: string): Promise<string | null> {
  let kept: Published | null
  try {
    kept = readKept(keptCheckpointFile(dataDir))
  } catch (error) {
    if (error instanceof KeptUnreadable) return error.message
    throw error
  }
  return engine.read(async (tx) => {
    const log = await currentLog(tx)
    if (log.refused === null) return kept && contradiction(tx, log, kept)
    const sizes = (await contradictedBy(tx, log)).map(({ size }) => size).join(', ')
    return `log ${log.logNumber} has ${log.size} leaves and contradicts what was published: checkpoints of ${sizes} leaves`
  })
}

/** Why a log cannot have been the one of a published checkpoint; null if it continues it, or an operator announced a fork. */
export async function contradiction(
  tx: Reader,
  log: LogRow,
  kept: Published,
  reader: (logNumber: number) => ReadTile = (logNumber) => tileReader(tx, logNumber),
): Promise<string | null> {
  if (log.logNumber > kept.logNumber) return null
  if (log.logNumber < kept.logNumber) return `log ${kept.logNumber} is missing`
  if (log.size < kept.size) return `the tree has ${log.size} leaves, and ${kept.size} were published`
  try {
    const root = await rootOf(reader(log.logNumber), kept.size)
    return root.equals(kept.root) ? null : `the first ${kept.size} leaves are not those that were published`
  } catch (error) {
    if (error instanceof TileMissing) return error.message
    throw error
  }
}
