import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type App, startApp } from '../../../src/app/app.ts'
import { now } from '../../../src/base/clock.ts'
import { dayMs } from '../../../src/base/time.ts'
import type { Config } from '../../../src/config/config.ts'
import { archivesOf } from '../../../src/features/records/archives/feature.ts'
import { type Report, reconcile } from '../../../src/features/records/reconcile/reconcile.ts'
import { publishedOf } from '../../../src/features/records/transparency/publisher.ts'
import type { EmbeddedEngine } from '../../../src/storage/sqlite/sqlite-engine.ts'
import { storeFacts } from '../../../src/storage/store-facts.ts'
import { cheapPasswords } from '../../../testkit/gateway/cheap-passwords.ts'
import { createLogger } from '../silent-logger.ts'
import { call } from './full-disk.ts'
import type { Image, Lie } from './images.ts'
import { configOf, logName, newFolder, removeFolder, storeName, writeFiles } from './installation.ts'
import { databaseOf, digestOf } from './log-file.ts'
import { type Moment, Recorder } from './recorder.ts'
import { digestOfRows } from './rows.ts'
import type { AnsweredCall, Recording } from './workload.ts'

export interface Verdict {
  readonly outcome: 'refused' | 'served all' | 'served a prefix' | 'served, and noticed' | 'served damage' | 'WRONG'
  /** The line of a refusal, what noticed it, or what is wrong. */
  readonly line: string
  /** What the gateway wrote afterwards, for another power cut. */
  readonly after: Recording
}

/** Errors whose message `main.ts` prints as it is. */
const selfExplanatory = new Set(['SecretUnusable', 'StoreUnusable', 'StoreUnavailable'])

/** Starts a gateway on an image, uses it, and judges what it did. */
export async function restart(image: Image, recording: Recording): Promise<Verdict> {
  const dataDir = newFolder()
  const lines: string[] = []
  const logger = createLogger((level, message) => void lines.push(`${level}: ${message}`))
  try {
    writeFiles(dataDir, image.files)
    const config = configOf(dataDir)
    const recorder = new Recorder(dataDir)
    let app: App
    try {
      app = await startApp({ config, logger, openStore: recorder.open, passwordCost: cheapPasswords })
    } catch (error) {
      return refusal(error as Error, { image, dataDir })
    }
    const started = new Started(app, image, recording)
    try {
      await started.use()
      const verdict = await started.judge(await examine(recorder.engine!, config), lines)
      return { ...verdict, after: { moments: recorder.moments, calls: started.calls } }
    } finally {
      await app.stop()
    }
  } finally {
    removeFolder(dataDir)
    removeFolder(`${dataDir}.json`)
  }
}

const nothing: Recording = { moments: [], calls: [] }
const wrong = (line: string) => ({ outcome: 'WRONG', line, after: nothing }) as const

function refusal({ name, message }: Error, { image, dataDir }: { image: Image; dataDir: string }): Verdict {
  const line = message.replaceAll(`${dataDir}/`, '')
  if (image.isHonest) return wrong(`refused after an honest power cut: ${line}`)
  if (!selfExplanatory.has(name) || message.includes('\n') || line === message)
    return wrong(`refused without a clear line: ${name}: ${message}`)
  for (const [file, content] of image.files) {
    const path = join(dataDir, file)
    if (!existsSync(path) || !readFileSync(path).equals(content))
      return wrong(`${file} was changed although the start was refused: ${line}`)
  }
  return { outcome: 'refused', line, after: nothing }
}

const refusedTree = 'error: the tree is not the one that was published; nothing is signed'

class Started {
  readonly calls: AnsweredCall[] = []
  readonly #app: App
  readonly #image: Image
  readonly #recording: Recording
  /** The last recorded moment with the same content; -1 if there was none. */
  readonly #prefix: number
  readonly #faults: string[] = []

  constructor(app: App, image: Image, recording: Recording) {
    this.#app = app
    this.#image = image
    this.#recording = recording
    const database = image.files.get(storeName)
    const state = database && digestOf(database, image.files.get(logName) ?? Buffer.alloc(0))
    this.#prefix = recording.moments.findLastIndex((moment: Moment) => moment.state === state)
  }

