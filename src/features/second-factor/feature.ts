import { defineFeature } from '../../ops/feature.ts'
import { inRounds } from '../../ops/maintenance.ts'
import type { Accounts } from '../accounts/feature.ts'
import { secondFactorOperations } from './contract.ts'
import { createPasskeyChallenges } from './passkey-challenges.ts'
import { passkeyOperations } from './passkey-contract.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import type { PasskeyDeps } from './passkeys.ts'
import { type FactorDeps, totpContext } from './proof.ts'
import { secondFactorRoutes } from './routes.ts'
import { removeDue } from './second-factor.ts'
import { createFactorStore } from './store.ts'

/** One-time codes beyond the password, and passkeys in its place, offered to payers and never forced. */
export const secondFactorFeature = defineFeature({
  name: 'second-factor',
  consoleOperations: [...secondFactorOperations, ...passkeyOperations],
  sealed: () => [{ name: 'oneTimeCodes', context: totpContext, digest: null }],
  build({ config, engine, keyring, clock, operation, onEvents }, { accounts }: { accounts: Accounts }) {
    const { guards, identity, respondSignedIn } = accounts
    const factor: FactorDeps = { identity, factors: createFactorStore(engine, onEvents) }
    const challenges = createPasskeyChallenges(keyring, clock)
    const passkey: PasskeyDeps = { ...factor, challenges, origin: config.origin }
    const deps = { operation, guards, respondSignedIn }
    return {
      routes: [...secondFactorRoutes({ ...deps, factor }), ...passkeyRoutes({ ...deps, passkey })],
      tasks: [inRounds('factor removals', (limit) => removeDue(factor, limit))],
    }
  },
})
