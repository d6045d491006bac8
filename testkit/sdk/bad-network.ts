import { strict as assert } from 'node:assert'
import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import { startGateway } from '../gateway/gateway.ts'
import { PayingCustomer } from '../gateway/paying-customer.ts'
import { type Mishap, startBadProxy } from '../http/bad-proxy.ts'
import { type Database, openDatabase } from '../store/engines.ts'
import type { PackedSdk } from './packed-sdk.ts'

const everyNth: readonly [number, Mishap][] = [
  [5, 'drop'],
  [7, 'cut'],
  [11, 'delay'],
  [3, 'twice'],
]
const mishapOf = (index: number): Mishap => everyNth.find(([n]) => index % n === n - 1)?.[1] ?? 'none'

/** Makes calls through a proxy that loses responses and repeats requests, and checks that each was charged exactly once. */
export async function runThroughBadNetwork(sdk: PackedSdk, database: Database, calls: number) {
  const limits = { callsPerKey: { max: 1_000_000, windowSeconds: 60 } }
  const gateway = await startGateway({ database, file: { limits } })
  const proxy = await startBadProxy(gateway.app.public.port, mishapOf)
  try {
    const customer = await PayingCustomer.join(gateway, { amountFen: 1_000_000 })
    const before = await customer.credits()
    const environment = { API_KEY: customer.apiKey, BASE_URL: proxy.url, CALLS: String(calls) }
    const { stdout, stderr } = await sdk.node(['many-calls.js'], environment)
    const { chargeIds, failures } = JSON.parse(stdout || '{}') as { chargeIds: string[]; failures: string[] }
    assert.deepEqual({ failures, stderr }, { failures: [], stderr: '' })
    assert.equal(new Set(chargeIds).size, calls)
    const after = await customer.credits()
    assert.deepEqual(after, { available: before.available - 3 * calls, reserved: 0 })
    return proxy.counts
  } finally {
    await proxy.close()
    await gateway.stop()
    const store = await openDatabase(database)
    const { differences } = await reconcile(store)
    await store.close()
    assert.deepEqual(differences, [])
  }
}
