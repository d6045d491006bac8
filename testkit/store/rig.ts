import { newId, newSortableId } from '../../src/base/ids.ts'
import { tokenDigest } from '../../src/base/signatures.ts'
import { pricingVersion, type Scope, scopes } from '../../src/contract/prices.ts'
import { createOrders } from '../../src/features/billing/payments/orders.ts'
import { createKeys } from '../../src/features/identity/keys/keys.ts'
import { createNamedKeys } from '../../src/features/identity/keys/named-keys.ts'
import type { Admit } from '../../src/ledger/commands.ts'
import { createLedger } from '../../src/ledger/ledger.ts'
import type { Outcome } from '../../src/providers/outcome.ts'
import type { RelayDeps } from '../../src/relay/call.ts'
import type { BusinessOperation, BusinessOperations, OperationResult } from '../../src/relay/operations/operation.ts'
import { createRelay, type Relay } from '../../src/relay/relay.ts'
import { admission } from './commands.ts'
import type { Store } from './engines.ts'
import { createStores } from './stores.ts'

/** The modules around one open store, without HTTP, for tests of the books. */
export function createRig(engine: Store, { clock = Date.now, instanceId = newId('ins') } = {}) {
  const stores = createStores({ engine, instanceId, clock, snapshots: { days: 30, perProject: 1000 } })
  const ledger = createLedger({ store: stores.batches })
  const keyDeps = {
    store: stores.keys,
    digest: (plaintext: string) => tokenDigest('api-key', plaintext),
    clock,
    lifetimeSeconds: null,
    maxActive: 50,
  }
  const keys = createKeys(keyDeps)
  const namedKeys = createNamedKeys(keyDeps)
  const orders = createOrders({ store: stores.payments, ledger, clock, paymentMode: 'local-simulated' })
  return { engine, stores, ledger, keyDeps, keys, namedKeys, orders, clock, instanceId }
}

export type Rig = ReturnType<typeof createRig>

export interface Customer {
  readonly projectId: string
  readonly keyId: string
  readonly apiKey: string
}

/** An account with a project and one key, as registration and the console would leave them. */
export async function createCustomer(rig: Rig, keyScopes: readonly Scope[] = scopes): Promise<Customer> {
  const projectId = newId('prj')
  const own = (prefix: string) => `${prefix} of ${projectId}`
  await rig.stores.identity.write((tx) =>
    tx.createAccount({
      accountId: own('account'),
      name: 'Personal account',
      recoveryEmail: {
        digest: own('email'),
        masked: 'l***@example.com',
        sealed: own('sealed email'),
        keyVersion: 'none',
      },
      passwordDigest: own('password'),
      identitySubject: own('subject'),
      phone: { digest: own('phone'), masked: '138****5678', sealed: own('sealed phone'), keyVersion: 'none' },
      projectId,
      projectName: 'Personal project',
      at: rig.clock(),
    }),
  )
  const { keyId, apiKey } = await rig.keys.create(projectId, keyScopes)
  return { projectId, keyId, apiKey }
}

/** Recharges; ten credits a yuan. */
export async function addCredits(rig: Rig, projectId: string, credits: number): Promise<void> {
  const order = await rig.orders.create(projectId, credits * 10, newId('req'))
  await rig.orders.confirm(projectId, order.orderId)
}

export type ChatOutcome = Outcome<OperationResult<'model.chat'>>

export const chatResult = (output: string): ChatOutcome => ({
  kind: 'confirmed',
  value: {
    data: { provider: 'model_provider_a', model: 'local-small', output },
    usage: { inputUnits: 1, outputUnits: 1, totalUnits: 2 },
  },
})

/** Only model.chat, performed as the test says. */
export function testOperations(
  perform: (prompt: string) => Promise<ChatOutcome>,
  leavesProcess = true,
): BusinessOperations {
  const chat: BusinessOperation<'model.chat'> = {
    prepare: (request) => ({ leavesProcess, perform: () => perform('prompt' in request ? request.prompt : '') }),
  }
  return { 'model.chat': chat } as unknown as BusinessOperations
}

export function createTestRelay(
  rig: Rig,
  operations: BusinessOperations,
  { ledger = rig.ledger, instanceId = rig.instanceId, ...changes }: Partial<RelayDeps> = {},
): Relay {
  return createRelay({
    ledger,
    charges: rig.stores.charges,
    operations,
    instanceId,
    isLeaseHeld: () => true,
    callsPerKey: { max: 1_000_000, windowSeconds: 60 },
    clock: rig.clock,
    duplicateWaitMs: 10_000,
    sealContent: () => ({ sealed: 'none', keyVersion: 'none' }),
    onUncertain: () => {},
    onSnapshotsAdded: () => {},
    reportFault: () => {},
    onFault: () => {},
    ...changes,
  })
}

export const chatCall = (customer: Customer, idempotencyKey: string, prompt: string) => ({
  operation: 'model.chat' as const,
  principal: customer,
  address: '203.0.113.7',
  idempotencyDigest: tokenDigest('idempotency', idempotencyKey),
  request: { prompt },
  requestId: newId('req'),
})

/** The command that admits a customer's call. */
export const admissionOf = (rig: Rig, customer: Customer, changes: Partial<Admit> = {}): Admit =>
  admission({
    chargeId: newSortableId('chg', rig.clock()),
    projectId: customer.projectId,
    keyId: customer.keyId,
    pricingVersion,
    instanceId: rig.instanceId,
    at: rig.clock(),
    ...changes,
  })
