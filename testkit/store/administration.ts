import { createKeyring } from '../../src/base/keyring.ts'
import { createReviewStore } from '../../src/features/calls/reviews/store.ts'
import { createDigests } from '../../src/features/identity/accounts/contacts.ts'
import { createPasswords } from '../../src/features/identity/accounts/passwords.ts'
import { approvalHandlersOn, createAdministration } from '../../src/features/operators/administration/administration.ts'
import type { AdministrationDeps } from '../../src/features/operators/administration/deps.ts'
import { createAdministrationStore } from '../../src/features/operators/store/store.ts'
import type { Rig } from './rig.ts'

const secret = 'a secret of tests that is long enough'

/** The actions of operators on the store of a test. */
export function createTestAdministration(rig: Rig, changes: Partial<AdministrationDeps> = {}) {
  const keyring = createKeyring(secret)
  const digests = createDigests(keyring)
  const own = { store: createAdministrationStore(rig.engine), ledger: rig.ledger, clock: rig.clock }
  return createAdministration({
    ...own,
    approvalHandlers: approvalHandlersOn({ ...own, ...changes }),
    reviews: createReviewStore(rig.engine),
    passwords: createPasswords({ cost: { memoryKib: 64, passes: 1, parallelism: 1 } }),
    secrets: async () => ({
      phoneDigests: (phone) => digests.phone(phone).all,
      emailDigests: (email) => digests.email(email).all,
      keyring,
    }),
    startRecovery: async () => ({ link: 'http://localhost/console/recover#challenge=gvc_test', expiresAt: 0 }),
    approvalAboveCredits: null,
    ...changes,
  })
}
