import { newId } from '../../src/base/ids.ts'
import { createKeyring } from '../../src/base/keyring.ts'
import { dayOf, dayText } from '../../src/base/time.ts'
import { Refusal } from '../../src/contract/errors.ts'
import { createCallbacks } from '../../src/features/billing/payments/callbacks.ts'
import { createPaymentCheck } from '../../src/features/billing/payments/check-payment.ts'
import { createComparison } from '../../src/features/billing/payments/compare.ts'
import { decideRefund } from '../../src/features/billing/payments/operator/refund-decisions.ts'
import { refundPayment } from '../../src/features/billing/payments/operator/refund-requests.ts'
import { createPayments } from '../../src/features/billing/payments/payments.ts'
import { createRefunder, createRefundWorker } from '../../src/features/billing/payments/refunds.ts'
import { adoptPayments } from '../../src/features/billing/payments/store/payments.ts'
import { adoptRefunds } from '../../src/features/billing/payments/store/refunds.ts'
import { createPaymentStore } from '../../src/features/billing/payments/store/store.ts'
import { adoptUncredited } from '../../src/features/billing/payments/store/uncredited.ts'
import { createUncreditedEnder } from '../../src/features/billing/payments/uncredited.ts'
import { type Adopt, createPaymentWorker } from '../../src/features/billing/payments/worker.ts'
import { type PaidThere, PaymentFault } from '../../src/providers/payments/payment-provider.ts'
import type { Store } from '../store/engines.ts'
import { createCustomer, createRig } from '../store/rig.ts'
import { lateFaults, refundLate } from './late-payments.ts'
import { LyingProvider } from './lying-provider.ts'

/** The gateway was killed at this step. */
class Killed extends Error {}

