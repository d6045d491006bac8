import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from '../../../src/ledger/commands.ts'
import type { Logger, Reader, ScriptStatement, Writer } from '../../../src/storage/engine.ts'
import { type OpenedEngine, openStore } from '../../../src/storage/open-store.ts'
import type { AppliedBatch } from '../../../src/storage/sqlite/protocol.ts'
import { type EmbeddedEngine, openSqlite } from '../../../src/storage/sqlite/sqlite-engine.ts'
import { storeName } from './installation.ts'
import { digestOf } from './log-file.ts'

/** The files of a data directory at a moment when everything so far was acknowledged. */
export interface Moment {
  readonly database: Buffer
  readonly log: Buffer
  /** The other files, by their path in the data directory. */
  readonly files: ReadonlyMap<string, Buffer>
  /** Digest of the database with its log replayed over it. */
  readonly state: string
  /** `PRAGMA synchronous` of the writer: what the disk was asked to keep. */
  readonly synchronous: number
}

/** Short, so that a recording has several generations of the log, and deterministic: the writer itself copies it. */
const logSizes = { copyPages: 20, restartPages: 20, limitPages: 60 }

/** Records every acknowledged commit of a real store: what its files contain, byte for byte. */
export class Recorder {
  readonly moments: Moment[] = []
  readonly #dataDir: string
  /** The opened store itself, for reads that are not of the gateway. */
  engine: EmbeddedEngine | null = null
  #synchronous = 2
  #stamp = ''

  constructor(dataDir: string) {
    this.#dataDir = dataDir
  }

  /** Opens the store as a gateway does. */
  readonly open: typeof openStore = async (options) => this.#wrap((await openStore(options)) as EmbeddedEngine)

  /** The same with a short log. The schema must be there. */
  async openShort(logger: Logger): Promise<OpenedEngine> {
    const file = join(this.#dataDir, storeName)
    return this.#wrap(await openSqlite({ file, exclusive: true, logger, logSizes, hasCheckpointer: false }))
  }

  async #wrap(engine: EmbeddedEngine): Promise<OpenedEngine> {
    const { synchronous } = (await engine.write((tx) => tx.get<{ synchronous: number }>('PRAGMA synchronous')))!
    this.#synchronous = synchronous
    this.engine = engine
    this.note()
    return new RecordedEngine(engine, () => this.note()) as OpenedEngine
  }

  /** The number of the last moment. */
  get last(): number {
    return this.moments.length - 1
  }

  /** Adds a moment. Only while the store is idle. */
  note(): void {
    const path = join(this.#dataDir, storeName)
    const { mtimeNs, size } = statSync(path, { bigint: true })
    const stamp = `${mtimeNs} ${size}`
    const database = stamp === this.#stamp ? this.moments.at(-1)!.database : readFileSync(path)
    this.#stamp = stamp
    const log = readFileSync(`${path}-wal`)
    const files = otherFiles(this.#dataDir)
    this.moments.push({ database, log, files, state: digestOf(database, log), synchronous: this.#synchronous })
  }
}

const otherFiles = (dataDir: string): Map<string, Buffer> =>
  new Map(
    readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.startsWith(storeName) && !name.endsWith('.lock'))
      .filter((name) => statSync(join(dataDir, name)).isFile())
      .map((name) => [name, readFileSync(join(dataDir, name))]),
  )

/** One write at a time; its caller gets the answer after the recorder has seen the files. */
class RecordedEngine implements EmbeddedEngine {
  readonly kind = 'sqlite'
  readonly isShared = false
  readonly #engine: EmbeddedEngine
  readonly #onCommit: () => void
  #queue: Promise<unknown> = Promise.resolve()

  constructor(engine: EmbeddedEngine, onCommit: () => void) {
    this.#engine = engine
    this.#onCommit = onCommit
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work).then((value) => {
      this.#onCommit()
      return value
    })
    this.#queue = done.catch(() => {})
    return done
  }

  read<T>(work: (tx: Reader) => Promise<T>): Promise<T> {
    return this.#engine.read(work)
  }

  write<T>(work: (tx: Writer) => Promise<T>): Promise<T> {
    return this.#inTurn(() => this.#engine.write(work))
  }

  call(name: 'applyBatch', commands: readonly Command[]): Promise<AppliedBatch> {
    return this.#inTurn(() => this.#engine.call(name, commands))
  }

  script(statements: readonly ScriptStatement[]): Promise<boolean> {
    return this.#inTurn(() => this.#engine.script!(statements))
  }

  check(options?: { readonly needsRoom: boolean }): Promise<void> {
    return this.#inTurn(() => this.#engine.check(options))
  }

  backup(path: string): Promise<void> {
    return this.#engine.backup(path)
  }

  async close(): Promise<void> {
    await this.#queue
    await this.#engine.close()
  }
}
