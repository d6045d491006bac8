import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { engines, freshStore } from '../../../../testkit/store/engines.ts'
import { createCustomer, createRig } from '../../../../testkit/store/rig.ts'

describe.each(engines)('a paid credit lot on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let projectId: string
  beforeAll(async () => {
    fresh = await freshStore(engine)
    projectId = (await createCustomer(createRig(fresh.store))).projectId
  })
  afterAll(() => fresh.remove())

  const insert = (order: string, kind: string, reference: string | null) =>
    fresh.store.write(async (tx) => {
      await tx.run(
        `INSERT INTO orders (order_id, project_id, idempotency_digest, amount_fen, credit_amount, pricing_version, state, created_at, credited_at)
        VALUES ($1, $2, $1, 1000, 100, 'v', 'credited', 1, 2)`,
        [order, projectId],
      )
      await tx.run(
        `INSERT INTO credit_lots (lot_id, project_id, order_id, kind, amount, created_at, reference)
        VALUES ($1, $2, $1, $3, 100, 2, $4)`,
        [order, projectId, kind, reference],
      )
    })

  it('a paid credit lot has a reference that no other lot has', async () => {
    await insert('ord1', 'paid', 'wechat:1')
    await expect(insert('ord2', 'paid', 'wechat:1')).rejects.toThrow(/same key/)
    await expect(insert('ord3', 'paid', null)).rejects.toThrow(/check/i)
    await expect(insert('ord4', 'gift', null)).rejects.toThrow(/check/i)
  })

  it('a paid credit lot without its payment is a difference of invariant I9', async () => {
    expect((await reconcile(fresh.store)).differences.map(({ invariant }) => invariant)).toContain('I9')
  })
})
