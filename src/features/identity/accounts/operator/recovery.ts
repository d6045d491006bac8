import type { Config } from '../../../../config/config.ts'
import { operatorRefusal } from '../../../../contract/error-codes/operators.ts'
import { Refusal } from '../../../../contract/errors.ts'
import { readKeyring } from '../../../../ops/secrets.ts'
import type { OpenedEngine } from '../../../../storage/open-engine.ts'
import { createOutbox } from '../../messages/message.ts'
import type { CodeObserver } from '../accounts.ts'
import { createContacts, createDigests } from '../contacts.ts'
import { createRateLimiter } from '../rate-limits.ts'
import { startRecovery } from '../recovery.ts'
import { createAccountStore } from '../store.ts'
import type { StartRecovery } from './actions.ts'

/** Codes that an operator starts are in the audit log. */
const unobserved: CodeObserver = { wrong: () => {}, refused: () => {} }

/** The code is in the message outbox afterwards: a running gateway sends it within a second. */
export function recoveryOn(engine: OpenedEngine, config: Config, clock: () => number): StartRecovery {
  const limiter = createRateLimiter(createAccountStore(engine), clock)
  return async (tx, accountId) => {
    const keyring = await readKeyring(config)
    const digests = createDigests(keyring)
    const contacts = createContacts(keyring, digests)
    const outbox = createOutbox({ keyring, clock, wake: () => {} })
    try {
      const started = await startRecovery(
        { digests, contacts, outbox, limiter, limits: config.limits, codes: unobserved, clock },
        tx,
        accountId,
      )
      if (!started) throw operatorRefusal('RECOVERY_UNAVAILABLE', 'The account has no phone that can be written to.')
      // In the fragment, which reaches no server and no log.
      const link = `${config.origin.origin}/console/recover#challenge=${started.challengeId}`
      return { link, expiresAt: started.expiresAt }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const wait = error.retryAfterSeconds
      throw operatorRefusal('RECOVERY_UNAVAILABLE', `A code was sent a moment ago; wait ${wait} s.`)
    }
  }
}
