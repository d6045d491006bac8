import { Refusal } from '../../src/contract/errors.ts'
import { isEnded } from '../../src/features/billing/payments/check-payment.ts'
import { endPayment } from '../../src/features/billing/payments/operator/end-payment.ts'
import type { PaymentWorld } from './world.ts'

const ada = { name: 'ada', via: 'web' } as const
/** Longer than the time within which no one refunds by hand. */
const lateMs = 660_000

/** A payment that has ended here is paid, found late and refunded in part by hand; the provider sends a callback each time. */
export async function refundLate(world: PaymentWorld, paymentId: string, amountFen: number): Promise<void> {
  const { random, provider, clock, store, mayDie } = world
  const announce = async () => {
    await world.callback(paymentId)
    await mayDie(() => world.work(), 0.3)
  }
  if (!isEnded((await store.payments.find(paymentId))!)) return
  provider.pay(paymentId, amountFen)
  const transactionId = provider.trades.get(paymentId)?.paid.at(-1)?.transactionId
  clock.now += lateMs
  // Where the provider says what was refunded, it was before the first callback: afterwards all of it is credited.
  if (provider.hidesRefunds && random() < 0.5) await announce()
  const row = (await store.payments.find(paymentId))!
  if (row.transactionId === transactionId && row.state === 'paid') return
  provider.refundByHand(paymentId, 10 * Math.ceil((random() * amountFen) / 20))
  for (let time = 0; time < 3; time += 1) await announce()
}

/** What was refunded by hand is not credited; operators end all that is open, and no transaction is credited and refunded. */
export async function lateFaults({ store, provider, operating, end, projectId }: PaymentWorld): Promise<string[]> {
  const faults: string[] = []
  for (const { paymentId } of await store.uncredited.ofProject(projectId))
    await endPayment(operating, ada, { paymentId, outcome: 'refund', reason: 'looked there' }).catch((error) => {
      if (!(error instanceof Refusal)) throw error
    })
  await end()
  for (const [paymentId, { paid }] of provider.trades) {
    const row = (await store.payments.find(paymentId))!
    for (const { transactionId } of paid) {
      const isCredited = row.state === 'paid' && row.transactionId === transactionId
      const backFen = [...provider.refunds.values()]
        .filter(({ of }) => of === transactionId)
        .reduce((sum, { amountFen }) => sum + amountFen, 0)
      if (isCredited && provider.byHand.has(transactionId))
        faults.push(`${transactionId} is credited, and was refunded by hand before`)
      if (isCredited && backFen > 0) faults.push(`${transactionId} is credited and refunded`)
      if (provider.leftOf(paymentId, transactionId) < 0) faults.push(`${transactionId} is refunded twice`)
    }
  }
  return faults
}
