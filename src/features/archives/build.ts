import { mkdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import type { Metrics } from '../../ops/metrics.ts'
import type { Logger } from '../../storage/logger.ts'
import type { OpenedEngine } from '../../storage/open-engine.ts'
import { tryLock } from '../../storage/sqlite/instance-lock.ts'
import { type Archiver, createArchiver, refusalText } from './archiver.ts'
import { type ArchiveDirectory, createArchiveDirectory } from './directory.ts'
import type { ArchiveFile } from './records.ts'
import { createArchiveStore } from './store.ts'

type ArchiveConfig = Pick<Config, 'dataDir' | 'charges'>

export const archivesOf = ({ dataDir }: Pick<Config, 'dataDir'>): ArchiveDirectory =>
  createArchiveDirectory(join(dataDir, 'archives'))

export interface ArchiverOptions {
  readonly engine: OpenedEngine
  readonly config: ArchiveConfig
  /** Names this program. */
  readonly holder: string
  readonly clock: () => number
  readonly onNewPart: (file: ArchiveFile) => void
}

/** Null while nothing is to be archived. */
export function buildArchiver({ engine, config, holder, clock, onNewPart }: ArchiverOptions): Archiver | null {
  const { dataDir } = config
  const { retentionDays, resultDays } = config.charges
  if (retentionDays === null) return null
  return createArchiver({
    store: createArchiveStore(engine),
    directory: archivesOf(config),
    lockDirectory: async () => {
      await mkdir(dataDir, { recursive: true, mode: 0o700 })
      return tryLock(join(dataDir, 'archives'))
    },
    holder,
    host: hostname(),
    clock,
    retentionDays,
    resultDays,
    onNewPart,
  })
}

/** What a gateway archives by itself, with its log lines and metrics. */
export function buildArchiving({ logger, ...options }: Omit<ArchiverOptions, 'onNewPart'> & { logger: Logger }) {
  const archiver = buildArchiver({
    ...options,
    onNewPart: ({ fileName, host }) =>
      logger.warn({ fileName, host }, 'an archive file is not here; a new part begins'),
  })
  const total = { charges: 0, entries: 0 }
  async function archive(stopping: AbortSignal): Promise<void> {
    const { refusal, heldUp, ...moved } = await archiver!.run(stopping)
    if (refusal?.because === 'clock' || refusal?.because === 'memory')
      logger.warn({ reason: refusalText(refusal) }, 'old charges were not archived')
    if (refusal !== null) return
    total.charges += moved.charges
    total.entries += moved.entries
    if (moved.entries > 0) logger.info(moved, 'old charges were archived')
    if (heldUp.length > 0) logger.warn({ heldUp: heldUp.slice(0, 10) }, 'some ledgers cannot be archived further')
  }
  return {
    archive: archiver && archive,
    registerMetrics(metrics: Metrics): void {
      metrics.counter(
        'gateway_archived_charges_total',
        'Charges this instance moved to archive files.',
        () => total.charges,
      )
      metrics.counter(
        'gateway_archived_entries_total',
        'Ledger entries this instance moved to archive files.',
        () => total.entries,
      )
    },
  }
}
