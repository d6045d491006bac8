import type { Config } from '../../config/config.ts'
import { ConfigFault } from '../../config/faults.ts'
import { checkCredentials, checkDelivery, checkStoreSecret } from './credentials.ts'
import { type Finding, findingsOf } from './finding.ts'
import { checkDataDirectory, checkDisk, checkListeners } from './machine.ts'
import { checkPayments } from './payments.ts'
import { checkConfiguration } from './settings.ts'
import { type CheckedStore, checkStore, checkTransparency } from './store.ts'

export interface ExamineDeps {
  readonly config: () => Config
  readonly storeFile: () => string | null
  /** Rejects when the store cannot be opened; resolves with null when there is none yet. */
  readonly withStore: <T>(work: (store: CheckedStore) => Promise<T>) => Promise<T | null>
  readonly clock: () => number
}

export async function examine(deps: ExamineDeps): Promise<Finding[]> {
  let config: Config
  try {
    config = deps.config()
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error
    return error.faults.map(({ what, remedy }, index) => {
      const isLast = index === error.faults.length - 1
      return findingsOf('configuration').failure(
        what,
        isLast ? `${remedy} Nothing else can be checked until then.` : remedy,
        [`配置有误：${what}`, isLast ? `${remedy} 修正后才能继续检查。` : remedy],
      )
    })
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
    ...(await checkDisk(directory)),
    ...(await examineStore(deps)),
    ...(await checkListeners(config)),
    ...checkCredentials(config),
    ...checkDelivery(config),
    ...(await checkPayments(config, deps.clock)),
  ]
}

async function examineStore({ withStore, clock }: ExamineDeps): Promise<Finding[]> {
  const { warning, failure } = findingsOf('store')
  try {
    const findings = await withStore(async (store) => [
      ...(await checkStore(store, clock)),
      ...(await checkStoreSecret(store.outdatedSecrets)),
      ...(await checkTransparency(store, clock)),
    ])
    return (
      findings ?? [
        warning('there is none yet', 'The gateway creates it when it first starts.', [
          '尚未创建',
          '网关首次启动时会自动创建。',
        ]),
      ]
    )
  } catch (error) {
    const { message } = error as Error
    return [failure(message, 'See docs/operations.md.', [`无法打开：${message}`, '请参阅 docs/operations.md。'])]
  }
}

export const isHealthy = (findings: readonly Finding[]): boolean => findings.every(({ level }) => level !== 'failure')
