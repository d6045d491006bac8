import { randomUUID } from 'node:crypto'
import type { Site, SiteDatabase } from './site.ts'

const amountFen = 1000

/** One payment from its creation to its credits, through whatever happens to gateways and database. */
export async function payThrough({
  cashPayer,
  wechat,
}: Pick<Site<SiteDatabase>, 'cashPayer' | 'wechat'>): Promise<void> {
  const key = { 'idempotency-key': randomUUID() }
  const { paymentId } = await cashPayer.post('/v1/console/payments', { amountFen, method: 'wechat' }, key)
  const isIn = async (state: string) => (await cashPayer.payment(paymentId)).state === state
  await cashPayer.until(async () => !(await isIn('created')), paymentId)
  wechat.pay(paymentId)
  await cashPayer.callback(() => wechat.callback(paymentId))
  await cashPayer.until(() => isIn('paid'), paymentId)
}
