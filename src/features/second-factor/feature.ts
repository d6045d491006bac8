import { defineFeature } from '../../ops/feature.ts'
import { inRounds } from '../../ops/maintenance.ts'
import type { Accounts } from '../accounts/feature.ts'
import { secondFactorOperations } from './contract.ts'
import { type FactorDeps, totpContext } from './proof.ts'
import { secondFactorRoutes } from './routes.ts'
import { removeDue } from './second-factor.ts'
import { createFactorStore } from './store.ts'

/** One-time codes beyond the password, offered to payers and never forced. */
export const secondFactorFeature = defineFeature({
  name: 'second-factor',
  consoleOperations: secondFactorOperations,
  sealed: () => [{ name: 'oneTimeCodes', context: totpContext, digest: null }],
  build({ engine, operation, onEvents }, { accounts }: { accounts: Accounts }) {
    const { guards, identity, respondSignedIn } = accounts
    const factor: FactorDeps = { identity, factors: createFactorStore(engine, onEvents) }
    return {
      routes: secondFactorRoutes({ operation, guards, respondSignedIn, factor }),
      tasks: [inRounds('factor removals', (limit) => removeDue(factor, limit))],
    }
  },
})