  /** Repeats calls that were answered, which must not be charged again, and makes a new one. */
  async use(): Promise<void> {
    const { port } = this.#app.public
    const known = this.#recording.calls.filter(({ moment }) => moment <= this.#prefix)
    for (const answered of known.filter(({ isOld }) => !isOld).slice(-20)) {
      const { status, body, isReplay } = await call(port, answered)
      if (status !== 200 || !isReplay || body !== answered.body)
        this.#faults.push(
          `${answered.idempotencyKey} was answered before, and now with ${status} ${body.slice(0, 200)}`,
        )
    }
    const last = known.at(-1)
    if (!last) return
    const { status, body } = await call(port, { ...last, idempotencyKey: 'after' })
    if (status !== 200) this.#faults.push(`a new call got ${status} ${body.slice(0, 200)}`)
    this.calls.push({ ...last, idempotencyKey: 'after', body, moment: Number.POSITIVE_INFINITY, isOld: false })
  }

  judge(examined: Examined, lines: readonly string[]): Omit<Verdict, 'after'> {
    const { isHonest, moment, files } = this.#image
    const prefix = this.#prefix
    if (this.#faults.length > 0) return wrong(this.#faults.join('; '))
    if (isHonest && prefix < moment) return wrong(`acknowledged at ${moment}, and only ${prefix} is there`)
    const { report } = examined
    const isOlder = this.#isOlderThanKept(prefix)
    if (isOlder && !lines.includes(refusedTree)) return wrong('older than what was published, which was not noticed')
    // The tree says that it is older, too.
    const differences = report.differences.filter(({ invariant }) => !isOlder || invariant !== 'I10')
    const isSound = differences.length === 0
    if (prefix >= 0 && !isSound && report.archives.missing.length === 0 && !this.#hasLostArchive())
      return wrong(`the books of moment ${prefix} do not balance: ${JSON.stringify(differences[0])}`)
    const noticed = lines.find((line) => line.startsWith('error: '))
    if (prefix < 0 && files.has(storeName) && !this.#hasAllRows()) return neverWas(this.#image.kind, examined)
    if (!isSound || report.archives.missing.length > 0)
      return { outcome: 'served, and noticed', line: 'reconcile: an archive file is missing or damaged' }
    if (noticed) return { outcome: 'served, and noticed', line: noticed }
    const isAll = prefix >= moment || (prefix < 0 && files.has(storeName))
    return { outcome: isAll ? 'served all' : 'served a prefix', line: '' }
  }

  /** What was changed is in bytes that nothing reads. */
  #hasAllRows(): boolean {
    const { files, moment } = this.#image
    const { database, log } = this.#recording.moments[moment]!
    const rows = digestOfRows(databaseOf(files.get(storeName)!, files.get(logName) ?? Buffer.alloc(0)))
    return rows !== null && rows === digestOfRows(databaseOf(database, log))
  }

  #hasLostArchive(): boolean {
    return this.#image.kind === 'archive missing' || this.#image.kind === 'short archive'
  }

  /** Whether the checkpoint that this machine has kept is of a later moment. */
  #isOlderThanKept(prefix: number): boolean {
    const kept = keptIn(this.#image.files)
    if (!publishedOf(kept)) return false
    const since = this.#recording.moments.findIndex(({ files }) => keptIn(files) === kept)
    const isKnown = prefix >= 0 || !this.#image.files.has(storeName)
    // It is kept right after the commit.
    return isKnown && prefix < since - 1
  }
}

const keptIn = (files: ReadonlyMap<string, Buffer>): string | null =>
  files.get('transparency/checkpoint')?.toString() ?? null

/** Only checksums of pages could tell, which SQLite does not have. */
const damageAtRest: ReadonlySet<Lie> = new Set<Lie>(['bit flip in the database', 'torn page of the database'])

/** Served although these rows never were together. */
function neverWas(kind: Lie, { report, damage }: Examined): Omit<Verdict, 'after'> {
  const [difference] = report.differences
  const said = difference && `reconcile says: ${difference.invariant} ${difference.what}`
  const noticed = damage ? 'the doctor says so' : (said ?? 'nothing notices it')
  const line = `served rows that never were together, and ${noticed}`
  return { outcome: damageAtRest.has(kind) ? 'served damage' : 'WRONG', line }
}

interface Examined {
  readonly report: Pick<Report, 'differences'> & { readonly archives: Pick<Report['archives'], 'missing'> }
  readonly damage: string | null
}

async function examine(engine: EmbeddedEngine, config: Config): Promise<Examined> {
  const path = join(config.dataDir, 'transparency/checkpoint')
  const unread = { differences: [], archives: { missing: [] } }
  try {
    const report = await reconcile(engine, {
      resultsKeptSince: now() - config.charges.resultDays * dayMs,
      kept: existsSync(path) ? publishedOf(readFileSync(path, 'utf8')) : null,
      archives: archivesOf(config),
    })
    return { report, damage: (await storeFacts(engine)).damage }
  } catch (error) {
    return { report: unread, damage: (error as Error).message }
  }
}
