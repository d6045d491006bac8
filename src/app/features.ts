import type { Keyring } from '../base/keyring.ts'
import type { Operation } from '../contract/operation.ts'
import { creditsFeature } from '../features/billing/credits/feature.ts'
import { paymentsFeature } from '../features/billing/payments/feature.ts'
import { simulatedPaymentsFeature } from '../features/billing/payments/simulated/feature.ts'
import { contentLogFeature } from '../features/calls/content-log/feature.ts'
import { mediaFeature } from '../features/calls/media/feature.ts'
import { callsFeature } from '../features/calls/native/feature.ts'
import { openAiFeature } from '../features/calls/openai/feature.ts'
import { refusedCallsFeature } from '../features/calls/refused-calls/feature.ts'
import { reviewsFeature } from '../features/calls/reviews/feature.ts'
import { type Accounts, accountsFeature } from '../features/identity/accounts/feature.ts'
import { secondFactorFeature } from '../features/identity/accounts/second-factor/feature.ts'
import { keysFeature } from '../features/identity/keys/feature.ts'
import { messagesFeature } from '../features/identity/messages/feature.ts'
import { alertsFeature } from '../features/notifications/alerts/feature.ts'
import { eventsFeature } from '../features/notifications/events/feature.ts'
import { webhooksFeature } from '../features/notifications/webhooks/feature.ts'
import { monitoringOperations } from '../features/operators/contract.ts'
import { operatorsFeature } from '../features/operators/feature.ts'
import { lookupFeature } from '../features/operators/lookup/feature.ts'
import type { Activity } from '../features/operators/overview/activity.ts'
import { statusFeature } from '../features/operators/status/feature.ts'
import { keyApiFeature } from '../features/programs/key-api/feature.ts'
import { mcpFeature } from '../features/programs/mcp/feature.ts'
import { archivesFeature } from '../features/records/archives/feature.ts'
import { reconcileFeature } from '../features/records/reconcile/feature.ts'
import { reportsFeature } from '../features/records/reports/feature.ts'
import { searchFeature } from '../features/records/reports/search/feature.ts'
import { transparencyFeature } from '../features/records/transparency/feature.ts'
import { receiptsFeature } from '../features/records/transparency/receipts/feature.ts'
import { type OperatorOperation, operatorTags } from '../operator-kit/operation.ts'
import type { FeatureContext } from '../ops/feature.ts'
import type { SealedKind } from '../ops/secrets.ts'
import type { AppOptions } from './options.ts'

/** Every capability of the gateway. */
const features = [
  reportsFeature,
  receiptsFeature,
  searchFeature,
  transparencyFeature,
  paymentsFeature,
  simulatedPaymentsFeature,
  keysFeature,
  keyApiFeature,
  contentLogFeature,
  callsFeature,
  openAiFeature,
  mediaFeature,
  refusedCallsFeature,
  reviewsFeature,
  creditsFeature,
  reconcileFeature,
  mcpFeature,
  eventsFeature,
  alertsFeature,
  webhooksFeature,
  accountsFeature,
  secondFactorFeature,
  messagesFeature,
  archivesFeature,
  operatorsFeature,
  lookupFeature,
  statusFeature,
]

/** What the web console needs beyond the public operations, but for its own document. */
export const consoleOperations: readonly Operation[] = features.flatMap<Operation>(
  (feature) => feature.consoleOperations ?? [],
)

/** Their types, by which the calls of the console are typed. */
export type ConsoleOperation = NonNullable<(typeof features)[number]['consoleOperations']>[number]

const tagOrder = Object.keys(operatorTags)

/** Everything that the operator listener serves to programs, in the order of its document. */
export const operatorOperations: readonly OperatorOperation[] = [
  ...features.flatMap<OperatorOperation>((feature) => feature.operatorOperations ?? []),
  ...monitoringOperations,
].sort((a, b) => tagOrder.indexOf(a.tag) - tagOrder.indexOf(b.tag))

/** The types by which the calls of the operator's console are typed. */
export type OperatorApiOperation = NonNullable<(typeof features)[number]['operatorOperations']>[number]

