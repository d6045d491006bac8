import { businessExamples } from '../../src/contract/examples.ts'
import { type BillableOperation, prices, type Scope, scopes } from '../../src/contract/prices.ts'
import { providerNames } from '../providers/provider-names.ts'
import type { ConsoleGateway } from './console-gateway.ts'
import { type Steps, sessionWriter } from './console-steps.ts'
import type { Visit } from './console-visit.ts'

const size = { days: 40, calls: 5000, orders: 117, keys: 59, reviews: 26 } as const
const daySeconds = 86_400
const atATime = 16
const revokedKeys = 12
/** Chat is what most people call most. */
const operations: BillableOperation[] = [
  'model.chat',
  'pick.search',
  'model.chat',
  'shopping.search',
  'agent.run',
  'pick.filter',
  'model.chat',
]

/** How many days ago the gateway has to start for the seed to end today. */
export const heavyAccountDays = size.days

/** An account that has been used for weeks: 5,000 calls, 117 orders, 59 keys and 26 reviews. */
export async function seedHeavyAccount(
  gateway: ConsoleGateway,
  { context, page, origin }: Visit,
  steps: Steps,
): Promise<void> {
  const person = await steps.arrive()
  const write = sessionWriter(context, origin)
  const signIn = () =>
    context.request.post(`${origin}/v1/auth/login`, {
      data: { identifier: person.phone, password: person.password },
      headers: { origin },
    })

  const keys: string[] = []
  for (let number = 0; number < size.keys; number++) {
    const { apiKey, keyId } = await write('/v1/keys', { scopes: scopesOf(number) })
    // No more than 50 may be active.
    if (number >= size.keys - revokedKeys) await write(`/v1/keys/${keyId}/revoke`, {})
    else if (scopesOf(number).length === scopes.length) keys.push(apiKey)
  }
  for (let day = 0, orders = 0; day <= size.days; day++) {
    for (; orders < ((day + 1) * size.orders) / (size.days + 1); orders++) {
      const amountFen = orders === 0 ? 1_000_000 : 1000 + (orders % 9) * 500
      const { orderId } = await write('/v1/orders', { amountFen }, { 'idempotency-key': `order ${orders}` })
      if (orders % 6 !== 5) await write(`/v1/orders/${orderId}/confirm`, {})
    }
    await makeCalls(origin, keys, day)
    if (day === size.days) break
    gateway.advanceSeconds(daySeconds)
    await signIn()
  }
  await page.goto(`${origin}/console`)
}

/** Every third key may do everything. */
const scopesOf = (number: number): Scope[] =>
  number % 3 === 0 ? [...scopes] : scopes.slice(number % scopes.length, (number % scopes.length) + 1 + (number % 4))

async function makeCalls(origin: string, keys: readonly string[], day: number): Promise<void> {
  const examples = businessExamples(providerNames)
  const call = (number: number, operation: BillableOperation, body: object = examples[operation].request) =>
    fetch(`${origin}${prices[operation].path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${keys[number % keys.length]}`,
        'idempotency-key': `call ${day} ${operation} ${number} ${JSON.stringify(body).length}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    }).then((response) => response.arrayBuffer())
  const share = (count: number) =>
    Math.floor(((day + 1) * count) / (size.days + 1)) - Math.floor((day * count) / (size.days + 1))
  // No two days in a row are alike.
  const calls = Math.round(share(size.calls) * (0.7 + ((day * 7) % 10) / 15))
  for (let done = 0; done < calls; done += atATime) {
    await Promise.all(
      Array.from({ length: Math.min(atATime, calls - done) }, (_, i) =>
        call(done + i, operations[(day + done + i) % operations.length]!),
      ),
    )
  }
  for (let number = 0; number < share(size.reviews); number++) {
    await call(number, 'model.chat', { prompt: 'hello', provider: 'model_provider_b' })
  }
}
