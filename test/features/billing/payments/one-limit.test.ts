import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { type PaymentWorld, paymentWorld } from '../../../../testkit/payments/world.ts'
import { createTestAdministration } from '../../../../testkit/store/administration.ts'
import { engines, freshStore, type Store } from '../../../../testkit/store/engines.ts'

const dayMs = 86_400_000
const reason = 'asked for it'
const limit = 100
const credits = 60
const amountFen = 600

type Operator = { readonly name: string; readonly via: 'web' }
/** Moves 60 credits; true if that waits for a second operator. */
type Move = (actor: Operator) => Promise<boolean>

describe.each(engines)('the limit of one operator on %s', (engine) => {
  let store: Store
  let remove: () => Promise<void>
  let seed = 12_000
  let references = 0
  beforeAll(async () => {
    ;({ store, remove } = await freshStore(engine))
  })
  afterAll(() => remove())

  async function createWorld(at?: number) {
    seed += 1
    const world = await paymentWorld(store, seed)
    if (at !== undefined) world.clock.now = at
    const clock = () => world.clock.now
    const free = createTestAdministration(world.rig, { approvalAboveCredits: null, clock })
    const limited = createTestAdministration(world.rig, { approvalAboveCredits: limit, clock })
    return { world, free, limited }
  }
  type World = Awaited<ReturnType<typeof createWorld>>
  const earlier = { name: 'earlier', via: 'web' } as const

  async function paid({ world }: World, fen = amountFen) {
    const { paymentId } = await world.create(amountFen)
    world.provider.pay(paymentId, fen)
    await world.callback(paymentId)
    await world.work()
    return paymentId
  }
  async function unclear(world: PaymentWorld, refund: () => Promise<string>) {
    world.provider.refundResponse = { kind: 'unclear', reason: 'ABNORMAL' }
    const refundId = await refund()
    await world.refund()
    await world.end()
    world.provider.refundResponse = null
    return refundId
  }
  const move = async (of: World, kind: 'grant' | 'withdraw'): Promise<Move> => {
    const { world, limited } = of
    if (kind === 'withdraw') await paid(of)
    references += 1
    const asked = { kind, projectId: world.projectId, credits, reference: `${kind} ${references}`, reason }
    return async (actor) => 'approval' in (await limited.moveCredits(actor, asked))
  }
  const end = async (of: World, outcome: 'credit' | 'refund'): Promise<Move> => {
    const { world, limited } = of
    const { paymentId } = await world.create(5000)
    world.provider.pay(paymentId, amountFen)
    await world.callback(paymentId)
    await world.work()
    return async (actor) => (await limited.endPayment(actor, { paymentId, outcome, reason })).approvalId !== null
  }
  const decide = async (of: World, to: 'refunded' | 'returned'): Promise<Move> => {
    const { world, free, limited } = of
    const paymentId = await paid(of)
    const asked = { paymentId, amountFen, reference: 'before', reason }
    const refundId = await unclear(world, async () => (await free.refundPayment(earlier, asked)).refundId)
    return async (actor) => (await limited.decideRefund(actor, { refundId, to, reason })).approvalId !== null
  }
  const decideUncredited = async (of: World, to: 'refunded' | 'returned'): Promise<Move> => {
    const { world, free, limited } = of
    const { paymentId } = await world.create(5000)
    world.provider.pay(paymentId, amountFen)
    await world.callback(paymentId)
    await world.work()
    const refundId = await unclear(world, async () => {
      await free.endPayment(earlier, { paymentId, outcome: 'refund', reason })
      return (await world.store.uncredited.ofPayment(paymentId))[0]!.refundId!
    })
    return async (actor) => (await limited.decideUncredited(actor, { refundId, to, reason }))!.approvalId !== null
  }
  const refund = async (of: World): Promise<Move> => {
    const paymentId = await paid(of)
    const asked = { paymentId, amountFen, reference: 'asked', reason }
    return async (actor) => (await of.limited.refundPayment(actor, asked)).approvalId !== null
  }

  const into = {
    'a grant': (of: World) => move(of, 'grant'),
    'a credited payment': (of: World) => end(of, 'credit'),
    'a refund that was not paid back': (of: World) => decide(of, 'returned'),
    'a refund of uncredited money that was not paid back': (of: World) => decideUncredited(of, 'returned'),
  }
  const outOf = {
    'a withdrawal': (of: World) => move(of, 'withdraw'),
    'a refund': refund,
    'a refunded payment': (of: World) => end(of, 'refund'),
    'a refund that was paid back': (of: World) => decide(of, 'refunded'),
    'a refund of uncredited money that was paid back': (of: World) => decideUncredited(of, 'refunded'),
  }
  /** Each after the one before it, so that each is counted and each is compared with the sum. */
  const pairsOf = (subjects: Readonly<Record<string, (of: World) => Promise<Move>>>) => {
    const all = Object.entries(subjects)
    return all.map(([name, prepare], index) => {
      const [next, prepareNext] = all[(index + 1) % all.length]!
      return [name, next, prepare, prepareNext] as const
    })
  }

  test.each([...pairsOf(into), ...pairsOf(outOf)])(
    '%s and %s add up, of one operator in two projects and of two operators in one',
    async (_, __, prepare, prepareNext) => {
      const one = await createWorld()
      const first = await prepare(one)
      const inSameProject = await prepareNext(one)
      const other = await createWorld(one.world.clock.now)
      const inOtherProject = await prepareNext(other)
      const [ada, bea, cem] = ['ada', 'bea', 'cem'].map((name) => ({ name: `${name} ${seed}`, via: 'web' }) as const)
      // What was asked for before does not count any more.
      one.world.clock.now += dayMs + 1
      other.world.clock.now = one.world.clock.now
      expect(await first(ada!)).toBe(false)
      expect(await inOtherProject(ada!)).toBe(true)
      expect(await inSameProject(bea!)).toBe(true)
      other.world.clock.now += dayMs
      const again = await prepareNext(other)
      expect(await again(cem!)).toBe(false)
    },
  )

  test('credits that leave a project and credits that enter it have a limit each, and a refund counts once with its end', async () => {
    const of = await createWorld()
    const ada = { name: `ada ${seed}`, via: 'web' } as const
    const [grant, refunds] = [await move(of, 'grant'), await refund(of)]
    expect(await grant(ada)).toBe(false)
    const refundId = await unclear(of.world, async () => {
      expect(await refunds(ada)).toBe(false)
      return (await of.world.allRefunds())[0]!.refundId
    })
    const ended = await of.limited.decideRefund(ada, { refundId, to: 'refunded', reason })
    expect(ended).toMatchObject({ approvalId: null, refund: { state: 'refunded' } })
    await paid(of)
    const asked = { kind: 'withdraw', projectId: of.world.projectId, reason } as const
    expect(await of.limited.moveCredits(ada, { ...asked, credits: 40, reference: 'to the limit' })).toHaveProperty(
      'credits',
    )
    expect(await of.limited.moveCredits(ada, { ...asked, credits: 1, reference: 'beyond' })).toHaveProperty('approval')
    expect((await reconcile(store)).differences).toEqual([])
  })
})