/** Everything in the store that is sealed, and how to seal it anew. */
export const sealedKinds = (keyring: Keyring): SealedKind[] =>
  features.flatMap((feature) => feature.sealed?.(keyring) ?? [])

export type Replaced = Pick<
  AppOptions,
  'sms' | 'email' | 'passwordCost' | 'webhookNetwork' | 'mediaTiming' | 'paymentProviders' | 'treeWork'
>

/** Builds every feature with what it needs of the others. */
export function buildFeatures(
  context: Omit<FeatureContext, 'onEvents'>,
  replaced: Replaced,
  { smsInboxUrl, activity }: { readonly smsInboxUrl: () => string | null; readonly activity: Activity },
) {
  const shared: FeatureContext = { ...context, onEvents: () => events.wake() }
  const identity = buildIdentity(shared, replaced)
  const { messages, accounts, keys } = identity
  const billing = buildBilling(shared, accounts, replaced)
  const { payments } = billing
  const transparency = transparencyFeature.build(shared, { work: replaced.treeWork })
  const reports = reportsFeature.build(shared, { accounts, ...keys, ...payments, smsInboxUrl })
  const archives = archivesFeature.build(shared, {})
  const receipts = receiptsFeature.build(shared, { accounts, ...reports, ...archives, transparency })
  const search = searchFeature.build(shared, { accounts, ...reports })
  const contentLog = contentLogFeature.build(shared, { accounts })
  const calls = callsFeature.build(shared, { ...keys, ...receipts, ...contentLog })
  const openai = openAiFeature.build(shared, { ...keys, ...calls })
  const media = mediaFeature.build(shared, { ...keys, accounts, timing: replaced.mediaTiming })
  const refusedCalls = refusedCallsFeature.build(shared, { accounts })
  const reviews = reviewsFeature.build(shared, {})
  const alerts = alertsFeature.build(shared, { accounts, messages })
  const webhooks = webhooksFeature.build(shared, { accounts, messages, network: replaced.webhookNetwork })
  const subscribers = [alerts.subscriber, webhooks.subscriber]
  const events = eventsFeature.build(shared, { ...accounts, subscribers, onDispatched: webhooks.wake })
  const keyApi = keyApiFeature.build(shared, { ...keys, ...reports, ...receipts })
  const mcp = mcpFeature.build(shared, {
    ...{ ...keys, ...keyApi, ...openai },
    ...{ callable: [calls, media], observe: activity.observe },
  })
  const reconcile = reconcileFeature.build(shared, {})
  const operators = operatorsFeature.build(shared, {
    ...{ accounts, activity, money: payments.money },
    providers: [...calls.providers, ...media.providers],
    runs: reconcile.runs,
    sealedKinds,
    approvalHandlers: [...billing.credits.approvalHandlers, ...payments.approvalHandlers],
  })
  const lookup = lookupFeature.build(shared, { ...reports, ...archives })
  const status = statusFeature.build(shared, { activity })
  return {
    ...identity,
    ...billing,
    contentLog,
    calls,
    openai,
    media,
    refusedCalls,
    reviews,
    reconcile,
    alerts,
    webhooks,
    events,
    reports,
    receipts,
    search,
    transparency,
    keyApi,
    mcp,
    archives,
    operators,
    lookup,
    status,
  }
}

function buildIdentity(shared: FeatureContext, { sms, email, passwordCost }: Replaced) {
  const messages = messagesFeature.build(shared, { sms, email })
  const accounts = accountsFeature.build(shared, { messages, passwordCost })
  const secondFactor = secondFactorFeature.build(shared, { accounts })
  const keys = keysFeature.build(shared, { accounts })
  return { messages, accounts, secondFactor, keys }
}

function buildBilling(shared: FeatureContext, accounts: Accounts, { paymentProviders }: Replaced) {
  const simulatedPayments = simulatedPaymentsFeature.build(shared, accounts.guards)
  const others = new Map([...simulatedPayments.providers, ...(paymentProviders ?? [])])
  const payments = paymentsFeature.build(shared, { accounts, others })
  simulatedPayments.connect(payments.receiveCallback)
  const credits = creditsFeature.build(shared, {})
  return { payments, simulatedPayments, credits }
}

export type Features = ReturnType<typeof buildFeatures>
