import { createAdministration } from './administration/administration.ts'
import type { AdministrationDeps } from './administration/deps.ts'
import { readKeyring } from './app-secrets.ts'
import type { Config } from './config/config.ts'
import { createDigests } from './identity/digests.ts'
import { createPasswords } from './identity/passwords.ts'
import { createLedger } from './ledger/ledger.ts'
import type { OpenedEngine } from './storage/open-store.ts'
import { createAdministrationStore } from './storage/stores/administration/administration-store.ts'
import { createReviewStore } from './storage/stores/review-store.ts'
import { createBooks } from './storage/stores.ts'

/** The actions of an operator, on a store that a gateway may be using. */
export function buildAdministration(
  engine: OpenedEngine,
  config: Config,
  clock: () => number,
  shared: Partial<Pick<AdministrationDeps, 'ledger' | 'passwords'>> = {},
) {
  return createAdministration(administrationDeps(engine, config, clock, shared))
}

/** A gateway shares its ledger and the queue of its passwords. */
export function administrationDeps(
  engine: OpenedEngine,
  config: Config,
  clock: () => number,
  { ledger, passwords }: Partial<Pick<AdministrationDeps, 'ledger' | 'passwords'>>,
): AdministrationDeps {
  return {
    store: createAdministrationStore(engine),
    reviews: createReviewStore(engine),
    ledger: ledger ?? createLedger({ books: createBooks(engine) }),
    passwords: passwords ?? createPasswords(),
    secrets: async () => {
      const keyring = await readKeyring(config)
      const digests = createDigests(keyring)
      return {
        phoneDigests: (phone) => digests.phone(phone).all,
        emailDigests: (email) => digests.email(email).all,
        keyring,
      }
    },
    // Set this to the recovery flow of the identity module.
    startRecovery: null,
    approvalAboveCredits: config.operators.approvalAboveCredits,
    clock,
  }
}
