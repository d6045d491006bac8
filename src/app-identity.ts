import type { Messages } from './app-messages.ts'
import type { AppOptions } from './app-options.ts'
import { createGuards } from './http/guards.ts'
import { createContacts } from './identity/contacts.ts'
import { createDigests } from './identity/digests.ts'
import { createIdentity } from './identity/identity.ts'
import { noticesToOwner } from './identity/notices.ts'
import { createPasswords } from './identity/passwords.ts'
import { type ChallengePurpose, challengePurposes } from './identity/ports/challenges.ts'
import type { Ceiling, CodeObserver } from './identity/ports.ts'
import { createRateLimiter } from './identity/rate-limits.ts'
import { createSessions } from './identity/sessions.ts'
import { createInstanceLimit } from './keys/instance-limit.ts'
import type { NoticeName } from './messages/message.ts'
import type { MetricSample, Metrics } from './operator/metrics.ts'
import { createLocalIdentityProvider } from './providers/identity/local.ts'
import type { Keyring } from './secrets/keyring.ts'
import type { createStores } from './storage/stores.ts'

type Stores = ReturnType<typeof createStores>

export interface IdentityBuild {
  readonly store: Stores['identity']
  readonly keyring: Keyring
  readonly messages: Messages
  readonly clock: () => number
}

/** Constructs accounts, sessions and the checks of a request. */
export function buildIdentity(
  { config, passwordCost }: AppOptions,
  { store, keyring, messages, clock }: IdentityBuild,
) {
  const { limits } = config
  const digests = createDigests(keyring)
  const sessions = createSessions({ store, clock, ...config.sessions })
  const limiter = createRateLimiter(store, clock)
  const passwords = createPasswords(passwordCost && { cost: passwordCost })
  const contacts = createContacts(keyring, digests)
  const { codes, registerMetrics } = createCodeMetrics(store, clock)
  const identity = createIdentity({
    store,
    sessions,
    keyring,
    digests,
    contacts,
    passwords,
    sms: messages.sms,
    outbox: messages.outbox,
    canSendEmail: messages.isEmailEnabled,
    identityProvider: createLocalIdentityProvider(keyring.current.secret),
    limiter,
    limits,
    codes,
    clock,
  })
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
  const noticesFor = (projectId: string, notice: NoticeName) =>
    noticesToOwner({ store, contacts, outbox: messages.outbox, clock }, projectId, notice)
  return { sessions, identity, guards, limiter, passwords, digestRequester, noticesFor, registerMetrics }
}

const hourMs = 3_600_000

/** Codes that were guessed, refused or never used. */
function createCodeMetrics(store: Stores['identity'], clock: () => number) {
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
    counter('gateway_codes_refused_total', 'Requests refused by a ceiling over everybody.', 'limit', refused)
    const help = 'Codes that expired in the last hour, across all instances.'
    const labels = ['purpose', 'result']
    metrics.samples({ type: 'gauge', name: 'gateway_codes_expired', help, labels }, expired)
  }
  return { codes, registerMetrics }
}
