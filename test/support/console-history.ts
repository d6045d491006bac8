import { scopes } from '../../src/contract/prices.ts'
import type { ConsoleGateway } from './browser/console-gateway.ts'
import type { stepsOf } from './browser/console-steps.ts'
import type { Visit } from './browser/console-visit.ts'
import { type SeededCharge, seedCharges } from './store/seed-charges.ts'

export interface History {
  /** Of the charges, in the order in which they were given. */
  readonly chargeIds: readonly string[]
  readonly apiKey: string
  readonly keyId: string
}

/** Somebody new with credits, a key of every scope and these past calls, signed in at `path`. */
export async function arriveWithHistory(
  gateway: ConsoleGateway,
  { context, page, origin }: Visit,
  steps: ReturnType<typeof stepsOf>,
  { charges, path = '/console/usage' }: { charges: readonly SeededCharge[]; path?: string },
): Promise<History> {
  await steps.arrive()
  const { csrfToken, project } = await (await context.request.get(`${origin}/v1/me`)).json()
  const write = async (to: string, data: object, headers: Record<string, string> = {}) => {
    const own = { origin, 'x-csrf-token': csrfToken, ...headers }
    return (await context.request.post(`${origin}${to}`, { data, headers: own })).json()
  }
  const { orderId } = await write('/v1/orders', { amountFen: 1_000_000 }, { 'idempotency-key': 'the order' })
  await write(`/v1/orders/${orderId}/confirm`, {})
  const { apiKey, keyId } = await write('/v1/keys', { scopes })
  const chargeIds = await seedCharges(gateway.database, { projectId: project.projectId, keyId }, charges)
  await page.goto(origin + path)
  await page.locator('#content h1').waitFor()
  return { chargeIds, apiKey, keyId }
}
