import { defineFeature } from '../../../../ops/feature.ts'
import { inRounds } from '../../../../ops/maintenance.ts'
import type { Metrics } from '../../../../ops/metrics.ts'
import type { Accounts } from '../feature.ts'
import { secondFactorOperations } from './contract.ts'
import { createPasskeyChallenges } from './passkey-challenges.ts'
import { passkeyOperations } from './passkey-contract.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import type { PasskeyDeps } from './passkeys.ts'
import { type CodeFailure, codeFailureResults, codeUses, type FactorDeps, totpContext } from './proof.ts'
import { secondFactorRoutes } from './routes.ts'
import { removeDue } from './second-factor.ts'
import { createFactorStore } from './store.ts'

/** One-time codes beyond the password, and passkeys in its place, offered to payers and never forced. */
export const secondFactorFeature = defineFeature({
  name: 'second-factor',
  consoleOperations: [...secondFactorOperations, ...passkeyOperations],
  sealed: () => [{ name: 'oneTimeCodes', table: 'totp_factors', id: 'account_id', context: totpContext }],
  build({ config, engine, keyring, clock, operation, onEvents }, { accounts }: { accounts: Accounts }) {
    const { guards, flows, respondSignedIn } = accounts
    const { onCodeFailure, registerMetrics } = createFailureMetrics()
    const factor: FactorDeps = { flows, factors: createFactorStore(engine, onEvents), onCodeFailure }
    const challenges = createPasskeyChallenges(keyring, clock)
    const passkey: PasskeyDeps = { ...factor, challenges, origin: config.origin }
    const deps = { operation, guards, respondSignedIn }
    return {
      routes: [...secondFactorRoutes({ ...deps, factor }), ...passkeyRoutes({ ...deps, passkey })],
      tasks: [inRounds('factor removals', (limit) => removeDue(factor, limit))],
      registerMetrics,
    }
  },
})

/** Codes that were not accepted, by where they were entered. Passkeys cannot be guessed, so they are not counted. */
function createFailureMetrics() {
  const counts = codeUses.flatMap((use) => codeFailureResults.map((result) => ({ labels: { use, result }, value: 0 })))
  return {
    onCodeFailure({ use, result }: CodeFailure): void {
      counts.find(({ labels }) => labels.use === use && labels.result === result)!.value += 1
    },
    registerMetrics(metrics: Metrics): void {
      const name = 'gateway_second_factor_failures_total'
      const help = 'Second-factor codes of payers that were wrong, or refused after too many wrong ones.'
      metrics.samples({ type: 'counter', name, help, labels: ['use', 'result'] }, () => counts)
    },
  }
}
