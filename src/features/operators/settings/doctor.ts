import { monotonicMs } from '../../../base/clock.ts'
import type { Keyring } from '../../../base/keyring.ts'
import { isoOf } from '../../../base/time.ts'
import { type FindingLanguage, findingIn } from '../../../ops/doctor/finding.ts'
import type { FeatureContext } from '../../../ops/feature.ts'
import {
  countOutdated,
  createSecretStore,
  readKeyring,
  refuseForeignSecret,
  type SealedKind,
} from '../../../ops/secrets.ts'
import { storeFile } from '../../../storage/open-engine.ts'
import { openStore } from '../../../storage/open-store.ts'
import { storeFacts } from '../../../storage/store-facts.ts'
import { keepersNotChecked } from '../../records/transparency/keepers.ts'
import { readLag } from '../../records/transparency/lag.ts'
import { transparencyFault } from '../../records/transparency/publisher.ts'
import { silentWitnesses } from '../../records/transparency/witnessing.ts'
import { keptFor } from '../overview/overview.ts'

const doctorFreshMs = 10_000
const doctorLimitMs = 60_000

/** What `doctor` finds, on a connection of its own so that it delays no call. */
export function createDoctor(
  { config, clock, logger }: Pick<FeatureContext, 'config' | 'clock' | 'logger'>,
  sealedKinds: (keyring: Keyring) => readonly SealedKind[],
) {
  const { databaseUrl, dataDir } = config
  const opened = { databaseUrl, dataDir, exclusive: false, mustExist: true, clock, logger }
  const read = keptFor(doctorFreshMs, monotonicMs, async () => {
    const { examine, isHealthy } = await import('../../../ops/doctor/doctor.ts')
    const findings = await examine({
      config: () => config,
      storeFile: () => storeFile(config),
      clock,
      withStore: async (work) => {
        const engine = await openStore({ ...opened, transactionLimitMs: doctorLimitMs })
        try {
          return await work({
            check: () => engine.check(),
            facts: () => storeFacts(engine),
            transparencyFault: () => transparencyFault(engine, config.dataDir),
            keepersNotChecked: () => keepersNotChecked(engine, config.dataDir),
            oldestOutsideTree: async () => (await engine.read(readLag)).oldestAt,
            silentWitnesses: () => silentWitnesses(engine, config.transparency.witnesses),
            outdatedSecrets: async () => {
              const keyring = await readKeyring(config)
              refuseForeignSecret(await createSecretStore(engine).secretVersions(), keyring)
              return countOutdated(engine, keyring.current.version, sealedKinds(keyring))
            },
          })
        } finally {
          await engine.close()
        }
      },
    })
    return { checkedAt: isoOf(clock()), isHealthy: isHealthy(findings), findings }
  })
  return async (language: FindingLanguage) => {
    const { findings, ...report } = await read()
    return { ...report, findings: findings.map((finding) => findingIn(language, finding)) }
  }
}
