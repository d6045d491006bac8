import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArchiver } from '../../../../src/features/records/archives/archiver.ts'
import { createArchiveDirectory } from '../../../../src/features/records/archives/directory.ts'
import { createArchiveStore } from '../../../../src/features/records/archives/store.ts'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { type PaymentWorld, paymentWorld } from '../../../../testkit/payments/world.ts'
import { createTree } from '../../../../testkit/receipts/tree-rig.ts'
import { createTestAdministration } from '../../../../testkit/store/administration.ts'
import {
  type Database,
  engines,
  freshStore,
  onDisk,
  openDatabase,
  type Store,
} from '../../../../testkit/store/engines.ts'
import { createRig } from '../../../../testkit/store/rig.ts'

const dayMs = 86_400_000
const reason = 'asked for it'
const ada = { name: 'ada', via: 'web' } as const
const bea = { name: 'bea', via: 'command line' } as const

describe.each(engines)('refunds on %s', (engine) => {
  let store: Store
  let database: Database
  let remove: () => Promise<void>
  let seed = 6000
  beforeAll(async () => {
    const fresh = await freshStore(engine, onDisk)
    ;({ store, database, remove } = fresh)
  })
  afterAll(() => remove())

  /** A payer, and operators who may refund 100 credits alone. */
  async function paid(amountFen = 2000, limit: number | null = 100) {
    seed += 1
    const world = await paymentWorld(store, seed)
    const { paymentId } = await world.create(amountFen)
    world.provider.pay(paymentId, amountFen)
    world.clock.now += 3000
    await world.work()
    expect(await world.available()).toBe(amountFen / 10)
    const operate = createTestAdministration(world.rig, { approvalAboveCredits: limit, clock: () => world.clock.now })
    const refund = (fen: number, reference: string, actor: typeof ada | { name: string; via: 'web' } = ada) =>
      operate.refundPayment(actor, { paymentId, amountFen: fen, reference, reason })
    return { world, paymentId, operate, refund }
  }
  const stateOf = async (world: PaymentWorld, refundId: string) => (await world.refunds.find(refundId))!.state
  const credits = async (world: PaymentWorld) => world.rig.stores.creditsOf(world.projectId)

  test('what one operator refunds alone in 24 hours adds up, in other payments and under another spelling too', async () => {
    const { world, refund, operate } = await paid(4000)
    expect((await refund(600, 'a')).approvalId).toBe(null)
    expect((await refund(400, 'b', { name: ' ADA', via: 'web' })).approvalId).toBe(null)
    const waiting = await refund(10, 'c')
    expect(waiting.approvalId).not.toBe(null)
    // Another operator, the same project.
    expect((await refund(10, 'd', { name: 'cem', via: 'web' })).approvalId).not.toBe(null)
    expect(await refund(10, 'c')).toEqual({ ...waiting, replayed: true })
    expect(await credits(world)).toEqual({ available: 300, reserved: 100 })
    await world.refund()
    expect(await credits(world)).toEqual({ available: 300, reserved: 0 })
    // What a second operator approved does not count.
    await operate.approve(bea, { approvalId: waiting.approvalId! })
    world.clock.now += dayMs
    expect((await refund(1000, 'e')).approvalId).toBe(null)
    await world.refund()
    expect(await credits(world)).toEqual({ available: 199, reserved: 0 })
  })

  test('a pending withdrawal that refers to a refund does not take it out of the 24-hour sum', async () => {
    const { world, refund, operate } = await paid(8000)
    const first = await refund(1000, 'a')
    const withdrawal = { kind: 'withdraw', projectId: world.projectId, credits: 200, reason } as const
    await expect(operate.moveCredits(ada, { ...withdrawal, reference: first.refundId })).rejects.toMatchObject({
      code: 'REFERENCE_INVALID',
    })
    // As an earlier version has stored it.
    const moved = await operate.moveCredits(ada, { ...withdrawal, reference: `renamed ${seed}` })
    const approvalId = 'approval' in moved ? moved.approval.id : ''
    const rename = 'UPDATE approvals SET reference = $2, reference_key = $2 WHERE approval_id = $1'
    await store.write((tx) => tx.run(rename, [approvalId, first.refundId]))
    expect((await refund(10, 'b')).approvalId).not.toBe(null)
    // Nor does a repeat of the refund take the withdrawal for its own approval.
    expect(await refund(1000, 'a')).toEqual({ ...first, replayed: true })
    await operate.reject(bea, { approvalId })
  })

  test('refunds that are sent at once, also from another process, do not slip under the limit together', async () => {
    const { world, paymentId, refund } = await paid(4000)
    const other = await openDatabase(database, { exclusive: false })
    const rig = createRig(other, { clock: () => world.clock.now })
    const elsewhere = createTestAdministration(rig, { approvalAboveCredits: 100, clock: () => world.clock.now })
    const there = (fen: number, reference: string) =>
      elsewhere.refundPayment(ada, { paymentId, amountFen: fen, reference, reason })
    const sent = await Promise.all([1, 2, 3, 4, 5, 6].map((one) => (one % 2 ? refund : there)(400, `at once ${one}`)))
    expect(sent.filter(({ approvalId }) => approvalId === null)).toHaveLength(2)
    const same = await Promise.all([refund(100, 'the same'), there(100, 'the same'), refund(100, 'the same')])
    expect(new Set(same.map(({ refundId }) => refundId)).size).toBe(1)
    await other.close()
  })

  test('an approval holds the credits, a rejection gives nothing away, and only one of them wins', async () => {
    const { world, refund, operate } = await paid(4000)
    const large = await refund(2000, 'large')
    expect(await credits(world)).toEqual({ available: 400, reserved: 0 })
    await expect(operate.approve(ada, { approvalId: large.approvalId! })).rejects.toMatchObject({
      code: 'APPROVAL_OWN_REQUEST',
    })
    await operate.approve(bea, { approvalId: large.approvalId! })
    expect(await credits(world)).toEqual({ available: 200, reserved: 200 })
    await expect(operate.reject(bea, { approvalId: large.approvalId! })).rejects.toMatchObject({
      code: 'APPROVAL_NOT_PENDING',
    })
    await world.refund()
    expect(await stateOf(world, large.refundId)).toBe('refunded')

    const rejected = await refund(1500, 'rejected')
    await operate.reject(bea, { approvalId: rejected.approvalId! })
    expect(await stateOf(world, rejected.refundId)).toBe('returned')
    await expect(operate.approve(bea, { approvalId: rejected.approvalId! })).rejects.toMatchObject({
      code: 'APPROVAL_NOT_PENDING',
    })
    const raced = await refund(1500, 'raced')
    const approvalId = raced.approvalId!
    const ended = await Promise.allSettled([operate.approve(bea, { approvalId }), operate.reject(bea, { approvalId })])
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const isApproved = ended[0]!.status === 'fulfilled'
    expect(await stateOf(world, raced.refundId)).toBe(isApproved ? 'held' : 'returned')
    await world.refund()
    expect(await credits(world)).toEqual({ available: isApproved ? 50 : 200, reserved: 0 })
  })

  test('without enough credits an approval stays pending, and the provider is not asked', async () => {
    const { world, refund, operate } = await paid(2000)
    const large = await refund(2000, 'all')
    await operate.moveCredits(bea, {
      ...{ kind: 'withdraw', projectId: world.projectId, credits: 50, reference: `taken ${seed}`, reason },
    })
    const approve = () => operate.approve(bea, { approvalId: large.approvalId! })
    await expect(approve()).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' })
    await operate.moveCredits(bea, {
      ...{ kind: 'grant', projectId: world.projectId, credits: 50, reference: `given ${seed}`, reason },
    })
    expect(world.provider.refunds.size).toBe(0)
    await approve()
    await world.refund()
    expect(await stateOf(world, large.refundId)).toBe('refunded')
  })

  test.each([
    ['pending', { kind: 'pending', providerRefundId: null }, 'pending', 50],
    ['unclear', { kind: 'unclear', reason: 'ABNORMAL' }, 'review', 50],
    ['refused', { kind: 'refused', reason: 'NOT_ENOUGH' }, 'returned', 0],
    ['lost', null, 'pending', 50],
  ] as const)('a response that is %s leaves the credits where they belong', async (_, answer, state, reserved) => {
    const { world, refund } = await paid(2000)
    world.provider.refundResponse = answer ?? 'lost'
    const { refundId } = await refund(500, 'r')
    await world.refund()
    expect(await stateOf(world, refundId)).toBe(state)
    expect((await credits(world)).reserved).toBe(reserved)
    // The provider answers properly later: what is under way goes on, once; what has ended stays.
    world.provider.refundResponse = null
    world.clock.now += 120_000
    await world.refund()
    const after = state === 'pending' ? 'refunded' : state
    expect(await stateOf(world, refundId)).toBe(after)
    const available = after === 'returned' ? 200 : 150
    expect(await credits(world)).toEqual({ available, reserved: after === 'review' ? 50 : 0 })
    expect(world.provider.refunds.size).toBe(after === 'refunded' ? 1 : 0)
  })

  /** A refund whose outcome the provider does not tell, as the worker had it when it asked. */
  async function inReview(
    world: PaymentWorld,
    refund: (fen: number, reference: string) => Promise<{ refundId: string }>,
  ) {
    world.provider.refundResponse = { kind: 'unclear', reason: 'ABNORMAL' }
    const { refundId } = await refund(500, `unclear ${seed}`)
    const held = (await world.refunds.find(refundId))!
    await world.refund()
    expect(await stateOf(world, refundId)).toBe('review')
    world.provider.refundResponse = null
    return { refundId, held }
  }
  const audited = (refundId: string) =>
    store.read((tx) =>
      tx.all<{ action: string; by: string }>(
        'SELECT action, acted_by AS "by" FROM audit_entries WHERE object = $1 ORDER BY seq',
        [refundId],
      ),
    )

  test.each([
    ['refunded', 'payments.refund.done', 150],
    ['returned', 'payments.refund.failed', 200],
  ] as const)('a refund in review that an operator ends as %s ends once', async (to, action, available) => {
    const { world, refund, operate } = await paid(2000)
    const { refundId, held } = await inReview(world, refund)
    await expect(operate.decideRefund(ada, { refundId, to, reason: ' ' })).rejects.toMatchObject({
      code: 'REASON_INVALID',
    })
    const { refund: ended, approvalId } = await operate.decideRefund(ada, { refundId, to, reason })
    expect([ended.state, approvalId]).toEqual([to, null])
    expect(await credits(world)).toEqual({ available, reserved: 0 })
    for (const again of ['refunded', 'returned'] as const)
      await expect(operate.decideRefund(bea, { refundId, to: again, reason })).rejects.toMatchObject({
        code: 'REFUND_NOT_IN_REVIEW',
      })
    // A worker that had asked before gets its response now, twice.
    for (const _ of [1, 2]) await world.gateway.proceed(held)
    expect(await stateOf(world, refundId)).toBe(to)
    expect(await credits(world)).toEqual({ available, reserved: 0 })
    expect(world.contradictions).toEqual(to === 'returned' ? [refundId, refundId] : [])
    expect(await audited(refundId)).toEqual([{ action, by: 'ada' }])
  })

  test('only a refund in review is decided, and an unknown one is not found', async () => {
    const { world, refund, operate } = await paid(2000)
    world.provider.refundResponse = { kind: 'pending', providerRefundId: null }
    const { refundId } = await refund(500, 'slow')
    const decide = (id: string) => operate.decideRefund(ada, { refundId: id, to: 'returned', reason })
    await expect(decide(refundId)).rejects.toMatchObject({ code: 'REFUND_NOT_IN_REVIEW' })
    await world.refund()
    await expect(decide(refundId)).rejects.toMatchObject({ code: 'REFUND_NOT_IN_REVIEW' })
    await expect(decide('rfd_nobody00000000000000')).rejects.toMatchObject({ code: 'REFUND_NOT_FOUND' })
    expect(await credits(world)).toEqual({ available: 150, reserved: 50 })
  })

  test('of concurrent decisions, in two processes and with late responses, exactly one has an effect', async () => {
    const { world, refund, operate } = await paid(2000)
    const other = await openDatabase(database, { exclusive: false })
    const rig = createRig(other, { clock: () => world.clock.now })
    const elsewhere = createTestAdministration(rig, { approvalAboveCredits: 100, clock: () => world.clock.now })
    let available = 200
    for (const round of [1, 2, 3]) {
      seed += 1
      const { refundId, held } = await inReview(world, refund)
      const decide = (who: typeof operate, to: 'refunded' | 'returned') =>
        who.decideRefund({ name: `${to} ${round}`, via: 'web' }, { refundId, to, reason })
      const sent = await Promise.allSettled([
        ...[decide(operate, 'returned'), decide(elsewhere, 'refunded')],
        ...(round === 2 ? [world.gateway.proceed(held), world.gateway.proceed(held)] : []),
        ...[decide(elsewhere, 'returned'), decide(operate, 'refunded')],
      ])
      for (const one of sent)
        if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'REFUND_NOT_IN_REVIEW' })
      const state = await stateOf(world, refundId)
      if (state === 'refunded') available -= 50
      expect(await credits(world)).toEqual({ available, reserved: 0 })
      const decisions = (await audited(refundId)).length
      expect(round === 2 ? [0, 1] : [1]).toContain(decisions)
      world.clock.now += dayMs
    }
    await other.close()
    expect((await reconcile(store)).differences).toEqual([])
  })

  test('a refund that needs two operators also needs two to end; the provider may still be faster', async () => {
    const { world, refund } = await paid(4000, null)
    const operate = createTestAdministration(world.rig, { approvalAboveCredits: 40, clock: () => world.clock.now })
    const reviewed = () => {
      seed += 1
      return inReview(world, refund)
    }
    const first = await reviewed()
    const returned = { refundId: first.refundId, to: 'returned', reason } as const
    const { approvalId } = await operate.decideRefund(ada, returned)
    expect(await operate.decideRefund(ada, returned)).toMatchObject({ approvalId })
    expect(await credits(world)).toEqual({ available: 350, reserved: 50 })
    await expect(operate.approve(ada, { approvalId: approvalId! })).rejects.toMatchObject({
      code: 'APPROVAL_OWN_REQUEST',
    })
    expect(await operate.approve(bea, { approvalId: approvalId! })).toMatchObject({
      credits: 50,
      balance: { available: 400, reserved: 0 },
    })
    expect(await audited(first.refundId)).toEqual([{ action: 'payments.refund.failed.approve', by: 'bea' }])

    // Approved and rejected at once: only one of them wins.
    const second = await reviewed()
    const raced = (await operate.decideRefund(ada, { ...returned, refundId: second.refundId, to: 'refunded' }))
      .approvalId!
    const ended = await Promise.allSettled([
      operate.approve(bea, { approvalId: raced }),
      operate.reject({ name: 'cem', via: 'command line' }, { approvalId: raced }),
      operate.approve({ name: 'dee', via: 'command line' }, { approvalId: raced }),
    ])
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await stateOf(world, second.refundId)).toBe(ended[1]!.status === 'fulfilled' ? 'review' : 'refunded')

    // The provider answers while the request waits: then it can only be rejected.
    const third = await reviewed()
    const late = (await operate.decideRefund(ada, { ...returned, refundId: third.refundId })).approvalId!
    await world.gateway.proceed(third.held)
    await expect(operate.approve(bea, { approvalId: late })).rejects.toMatchObject({ code: 'REFUND_NOT_IN_REVIEW' })
    await operate.reject(bea, { approvalId: late })
    expect(await stateOf(world, third.refundId)).toBe('refunded')
    expect((await reconcile(store)).differences).toEqual([])
  })

  test('decisions that are sent at once do not slip under the limit together', async () => {
    const { world, refund } = await paid(4000, null)
    const operate = createTestAdministration(world.rig, { approvalAboveCredits: 100, clock: () => world.clock.now })
    const ids: string[] = []
    for (const _ of [1, 2, 3, 4]) {
      seed += 1
      ids.push((await inReview(world, refund)).refundId)
    }
    const decide = (refundId: string, name: string) =>
      operate.decideRefund({ name, via: 'web' }, { refundId, to: 'returned', reason })
    const sent = await Promise.all(ids.map((id, index) => decide(id, index % 2 ? 'ada' : ' ADA')))
    expect(sent.filter(({ approvalId }) => approvalId === null)).toHaveLength(2)
    expect(await credits(world)).toEqual({ available: 300, reserved: 100 })
    world.clock.now += dayMs
    const left = sent.find(({ approvalId }) => approvalId !== null)!.refund.refundId
    expect(await decide(left, 'ada')).toMatchObject({ approvalId: null })
  })

  test('a refund that has not ended holds up the archive of its ledger', async () => {
    const { world, refund } = await paid(2000)
    world.provider.refundResponse = { kind: 'pending', providerRefundId: null }
    const { refundId } = await refund(500, 'slow')
    world.clock.now += 60 * dayMs
    await refund(100, 'later')
    const directory = createArchiveDirectory(join(database.dataDir, `archives-${seed}`))
    const tree = createTree({ engine: store, dataDir: database.dataDir, clock: () => world.clock.now })
    const archive = async () => {
      // Only what is in the public tree is archived.
      await tree.settle()
      return createArchiver({
        store: {
          ...createArchiveStore(store),
          times: async () => ({ databaseMs: world.clock.now, newestEntryMs: null }),
        },
        ...{ directory, lockDirectory: async () => ({ release: () => {} }), holder: 'test', host: 'host-a' },
        ...{ clock: () => world.clock.now, retentionDays: 35, resultDays: 30, pauseMs: 0 },
      }).run()
    }
    const entries = () =>
      store.read((tx) =>
        tx.all<{ kind: string }>('SELECT kind FROM ledger_entries WHERE project_id = $1 ORDER BY seq', [
          world.projectId,
        ]),
      )
    await archive()
    expect((await entries()).map(({ kind }) => kind)).toEqual(['reserve', 'reserve'])
    expect((await reconcile(store, { archives: directory })).differences).toEqual([])
    world.provider.refundResponse = null
    await world.refund()
    expect(await stateOf(world, refundId)).toBe('refunded')
    world.clock.now += 60 * dayMs
    await archive()
    expect((await entries()).map(({ kind }) => kind)).toEqual(['withdraw'])
    expect((await reconcile(store, { archives: directory })).differences).toEqual([])
  })
})
