import { createHmac } from 'node:crypto'
import { hourMs } from '../../../base/time.ts'
import { createInstanceLimit } from '../../../http/instance-limit.ts'
import { defineFeature } from '../../../ops/feature.ts'
import { inRounds } from '../../../ops/maintenance.ts'
import type { MetricSample, Metrics } from '../../../ops/metrics.ts'
import type { NoticeName } from '../../../providers/senders.ts'
import type { Messages } from '../messages/feature.ts'
import type { AccountFlowDeps, Ceiling, CodeObserver } from './accounts.ts'
import { type ChallengePurpose, challengePurposes } from './challenge-store.ts'
import { contactContext, createContacts, createDigests } from './contacts.ts'
import { accountSecurityOperations, signInOperations } from './contract.ts'
import { createGuards } from './guards.ts'
import { noticesToOwner } from './notices.ts'
import { operatedAccountOperations } from './operator/contract.ts'
import { operatedAccountHandlers } from './operator/handlers.ts'
import { spendingTask } from './operator/store.ts'
import type { PasswordCost } from './passwords.ts'
import { createPasswords } from './passwords.ts'
import { createRateLimiter } from './rate-limits.ts'
import { accountSecurityRoutes, sessionRoutes, signedInResponse, signInRoutes } from './routes.ts'
import { createSessions } from './sessions.ts'
import { type AccountStore, createAccountStore } from './store.ts'

/** Stands in for the identity provider: a phone always has the same subject. */
const localSubjects = (secret: string) => async (phone: string) =>
  `idp_${createHmac('sha256', secret)
    .update(`subject
${phone}`)
    .digest('hex')
    .slice(0, 32)}`

export interface AccountsDeps {
  readonly messages: Messages
  /** Replaced in tests. */
  readonly passwordCost?: PasswordCost | undefined
}

export const accountsFeature = defineFeature({
  name: 'accounts',
  consoleOperations: [...signInOperations, ...accountSecurityOperations],
  operatorOperations: operatedAccountOperations,
  sealed(keyring) {
    const digests = createDigests(keyring)
    return [
      {
        name: 'phones',
        ...{ table: 'identities', id: 'account_id', sealed: 'phone_sealed', keyVersion: 'phone_key_version' },
        context: (accountId) => contactContext('phone', accountId),
        digest: { column: 'phone_digest', of: (phone) => digests.phone(phone).current },
      },
      {
        name: 'recoveryEmails',
        ...{ table: 'accounts', id: 'account_id', sealed: 'recovery_email_sealed' },
        keyVersion: 'recovery_email_key_version',
        context: (accountId) => contactContext('email', accountId),
        digest: { column: 'recovery_email_digest', of: (email) => digests.email(email).current },
      },
    ]
  },
  build({ config, engine, keyring, clock, operation, onEvents }, { messages, passwordCost }: AccountsDeps) {
    const { limits } = config
    const store = createAccountStore(engine, onEvents)
    const digests = createDigests(keyring)
    const sessions = createSessions({ store, clock, ...config.sessions })
    const limiter = createRateLimiter(store, clock)
    const passwords = createPasswords(passwordCost && { cost: passwordCost })
    const contacts = createContacts(keyring, digests)
    const { codes, registerMetrics } = createCodeMetrics(store, clock)
    const flows: AccountFlowDeps = {
      store,
      sessions,
      keyring,
      digests,
      contacts,
      passwords,
      sms: messages.sms,
      outbox: messages.outbox,
      canSendEmail: messages.isEmailEnabled,
      subjectOf: localSubjects(keyring.current.secret),
      limiter,
      limits,
      codes,
      clock,
    }
    const digestRequester = (address: string) => digests.requester(address).current
    const guards = createGuards({
      origin: config.origin.origin,
      sessions,
      limiter,
      passwords,
      limits,
      digestRequester,
      reads: createInstanceLimit({ limit: limits.readsPerSession, clock }),
      clock,
    })
    const isSecure = config.origin.protocol === 'https:'
    const deps = { operation, guards, flows, isSecure, sessionLifetimeSeconds: config.sessions.lifetimeSeconds }
    return {
      flows,
      respondSignedIn: signedInResponse(deps),
      store,
      sessions,
      guards,
      limiter,
      passwords,
      digestRequester,
      /** Messages to the owner of a project, to be added in the transaction that they are about. */
      noticesFor: (projectId: string, notice: NoticeName) =>
        noticesToOwner({ store, contacts, outbox: messages.outbox, clock }, projectId, notice),
      routes: [...signInRoutes(deps), ...sessionRoutes(deps), ...accountSecurityRoutes(deps)],
      operatorHandlers: operatedAccountHandlers({ config, engine, clock }),
      tasks: [inRounds('purge', (limit) => store.write((tx) => tx.purge(clock(), limit))), spendingTask(engine)],
      registerMetrics,
    }
  },
})

export type Accounts = ReturnType<typeof accountsFeature.build>

/** Codes that were guessed, refused or never used. */
function createCodeMetrics(store: AccountStore, clock: () => number) {
  const wrong = new Map<ChallengePurpose, number>(challengePurposes.map((purpose) => [purpose, 0]))
  const refused = new Map<Ceiling, number>([
    ['codesPerHour', 0],
    ['wrongCodesPerHour', 0],
  ])
  const addTo =
    <K>(counts: Map<K, number>) =>
    (key: K) =>
      void counts.set(key, (counts.get(key) ?? 0) + 1)
  const codes: CodeObserver = { wrong: addTo(wrong), refused: addTo(refused) }

  async function expired(): Promise<MetricSample[]> {
    const now = clock()
    const found = await store.read((tx) => tx.expiredCodes(now - hourMs, now))
    return challengePurposes.flatMap((purpose) => {
      const { used = 0, unused = 0 } = found.find((row) => row.purpose === purpose) ?? {}
      return Object.entries({ used, unused }).map(([result, value]) => ({ labels: { purpose, result }, value }))
    })
  }

  function registerMetrics(metrics: Metrics): void {
    const counter = (name: string, help: string, label: string, counts: ReadonlyMap<string, number>) =>
      metrics.samples({ type: 'counter', name, help, labels: [label] }, () =>
        [...counts].map(([key, value]) => ({ labels: { [label]: key }, value })),
      )
    counter('gateway_codes_wrong_total', 'Wrong codes that were entered here.', 'purpose', wrong)
    counter('gateway_codes_refused_total', 'Requests refused by a limit for all users together.', 'limit', refused)
    const help = 'Codes that expired in the last hour, across all instances.'
    const labels = ['purpose', 'result']
    metrics.samples({ type: 'gauge', name: 'gateway_codes_expired', help, labels }, expired)
  }
  return { codes, registerMetrics }
}
