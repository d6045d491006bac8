import type { Config } from '../../../config/config.ts'
import { OperatorRefusal } from '../../../contract/error-codes/operators.ts'
import { Refusal } from '../../../contract/errors.ts'
import { createLedger } from '../../../ledger/ledger.ts'
import type { ApprovalHandler } from '../../../operator-kit/approvals.ts'
import { readKeyring } from '../../../ops/secrets.ts'
import { createBatchStore } from '../../../storage/batch-store.ts'
import type { OpenedEngine } from '../../../storage/open-store.ts'
import { decideReview, listReviews } from '../../calls/reviews/reviews.ts'
import { createReviewStore } from '../../calls/reviews/store.ts'
import type { CodeObserver } from '../../identity/accounts/accounts.ts'
import { createContacts, createDigests } from '../../identity/accounts/contacts.ts'
import { createPasswords } from '../../identity/accounts/passwords.ts'
import { createRateLimiter } from '../../identity/accounts/rate-limits.ts'
import { startRecovery } from '../../identity/accounts/recovery.ts'
import { createAccountStore } from '../../identity/accounts/store.ts'
import { createOutbox } from '../../identity/messages/message.ts'
import { switchProvider } from '../provider-states.ts'
import { createAdministrationStore } from '../store/store.ts'
import {
  findAccounts,
  listAccounts,
  recoverAccount,
  reinstateAccount,
  revokeKey,
  showAccount,
  signOutAccount,
  suspendAccount,
} from './accounts.ts'
import { approve, listApprovals, reject } from './approvals.ts'
import { listAudit, recordAudit, verifyAudit } from './audit-log.ts'
import { moveCredits, movementApprovals } from './credits.ts'
import type { AdministrationDeps, StartRecovery } from './deps.ts'
import { settleDifference } from './differences.ts'
import {
  addOperator,
  approveOperator,
  disableOperator,
  listOperators,
  rejectOperator,
  resetOperator,
} from './operators.ts'
import { decideRefund, refundDecisionApprovals } from './refund-decisions.ts'
import { refundApprovals, refundPayment } from './refunds.ts'
import { forkTransparency, proveAuditDay, rotateReceiptKey } from './transparency.ts'

/** Everything that an operator can do. The web console and the command line call these and contain no rule of their own. */
const actions = {
  findAccounts,
  listAccounts,
  showAccount,
  suspendAccount,
  reinstateAccount,
  signOutAccount,
  recoverAccount,
  revokeKey,
  moveCredits,
  refundPayment,
  decideRefund,
  settleDifference,
  listApprovals,
  approve,
  reject,
  listReviews,
  decideReview,
  listOperators,
  addOperator,
  disableOperator,
  resetOperator,
  approveOperator,
  rejectOperator,
  switchProvider,
  listAudit,
  verifyAudit,
  recordAudit,
  rotateReceiptKey,
  forkTransparency,
  proveAuditDay,
}

export type Administration = {
  readonly [Name in keyof typeof actions]: (typeof actions)[Name] extends (
    deps: never,
    ...given: infer Given
  ) => infer Done
    ? (...given: Given) => Done
    : never
}

/** The actions with their first argument given. */
export const createAdministration = (deps: AdministrationDeps): Administration =>
  Object.fromEntries(
    Object.entries(actions).map(([name, act]) => [name, (act as (...given: unknown[]) => unknown).bind(null, deps)]),
  ) as unknown as Administration

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
  const own = ledger ?? createLedger({ store: createBatchStore(engine) })
  const store = createAdministrationStore(engine)
  return {
    store,
    reviews: createReviewStore(engine),
    ledger: own,
    approvalHandlers: approvalHandlersOn({ store, ledger: own, clock }),
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
    startRecovery: recoveryOn(engine, config, clock),
    approvalAboveCredits: config.operators.approvalAboveCredits,
    clock,
  }
}

export const approvalHandlersOn = (deps: Pick<AdministrationDeps, 'store' | 'ledger' | 'clock'>): ApprovalHandler[] => [
  movementApprovals(deps),
  refundApprovals(deps),
  refundDecisionApprovals(deps),
]

/** Codes that an operator starts are in the audit log. */
const unobserved: CodeObserver = { wrong: () => {}, refused: () => {} }

/** The code is in the message outbox afterwards: a running gateway sends it within a second. */
function recoveryOn(engine: OpenedEngine, config: Config, clock: () => number): StartRecovery {
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
      if (!started)
        throw new OperatorRefusal('RECOVERY_UNAVAILABLE', 'The account has no phone that can be written to.')
      // In the fragment, which reaches no server and no log.
      const link = `${config.origin.origin}/console/recover#challenge=${started.challengeId}`
      return { link, expiresAt: started.expiresAt }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const wait = error.retryAfterSeconds
      throw new OperatorRefusal('RECOVERY_UNAVAILABLE', `A code was sent a moment ago; wait ${wait} s.`)
    }
  }
}