export function seeded(seed: number): () => number {
  let state = seed >>> 0 || 1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const schedule = { expirySeconds: 900, queryAfterSeconds: [3, 10, 30], queryEverySeconds: 60, openPerProject: 1000 }
const keyring = createKeyring('the secret of the tests, 32 bytes or more')

/** One customer who pays with a provider that lies, by a clock of its own. Everything follows from the seed. */
export async function paymentWorld(engine: Store, seed: number) {
  const random = seeded(seed)
  const clock = { now: Date.UTC(2026, 8, 3) + (seed % 1000) * 86_400_000 * 3 }
  const read = () => clock.now
  const provider = new LyingProvider(read, random)
  // Its own, because the worlds of a store have different clocks.
  const method = `lying-${seed}`
  const providers = new Map([[method, provider]])
  const rig = createRig(engine, { clock: read })
  const { projectId } = await createCustomer(rig)
  const store = createPaymentStore(engine)
  const { refunds } = store
  const silent = () => {}
  const contradictions: string[] = []

  /** A gateway as it starts: nothing in memory. */
  function start() {
    const checkPayment = createPaymentCheck({ store, ledger: rig.ledger, providers, schedule, clock: read })
    const observer = { credited: silent, changed: silent, paidTwice: silent, faulty: silent, storeFailed: silent }
    const instanceId = newId('ins')
    const adopting =
      (adopt: typeof adoptPayments): Adopt =>
      (underWay) =>
        adopt(engine, { by: instanceId, now: read(), underWay, includesOthers: false })
    const worker = createPaymentWorker({
      store,
      checkPayment,
      schedule,
      instanceId,
      clock: read,
      observer,
      adopt: adopting(adoptPayments),
    })
    const payments = createPayments({ store, providers, schedule, clock: read, wake: silent, onFault: silent })
    const observed = silent
    const callbacks = createCallbacks({ store, providers, keyring, clock: read, wake: silent, observed })
    const compare = createComparison({ store, providers, checkPayment, clock: read })
    const proceed = createRefunder({
      ...{ store, providers, schedule },
      ledger: rig.ledger,
      clock: read,
      observer: { unclear: silent, contradicted: ({ refundId }) => contradictions.push(refundId) },
    })
    const refundWorker = createRefundWorker({
      ...{ queue: refunds, proceed, instanceId, clock: read, storeFailed: silent },
      idOf: ({ refundId }) => refundId,
      adopt: adopting(adoptRefunds),
    })
    const carryOut = createUncreditedEnder({ store, providers, schedule, ledger: rig.ledger, clock: read })
    const endWorker = createRefundWorker({
      ...{ queue: store.uncredited, proceed: carryOut, instanceId, clock: read, storeFailed: silent },
      idOf: ({ uncreditedId }) => uncreditedId,
      adopt: adopting(adoptUncredited),
    })
    return { worker, refundWorker, endWorker, payments, callbacks, compare, proceed, carryOut }
  }
  let gateway = start()

  /** Runs until it ends, or until the gateway is killed at a random step; then another one starts. */
  async function mayDie(work: () => Promise<unknown>, chance: number): Promise<void> {
    let steps = random() < chance ? Math.floor(random() * 6) : Number.POSITIVE_INFINITY
    provider.onStep = () => {
      steps -= 1
      if (steps < 0) throw new Killed()
    }
    try {
      await work()
    } catch (error) {
      if (!(error instanceof Killed)) throw error
    } finally {
      provider.onStep = silent
    }
    if (steps < 0) gateway = start()
  }

  const world = {
    random,
    clock,
    provider,
    store,
    method,
    projectId,
    rig,
    refunds,
    /** What operators act with. */
    operating: {
      engine,
      ledger: rig.ledger,
      approvalAboveCredits: null,
      clock: read,
    },
    allRefunds: async () => {
      const payments = await store.payments.page(projectId, null, 100)
      return (await Promise.all(payments.map(({ paymentId }) => refunds.ofPayment(paymentId)))).flat()
    },
    /** Refunds that an operator ended otherwise than the provider. */
    contradictions,
    mayDie,
    get gateway() {
      return gateway
    },
    create: (amountFen: number) =>
      gateway.payments.create({
        ...{ projectId, amountFen, method, display: 'qr' as const },
        ...{ idempotencyDigest: newId('req'), clientAddress: '203.0.113.7' },
      }),
    /** Everything that is due, as the worker does it. */
    async work(): Promise<void> {
      for (let round = 0; round < 40 && (await store.payments.hasDue(clock.now)); round += 1) {
        gateway.worker.wake()
        await gateway.worker.idle()
      }
    },
    /** The refunds that are due. */
    async refund(): Promise<void> {
      for (let round = 0; round < 40 && (await refunds.hasDue(clock.now)); round += 1) {
        gateway.refundWorker.wake()
        await gateway.refundWorker.idle()
      }
    },
    /** The ends of payments that are due. */
    async end(): Promise<void> {
      for (let round = 0; round < 40 && (await store.uncredited.hasDue(clock.now)); round += 1) {
        gateway.endWorker.wake()
        await gateway.endWorker.idle()
      }
    },
    callback: (paymentId: string, eventId = newId('evt'), signature = 'right') =>
      gateway.callbacks.receive(method, {
        header: (name) => (name === 'signature' ? signature : undefined),
        body: Buffer.from(`${eventId} ${paymentId}`),
      }),
    /** Compares every day from the first to now, and returns what is left. */
    async compareAll(from: number) {
      const found = []
      for (let day = dayOf(from); day <= dayOf(clock.now); day += 1) {
        const { differences } = await gateway.compare(dayText(day), method)
        found.push(...differences)
      }
      return found
    },
    available: () =>
      engine.read(async (tx) => {
        const row = await tx.get<{ available: number }>('SELECT available FROM balances WHERE project_id = $1', [
          projectId,
        ])
        return row!.available
      }),
  }
  return world
}

export type PaymentWorld = Awaited<ReturnType<typeof paymentWorld>>

/** Plays a random history, ends it honestly, and returns what is wrong with the books of the customer. */
export async function playPayments(engine: Store, seed: number): Promise<string[]> {
  const world = await paymentWorld(engine, seed)
  const { random, clock, provider, mayDie } = world
  const startedAt = clock.now
  const pick = <T>(values: readonly T[]): T | undefined => values[Math.floor(random() * values.length)]
  const amounts = new Map<string, number>()
  const faults: string[] = []
  provider.chance = random()
  provider.hidesRefunds = random() < 0.5
  for (let step = 0; step < 12; step += 1) {
    const ids = [...amounts.keys()]
    const paymentId = pick(ids)
    const action = Math.floor(random() * 14)
    if (action <= 1 || paymentId === undefined) {
      await mayDie(async () => {
        const payment = await world.create(100 * (1 + Math.floor(random() * 50)))
        amounts.set(payment.paymentId, payment.amountFen)
      }, 0.3)
      for (const row of await world.store.payments.page(world.projectId, null, 100))
        amounts.set(row.paymentId, row.amountFen)
      continue
    }
    const amountFen = amounts.get(paymentId)!
    if (action === 2) provider.pay(paymentId, amountFen)
    if (action === 3) {
      const kind = random()
      provider.pay(paymentId, amountFen + (kind < 0.3 ? 100 : 0), kind > 0.8 ? 'USD' : 'CNY')
      if (random() < 0.7) await world.callback(paymentId)
    }
    if (action === 4) {
      const event = newId('evt')
      await world.callback(pick(ids)!, event, random() < 0.3 ? 'forged' : 'right')
      if (random() < 0.5) await world.callback(paymentId, event)
    }
    if (action === 5) await mayDie(() => world.gateway.payments.check(world.projectId, paymentId), 0.2)
    if (action === 6 && random() < 0.4) {
      const { state } = (await world.store.payments.find(paymentId))!
      if (state !== 'paid' && state !== 'review') await world.gateway.payments.cancel(world.projectId, paymentId)
    }
    if (action === 7) provider.isDown = random() < 0.5
    if (action === 8) faults.push(...(await compareLies(world)))
    // An hour without the provider.
    if (action === 9 && random() < 0.3) {
      provider.isDown = true
      for (let minute = 0; minute < 60; minute += 5) {
        clock.now += 300_000
        await world.work()
      }
      provider.isDown = false
    }
    if (action === 10 || action === 11) await refundSome(world, paymentId, 10 * Math.ceil((random() * amountFen) / 10))
    if (action === 12) await decideReviews(world)
    if (action === 13) await refundLate(world, paymentId, amountFen)
    clock.now += Math.floor(random() ** 3 * 1_200_000)
    await mayDie(() => world.work(), 0.3)
    await mayDie(() => world.refund(), 0.3)
  }
  return [...faults, ...(await finish(world, amounts, startedAt))]
}

/** An operator refunds, perhaps twice at once. The gateway may die before the worker goes on with it. */
async function refundSome(world: PaymentWorld, paymentId: string, amountFen: number): Promise<void> {
  const { random, operating, mayDie } = world
  const asked = { paymentId, amountFen, reference: `ticket ${Math.floor(random() * 3)}`, reason: 'asked for it' }
  const ask = async () => {
    try {
      return await refundPayment(operating, ada, asked)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return null
    }
  }
  const [requested] = await Promise.all(random() < 0.3 ? [ask(), ask()] : [ask()])
  if (!requested || random() < 0.5) return
  const held = (await world.refunds.find(requested.refundId))!
  // As the console does, which does not wait for the worker.
  if (held.state === 'held') await mayDie(() => world.gateway.proceed(held), 0.3)
}

const ada = { name: 'ada', via: 'web' } as const

/** An operator looks at the provider's own records and ends the refunds in review, perhaps twice at once. */
async function decideReviews(world: PaymentWorld): Promise<void> {
  const { provider, operating, random } = world
  for (const { refundId, state } of await world.allRefunds()) {
    if (state !== 'review') continue
    const to = provider.refunds.has(refundId) ? 'refunded' : 'returned'
    const decide = () => decideRefund(operating, ada, { refundId, to, reason: 'looked there' })
    const decided = await Promise.allSettled(random() < 0.5 ? [decide(), decide()] : [decide()])
    for (const one of decided) if (one.status === 'rejected' && !(one.reason instanceof Refusal)) throw one.reason
  }
}

/** Compares today with a bill that may be wrong: every wrong line is a difference. */
async function compareLies({ gateway, provider, clock, store, method, mayDie }: PaymentWorld): Promise<string[]> {
  let found: readonly { readonly transactionId: string | null }[] | null = null
  await mayDie(async () => {
    try {
      found = (await gateway.compare(dayText(dayOf(clock.now)), method)).differences
    } catch (error) {
      if (!(error instanceof PaymentFault)) throw error
    }
  }, 0.2)
  if (found === null) return []
  const listed = new Set(
    (found as readonly { readonly transactionId: string | null }[]).map((one) => one.transactionId),
  )
  const faults: string[] = []
  for (const [transactionId, lie] of provider.billLies) {
    const paymentId = transactionId.slice(transactionId.indexOf('-') + 1)
    // A line that is missing shows only if its payment is credited here.
    const row = lie === 'missing' ? await store.payments.find(paymentId) : undefined
    if (lie === 'missing' && (row?.state !== 'paid' || row.transactionId !== transactionId)) continue
    if (!listed.has(transactionId)) faults.push(`the ${lie} line ${transactionId} is not in the comparison`)
  }
  return faults
}

/** The provider reports the truth again; an hour later every bill is compared. */
async function finish(world: PaymentWorld, amounts: ReadonlyMap<string, number>, startedAt: number): Promise<string[]> {
  const { provider, clock } = world
  provider.chance = 0
  provider.isDown = false
  for (let round = 0; round < 8; round += 1) {
    clock.now += 600_000
    await world.work()
    await world.refund()
  }
  await decideReviews(world)
  await world.compareAll(startedAt)
  const left = await world.compareAll(startedAt)
  const faults: string[] = []
  const isByHand = ({ transactionId }: PaidThere) => provider.byHand.has(transactionId)
  let expected = 0
  for (const [paymentId, amountFen] of amounts) {
    const row = (await world.store.payments.find(paymentId))!
    const paid = provider.trades.get(paymentId)?.paid ?? []
    const isRight = paid.some((one) => one.amountFen === amountFen && one.currency === 'CNY')
    const isWrong = paid.some((one) => one.amountFen !== amountFen || one.currency !== 'CNY')
    if (row.state === 'paid') expected += amountFen / 10
    // One that was found late may have been refunded by hand.
    const isUncertain = row.state === 'review' && (provider.hidesRefunds || paid.some(isByHand))
    if (isRight && !isWrong && row.state !== 'paid' && !isUncertain)
      faults.push(`${paymentId} was paid and is ${row.state}`)
    if (!isRight && row.state === 'paid') faults.push(`${paymentId} was not paid and is credited`)
    if (isWrong && row.state !== 'paid' && row.state !== 'review') faults.push(`${paymentId} is not in review`)
    const others = paid.filter(({ transactionId }) => row.state !== 'paid' || transactionId !== row.transactionId)
    for (const { transactionId } of others)
      if (!left.some((difference) => difference.transactionId === transactionId))
        faults.push(`${transactionId} is not in the comparison`)
  }
  const refunds = await world.allRefunds()
  for (const { refundId, state, credits, amountFen } of refunds) {
    const there = provider.refunds.get(refundId)
    if (state === 'refunded') expected -= credits
    if (state !== (there ? 'refunded' : 'returned'))
      faults.push(`${refundId} is ${state}, there ${there ? '' : 'not '}paid back`)
    if (there && there.amountFen !== amountFen) faults.push(`${refundId} has another amount there`)
  }
  for (const [refundId, { of }] of provider.refunds)
    if (of === null && !refunds.some((row) => row.refundId === refundId)) faults.push(`${refundId} is not known here`)
  const { available, reserved } = await world.rig.stores.creditsOf(world.projectId)
  if (reserved !== 0) faults.push(`${reserved} credits are still held`)
  if (available !== expected) faults.push(`${available} credits instead of ${expected}`)
  faults.push(...(await lateFaults(world)))
  return faults.map((fault) => `${fault} (project ${world.projectId})`)
}
