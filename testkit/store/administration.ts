import { type ActionDeps, approvalHandlersOn, createAdministration } from '../../src/app/administration.ts'
import { createKeyring } from '../../src/base/keyring.ts'
import { createReviewStore } from '../../src/features/calls/reviews/store.ts'
import { createPasswords } from '../../src/features/identity/accounts/passwords.ts'
import { createAdministrationStore } from '../../src/features/operators/store.ts'
import { cheapPasswords } from '../gateway/cheap-passwords.ts'
import type { Rig } from './rig.ts'

const secret = 'a secret of tests that is long enough'

/** The actions of operators on the store of a test. */
export function createTestAdministration(rig: Rig, changes: Partial<ActionDeps> = {}) {
  const keyring = createKeyring(secret)
  const own = { engine: rig.engine, store: createAdministrationStore(rig.engine), ledger: rig.ledger, clock: rig.clock }
  return createAdministration({
    ...own,
    approvalHandlers: approvalHandlersOn({ ...own, ...changes }),
    reviews: createReviewStore(rig.engine),
    passwords: createPasswords({ cost: cheapPasswords }),
    readKeyring: async () => keyring,
    startRecovery: async () => ({ link: 'http://localhost/console/recover#challenge=gvc_test', expiresAt: 0 }),
    approvalAboveCredits: null,
    ...changes,
  })
}
