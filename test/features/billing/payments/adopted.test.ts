import { expect, onTestFinished, test } from 'vitest'
import { adoptPayments } from '../../../../src/features/billing/payments/store/payments.ts'
import { createPaymentStore } from '../../../../src/features/billing/payments/store/store.ts'
import { createSharedLease } from '../../../../src/storage/postgres/lease.ts'
import type { PostgresEngine } from '../../../../src/storage/postgres/postgres-engine.ts'
import { engines, freshStore } from '../../../../testkit/store/engines.ts'
import { createCustomer, createRig } from '../../../../testkit/store/rig.ts'

const now = 1_700_000_000_000
const claimedUntil = now + 180_000

test.for(engines)('a payment is due again at once when the instance that claimed it is gone, on %s', async (kind) => {
  const { store: engine, remove } = await freshStore(kind)
  onTestFinished(remove)
  const { projectId } = await createCustomer(createRig(engine))
  const { payments } = createPaymentStore(engine)
  const claimedBy = async (instanceId: string) => {
    const wanted = {
      ...{ projectId, amountFen: 100, method: 'simulated', display: 'qr' as const, clientAddress: null },
      ...{ idempotencyDigest: instanceId, at: now, expiresAt: now + 1_800_000, nextQueryAt: now },
    }
    const stored = await payments.insertOrFind(wanted, 5)
    await payments.claim({ by: instanceId, now, until: claimedUntil, limit: 1 })
    return stored!.row.paymentId
  }
  const [own, dead, live] = [await claimedBy('own'), await claimedBy('dead'), await claimedBy('live')]
  // In a store that belongs to a single instance, there are no leases and every other instance is gone.
  if (engine.isShared) {
    const lease = createSharedLease(engine as PostgresEngine, { instanceId: 'live' })
    onTestFinished(() => lease.stop())
    await lease.start()
  }
  const adoption = { by: 'own', now: now + 1000, underWay: [own], includesOthers: true }
  await adoptPayments(engine, adoption)
  const due = await payments.claim({ by: 'own', now: now + 1000, until: claimedUntil, limit: 10 })
  const left = engine.isShared ? [dead] : [dead, live]
  expect(due.map(({ paymentId }) => paymentId).sort()).toEqual(left.sort())
  expect(await payments.find(own)).toMatchObject({ claimedBy: 'own', nextQueryAt: claimedUntil })
  // The store failed while it was released: no one works on it any more.
  await adoptPayments(engine, { ...adoption, underWay: [], includesOthers: false })
  expect(await payments.find(own)).toMatchObject({ claimedBy: null, nextQueryAt: now + 1000 })
})
