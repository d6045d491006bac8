import { businessExamples } from '../../src/contract/examples.ts'
import { type BillableOperation, prices } from '../../src/contract/prices.ts'
import { providerNames } from '../providers/provider-names.ts'
import type { ConsoleGateway } from './console-gateway.ts'
import { type Steps, sessionWriter } from './console-steps.ts'
import type { Visit } from './console-visit.ts'

const daySeconds = 86_400
const dailyOperations: BillableOperation[][] = [
  ['pick.search', 'model.chat', 'model.chat'],
  ['model.chat', 'shopping.search', 'agent.run', 'model.chat'],
  ['model.chat'],
  ['shopping.search', 'agent.run', 'agent.run', 'pick.search', 'model.chat', 'model.chat'],
  [],
  ['model.chat', 'model.chat', 'pick.search', 'shopping.search'],
]

/**
 * A project with some days of history: an order, keys, calls of several kinds, one of them in review.
 * The gateway must have started that many days ago; in the end the person is signed in, today.
 */
export async function seedProject(
  gateway: ConsoleGateway,
  { context, page, origin }: Visit,
  steps: Steps,
  days: number,
): Promise<void> {
  const person = await steps.arrive()
  const write = sessionWriter(context, origin)
  const { orderId } = await write('/v1/orders', { amountFen: 10_000 }, { 'idempotency-key': 'first order' })
  await write(`/v1/orders/${orderId}/confirm`, {})
  await write('/v1/orders', { amountFen: 5000 }, { 'idempotency-key': 'second order' })
  const { apiKey } = await write('/v1/keys', { scopes: ['models:invoke', 'shopping:search', 'pick:read', 'agent:run'] })
  const spare = await write('/v1/keys', { scopes: ['pick:read', 'pick:link'] })
  await write(`/v1/keys/${spare.keyId}/revoke`, {})

  const examples = businessExamples(providerNames)
  let calls = 0
  const call = (operation: BillableOperation, body: object = examples[operation].request) =>
    fetch(`${origin}${prices[operation].path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'idempotency-key': `call ${calls++}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
  for (let day = 0; day < days; day++) {
    for (const operation of dailyOperations[day % dailyOperations.length]!) await call(operation)
    gateway.advanceSeconds(daySeconds)
  }
  for (const operation of ['model.chat', 'pick.search', 'agent.run'] as const) await call(operation)
  await call('model.chat', { prompt: 'hello', provider: 'model_provider_b' })

  const signedIn = await context.request.post(`${origin}/v1/auth/login`, {
    data: { identifier: person.phone, password: person.password },
    headers: { origin },
  })
  if (!signedIn.ok()) throw new Error(await signedIn.text())
  await page.goto(`${origin}/console`)
}
