import type { Command } from 'commander'
import { type Config, ConfigFault } from '../../config/config.ts'
import { checkConfiguration } from '../doctor/check-configuration.ts'
import { checkCredentials } from '../doctor/check-credentials.ts'
import { checkDataDirectory } from '../doctor/check-data-directory.ts'
import { checkDelivery } from '../doctor/check-delivery.ts'
import { checkListeners } from '../doctor/check-listeners.ts'
import { checkStoreSecret } from '../doctor/check-secret.ts'
import { type CheckedStore, checkStore } from '../doctor/check-store.ts'
import { type Finding, findingsOf } from '../doctor/finding.ts'
import { table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export interface DoctorDeps {
  readonly config: () => Config
  readonly storeFile: () => string | null
  /** Rejects when the store cannot be opened; resolves with null when there is none yet. */
  readonly withStore: <T>(work: (store: CheckedStore) => Promise<T>) => Promise<T | null>
  readonly terminal: Terminal
  readonly clock: () => number
}

export function addDoctor(program: Command, deps: DoctorDeps): void {
  program
    .command('doctor')
    .description('check configuration, files, store, clock, listeners and credentials; exit code 1 on a failure')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const findings = await examine(deps)
      const isHealthy = findings.every(({ level }) => level !== 'failure')
      if (!isHealthy) deps.terminal.finish(1)
      if (json) return deps.terminal.printJson({ isHealthy, findings })
      const rows = findings.map(({ level, check, what, remedy }) => [
        level,
        check,
        remedy ? `${what}. ${remedy}` : what,
      ])
      await deps.terminal.print(table(['level', 'check', 'finding'], rows))
    })
}

async function examine(deps: DoctorDeps): Promise<Finding[]> {
  let config: Config
  try {
    config = deps.config()
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error
    return [findingsOf('configuration').failure(error.message, 'Nothing else can be checked before that is fixed.')]
  }
  const { dataDir, secret, sms, email } = config
  const directory = {
    dataDir,
    storeFile: deps.storeFile(),
    holdsSecret: secret === undefined,
    holdsOutbox: sms.adapter === 'outbox' || email.adapter === 'outbox',
  }
  return [
    ...checkConfiguration(config),
    ...(await checkDataDirectory(directory)),
    ...(await examineStore(deps)),
    ...(await checkListeners(config)),
    ...checkCredentials(config),
    ...checkDelivery(config),
  ]
}

async function examineStore({ withStore, clock }: DoctorDeps): Promise<Finding[]> {
  const { warning, failure } = findingsOf('store')
  try {
    const findings = await withStore(async (store) => [
      ...(await checkStore(store, clock)),
      ...(await checkStoreSecret(store.outdatedSecrets)),
    ])
    return findings ?? [warning('there is none yet', 'The gateway creates it at its first start.')]
  } catch (error) {
    return [failure((error as Error).message, 'See docs/operations.md.')]
  }
}
