import { tokenDigest } from '../../../base/signatures.ts'
import { createInstanceLimit } from '../../../http/instance-limit.ts'
import { defineFeature } from '../../../ops/feature.ts'
import { inRounds } from '../../../ops/maintenance.ts'
import type { Accounts } from '../accounts/feature.ts'
import { createAuthenticate } from './authenticate.ts'
import { namedKeyOperations } from './contract.ts'
import { createExpiryWarnings, createKeys } from './keys.ts'
import { createNamedKeys } from './named-keys.ts'
import { operatedKeyHandlers, operatedKeyOperations } from './operator.ts'
import { keyRoutes, namedKeyRoutes } from './routes.ts'
import { createKeyStore } from './store.ts'

export const keysFeature = defineFeature({
  name: 'keys',
  consoleOperations: namedKeyOperations,
  operatorOperations: operatedKeyOperations,
  build({ config, engine, clock, operation, onEvents }, { accounts: { guards } }: { accounts: Accounts }) {
    const store = createKeyStore(engine, onEvents)
    const digest = (plaintext: string) => tokenDigest('api-key', plaintext)
    const deps = { store, digest, clock, ...config.keys }
    const keys = createKeys(deps)
    const namedKeys = createNamedKeys(deps)
    return {
      keys,
      authenticate: createAuthenticate({ store, digest, clock }),
      /** Invalid calls of each key. */
      refusals: createInstanceLimit({ limit: config.limits.refusalsPerKey, clock }),
      routes: [
        ...keyRoutes({ operation, guards, keys }),
        ...namedKeyRoutes({ operation, guards, namedKeys, maxActiveKeys: config.keys.maxActive }),
      ],
      operatorHandlers: operatedKeyHandlers({ engine, clock }),
      tasks: [inRounds('warn-of-expiry', createExpiryWarnings({ store, clock }))],
    }
  },
})

export type KeysParts = ReturnType<typeof keysFeature.build>
