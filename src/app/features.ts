import type { Keyring } from '../base/keyring.ts'
import type { Operation } from '../contract/operation.ts'
import { accountsFeature } from '../features/accounts/feature.ts'
import { alertsFeature } from '../features/alerts/feature.ts'
import { archivesFeature } from '../features/archives/feature.ts'
import { callContentsFeature } from '../features/call-contents/feature.ts'
import { callsFeature } from '../features/calls/feature.ts'
import { eventsFeature } from '../features/events/feature.ts'
import { keyReadsFeature } from '../features/key-reads/feature.ts'
import { keysFeature } from '../features/keys/feature.ts'
import { mcpFeature } from '../features/mcp/feature.ts'
import { mediaFeature } from '../features/media/feature.ts'
import { messagesFeature } from '../features/messages/feature.ts'
import { openAiFeature } from '../features/openai/feature.ts'
import { operatorsFeature } from '../features/operators/feature.ts'
import { ordersFeature } from '../features/orders/feature.ts'
import { paymentsFeature } from '../features/payments/feature.ts'
import { receiptsFeature } from '../features/receipts/feature.ts'
import { reportsFeature } from '../features/reports/feature.ts'
import { searchFeature } from '../features/search/feature.ts'
import { secondFactorFeature } from '../features/second-factor/feature.ts'
import { simulatedPaymentsFeature } from '../features/simulated-payments/feature.ts'
import { transparencyFeature } from '../features/transparency/feature.ts'
import { webhooksFeature } from '../features/webhooks/feature.ts'
import type { FeatureContext } from '../ops/feature.ts'
import type { SealedKind } from '../ops/secrets.ts'
import type { AppOptions } from './options.ts'

/** Every capability of the gateway. */
const features = [
  reportsFeature,
  receiptsFeature,
  searchFeature,
  transparencyFeature,
  ordersFeature,
  paymentsFeature,
  simulatedPaymentsFeature,
  keysFeature,
  keyReadsFeature,
  callContentsFeature,
  callsFeature,
  openAiFeature,
  mediaFeature,
  mcpFeature,
  eventsFeature,
  alertsFeature,
  webhooksFeature,
  accountsFeature,
  secondFactorFeature,
  messagesFeature,
  archivesFeature,
  operatorsFeature,
]

/** What the web console needs beyond the public operations, but for its own document. */
export const consoleOperations: readonly Operation[] = features.flatMap<Operation>(
  (feature) => feature.consoleOperations ?? [],
)

/** Their types, by which the calls of the console are typed. */
export type ConsoleOperation = NonNullable<(typeof features)[number]['consoleOperations']>[number]

/** Everything in the store that is sealed, and how to seal it anew. */
export const sealedKinds = (keyring: Keyring): SealedKind[] =>
  features.flatMap((feature) => feature.sealed?.(keyring) ?? [])

export type Replaced = Pick<
  AppOptions,
  'sms' | 'email' | 'passwordCost' | 'webhookNetwork' | 'mediaTiming' | 'paymentProviders'
>

/** Builds every feature with what it needs of the others. */
export function buildFeatures(
  context: Omit<FeatureContext, 'onEvents'>,
  { sms, email, passwordCost, webhookNetwork, mediaTiming, paymentProviders }: Replaced,
  smsInboxUrl: () => string | null,
) {
  const shared: FeatureContext = { ...context, onEvents: () => events.wake() }
  const messages = messagesFeature.build(shared, { sms, email })
  const accounts = accountsFeature.build(shared, { messages, passwordCost })
  const secondFactor = secondFactorFeature.build(shared, { accounts })
  const keys = keysFeature.build(shared, { accounts })
  const orders = ordersFeature.build(shared, { accounts })
  const simulatedPayments = simulatedPaymentsFeature.build(shared, accounts.guards)
  const others = new Map([...simulatedPayments.providers, ...(paymentProviders ?? [])])
  const payments = paymentsFeature.build(shared, { accounts, others })
  simulatedPayments.connect(payments.receiveCallback)
  const transparency = transparencyFeature.build(shared, {})
  const reports = reportsFeature.build(shared, { accounts, ...keys, ...orders, smsInboxUrl })
  const archives = archivesFeature.build(shared, {})
  const receipts = receiptsFeature.build(shared, { accounts, ...reports, ...archives, transparency })
  const search = searchFeature.build(shared, { accounts, ...reports })
  const callContents = callContentsFeature.build(shared, { accounts })
  const calls = callsFeature.build(shared, { ...keys, ...receipts, ...callContents })
  const openai = openAiFeature.build(shared, { ...keys, ...calls })
  const media = mediaFeature.build(shared, { ...keys, accounts, timing: mediaTiming })
  const alerts = alertsFeature.build(shared, { accounts, messages })
  const webhooks = webhooksFeature.build(shared, { accounts, messages, network: webhookNetwork })
  const subscribers = [alerts.subscriber, webhooks.subscriber]
  const events = eventsFeature.build(shared, { ...accounts, subscribers, onDispatched: webhooks.wake })
  const keyReads = keyReadsFeature.build(shared, { ...keys, ...reports, ...receipts })
  const mcp = mcpFeature.build(shared, { ...keys, ...keyReads, ...openai, callable: [calls, media] })
  const operators = operatorsFeature.build(shared, { providers: [...calls.providers, ...media.providers] })
  return {
    messages,
    accounts,
    secondFactor,
    keys,
    orders,
    payments,
    simulatedPayments,
    callContents,
    calls,
    openai,
    media,
    alerts,
    webhooks,
    events,
    reports,
    receipts,
    search,
    transparency,
    keyReads,
    mcp,
    archives,
    operators,
  }
}

export type Features = ReturnType<typeof buildFeatures>
