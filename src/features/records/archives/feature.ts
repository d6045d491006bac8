import { mkdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { hourMs } from '../../../base/time.ts'
import type { Config } from '../../../config/config.ts'
import { defineFeature, type FeatureContext } from '../../../ops/feature.ts'
import type { Task } from '../../../ops/maintenance.ts'
import type { Metrics } from '../../../ops/metrics.ts'
import { tryLock } from '../../../storage/file-lock.ts'
import type { OpenedEngine } from '../../../storage/open-engine.ts'
import { createArchivedReads } from './archived-reads.ts'
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

export const archivesFeature = defineFeature({
  name: 'archives',
  build({ engine, config, instanceId, clock, logger }: FeatureContext, _deps: object) {
    const archiver = buildArchiver({
      engine,
      config,
      holder: instanceId,
      clock,
      onNewPart: ({ fileName, host }) =>
        logger.warn({ fileName, host }, 'an archive file is not here; a new part begins'),
    })
    const total = { charges: 0, entries: 0 }
    async function archive(archiver: Archiver, stopping: AbortSignal): Promise<void> {
      const { refusal, heldUp, ...moved } = await archiver.run(stopping)
      if (refusal?.because === 'clock' || refusal?.because === 'memory')
        logger.warn({ reason: refusalText(refusal) }, 'old charges were not archived')
      if (refusal !== null) return
      total.charges += moved.charges
      total.entries += moved.entries
      if (moved.entries > 0) logger.info(moved, 'old charges were archived')
      if (heldUp.length > 0) logger.warn({ heldUp: heldUp.slice(0, 10) }, 'some ledgers cannot be archived further')
    }
    const tasks: Task[] = archiver
      ? [{ name: 'archive', everyMs: hourMs, run: (stopping) => archive(archiver, stopping) }]
      : []
    const archivedReads = createArchivedReads({
      ...{ engine, directory: archivesOf(config) },
      onUnreadable: (fileName, error) => logger.warn({ fileName, err: error }, 'an archive file cannot be read'),
    })
    return {
      archivedReads,
      tasks,
      registerMetrics({ counter }: Metrics) {
        const moved = 'this instance moved to archive files.'
        counter('gateway_archived_charges_total', `Charges ${moved}`, () => total.charges)
        counter('gateway_archived_entries_total', `Ledger entries ${moved}`, () => total.entries)
      },
    }
  },
})

export type ArchiveParts = ReturnType<typeof archivesFeature.build>
