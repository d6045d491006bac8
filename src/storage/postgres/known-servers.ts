import { readFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { randomBytes } from '../../base/randomness.ts'
import { writeSynced } from '../../base/secret-file.ts'
import { syncDirectory } from '../../base/sync-directory.ts'
import type { Logger } from '../engine.ts'
import { StoreUnusable } from '../engine.ts'

export interface MemoryFile {
  readonly path: string
  /** Whether to create its directory; a command may run as another user than the gateway. */
  readonly createsDirectory: boolean
}

export interface ServerRefusal {
  /** The newest timeline, if the server is an old primary. */
  readonly newestTimeline: string | null
  readonly reason: string
}

/** What is remembered of servers: across restarts if there is a file. */
interface Memory {
  /** The newest timeline seen of each system identifier. */
  timelines: Record<string, string>
  /** The system identifier to which each database (hosts and name) led. */
  systems: Record<string, string>
}

/**
 * Remembers the newest timeline of a database, so that an old primary that comes back writable is never used again, even
 * while its successor does not respond. Also remembers which database the URL led to: a server that was set up anew has none of
 * its rows.
 */
export class KnownServers {
  readonly #file: MemoryFile | null
  readonly #logger: Logger
  #memory: Memory
  #writing = Promise.resolve()

  constructor(file: MemoryFile | null, logger: Logger) {
    this.#file = file
    this.#logger = logger
    this.#memory = file ? readMemory(file.path) : { timelines: {}, systems: {} }
  }

  newestTimeline(system: string): string | undefined {
    return this.#memory.timelines[system]
  }

  /** Whether it is known to which database these hosts lead. */
  knows(database: string): boolean {
    return this.#memory.systems[database] !== undefined
  }

  /** Why a server must not be used for this database; null if it may be. */
  refusal(database: string, { system, timeline }: { system: string; timeline: string | null }): ServerRefusal | null {
    const known = this.#memory.systems[database]
    if (known !== undefined && known !== system) {
      const remedy = this.#file ? `remove ${this.#file.path} and start again` : 'start again'
      return {
        newestTimeline: null,
        reason: `is another database (system identifier ${system}) than before (${known}). If it replaces that one, ${remedy}.`,
      }
    }
    const newest = this.newestTimeline(system)
    if (timeline === null || newest === undefined || timeline >= newest) return null
    return {
      newestTimeline: newest,
      reason: `is an old primary: it is on timeline ${numberOf(timeline)}, and timeline ${numberOf(newest)} has been used since. Stop it; docs/recovery.md says how to go back to it.`,
    }
  }

  /** Resolves when it is on disk, or when that has failed. */
  async remember(database: string, { system, timeline }: { system: string; timeline: string }): Promise<void> {
    if (this.#memory.systems[database] === system && this.#memory.timelines[system] === timeline) return
    this.#memory = merge(this.#memory, { timelines: { [system]: timeline }, systems: { [database]: system } })
    this.#writing = this.#writing.then(() => this.#write())
    await this.#writing
  }

  async #write(): Promise<void> {
    if (!this.#file) return
    const { path, createsDirectory } = this.#file
    try {
      if (createsDirectory) await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      // Other gateways and commands may share the directory.
      this.#memory = merge(readMemory(path), this.#memory)
      await replaceDurably(path, `${JSON.stringify(this.#memory)}\n`)
    } catch (error) {
      if (!createsDirectory && (error as NodeJS.ErrnoException).code === 'ENOENT') return
      this.#logger.warn({ err: error }, 'the newest timeline of the database was not written to the data directory')
    }
  }
}

const numberOf = (timeline: string) => Number.parseInt(timeline, 16)

/** Enough for every database that a data directory was ever used with. */
const maxEntries = 32

function merge(older: Memory, newer: Memory): Memory {
  const timelines = { ...older.timelines }
  for (const [system, timeline] of Object.entries(newer.timelines)) {
    const known = timelines[system]
    delete timelines[system]
    timelines[system] = known !== undefined && known > timeline ? known : timeline
  }
  const kept = Object.fromEntries(Object.entries(older.systems).filter(([database]) => !(database in newer.systems)))
  return { timelines: lastOf(timelines), systems: lastOf({ ...kept, ...newer.systems }) }
}

const lastOf = (entries: Record<string, string>) => Object.fromEntries(Object.entries(entries).slice(-maxEntries))

function readMemory(path: string): Memory {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { timelines: {}, systems: {} }
    throw new StoreUnusable(`${path} cannot be read: ${(error as Error).message}`, { cause: error })
  }
  try {
    const { timelines, systems } = JSON.parse(text)
    return { timelines: { ...timelines }, systems: { ...systems } }
  } catch (error) {
    throw new StoreUnusable(
      `${path} is damaged. It keeps the newest timeline of the database: make sure that no old primary accepts writes, then remove it.`,
      { cause: error },
    )
  }
}

async function replaceDurably(path: string, text: string): Promise<void> {
  const partial = `${path}.${randomBytes(8).toString('hex')}`
  try {
    await writeSynced(partial, text)
    await rename(partial, path)
  } finally {
    await rm(partial, { force: true })
  }
  await syncDirectory(dirname(path))
}
