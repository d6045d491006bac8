import { defineFeature, type FeatureContext } from '../../../ops/feature.ts'
import type { Metrics } from '../../../ops/metrics.ts'
import { createDailyCheckpoints } from './daily.ts'
import { createKeeperCheck } from './keepers.ts'
import { readLag } from './lag.ts'
import { createTileCache } from './log-store.ts'
import { type CheckpointPublisher, createPublisher, type KeepCheckpoint } from './publisher.ts'
import { transparencyRoutes } from './routes.ts'
import { createSequencer } from './sequencer.ts'
import { createSigningKeys, signingKeyContext } from './signing-keys.ts'
import { type BuildStep, createStepBuilder } from './step-builder.ts'
import { createWitnessing } from './witnessing.ts'

/** What is done in other threads: hashing leaves, and writing the checkpoint that was published. */
export interface TreeWork {
  readonly build: BuildStep
  readonly keep: KeepCheckpoint
}

interface TransparencyDeps {
  /** Replaced in the simulation, whose world has no threads. */
  readonly work?: TreeWork | undefined
}

/** The public log of the ledger: a tree that is only ever appended to, and the keys that sign it. */
export const transparencyFeature = defineFeature({
  name: 'transparency',
  sealed: () => [{ name: 'signingKeys', table: 'signing_keys', id: 'key_id', context: signingKeyContext }],
  build({ config, engine, keyring, clock, logger, instanceId, onEvents }, { work }: TransparencyDeps) {
    const steps = createStepBuilder(work?.build)
    const tiles = createTileCache()
    const keys = createSigningKeys({ engine, keyring, clock })
    const publisher = createPublisher({
      engine,
      dataDir: config.dataDir,
      tiles,
      keepers: keeperCheckOf({ engine, config, logger }),
      ...(work && { keep: work.keep }),
      onRefused: ({ origin, size }, fault) =>
        logger.error({ origin, size, fault }, 'the tree is not the one that was published; nothing is signed'),
    })
    const onFault = (error: unknown) => logger.error({ err: error }, 'the ledger cannot be appended to the tree')
    const sequencer = createSequencer({
      ...{ engine, instanceId, gateway: config.origin, keys, publisher, tiles, clock },
      build: steps.build,
      onChecked: createDailyCheckpoints({ engine, publisher, clock, onEvents }),
      onFault,
    })
    const { witnesses } = config.transparency
    const witnessing = createWitnessing({
      ...{ engine, instanceId, witnesses, publisher, tiles },
      onRefused: (witness, { message, contradicts }) =>
        contradicts
          ? logger.error({ witness, fault: message }, 'a witness has seen another tree')
          : logger.warn({ witness, fault: message }, 'a witness did not cosign the checkpoint'),
      onFault: (error) => logger.error({ err: error }, 'cosignatures cannot be collected'),
    })
    return {
      keys,
      publisher,
      tiles,
      routes: transparencyRoutes({ engine, keys, publisher, tiles }),
      /** Finds out what to serve before the first request. The store is asked again later, if it does not respond. */
      prepare: () => publisher.refresh().catch(onFault),
      workers: [sequencer, witnessing],
      close: steps.close,
      registerMetrics: metricsOf({ engine, clock, publisher, witnessing }),
    }
  },
})

const keeperCheckOf = ({ engine, config, logger }: Pick<FeatureContext, 'engine' | 'config' | 'logger'>) =>
  createKeeperCheck({
    engine,
    dataDir: config.dataDir,
    onWaiting: (keepers) =>
      logger.warn(
        { hosts: keepers.map(({ host }) => host) },
        'the database was restored or its server has changed; nothing is signed before these instances have checked',
      ),
  })

interface MeasuredTree extends Pick<FeatureContext, 'engine' | 'clock'> {
  readonly publisher: CheckpointPublisher
  readonly witnessing: ReturnType<typeof createWitnessing>
}

/** The lag is read by every instance, because the one that appends may be the one that died. */
const metricsOf =
  ({ engine, clock, publisher, witnessing }: MeasuredTree) =>
  ({ gauge, samples }: Metrics): void => {
    gauge('gateway_transparency_leaves', 'Leaves of the checkpoint that this instance serves.', () => {
      return publisher.current()?.size ?? 0
    })
    gauge('gateway_transparency_refused', '1 while the tree is not the one that was published.', () => {
      return publisher.isSound() ? 0 : 1
    })
    const entriesHelp = 'Ledger entries that are not in the tree yet.'
    gauge('gateway_transparency_pending_entries', entriesHelp, async () => (await engine.read(readLag)).entries)
    const ageHelp = 'How long the oldest of them has waited.'
    gauge('gateway_transparency_pending_seconds', ageHelp, async () => {
      const { oldestAt } = await engine.read(readLag)
      return oldestAt === null ? 0 : Math.max(0, (clock() - oldestAt) / 1000)
    })
    const help = 'Requests to a witness of the public log that brought no cosignature.'
    const name = 'gateway_transparency_witness_failures_total'
    samples({ type: 'counter', name, help, labels: ['witness'] }, () =>
      witnessing.failures().map((one) => ({ labels: { witness: one.name }, value: one.failed })),
    )
  }

export type Transparency = ReturnType<typeof transparencyFeature.build>
