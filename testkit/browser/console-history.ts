import { scopes } from '../../src/contract/prices.ts'
import { type SeededCharge, seedCharges } from '../store/seed-charges.ts'
import type { ConsoleGateway } from './console-gateway.ts'
import { jsonOf, type Steps, sessionWriter } from './console-steps.ts'
import type { Visit } from './console-visit.ts'

export interface History {
  /** Of the charges, in the order in which they were given. */
  readonly chargeIds: readonly string[]
  readonly apiKey: string
  readonly keyId: string
  readonly phone: string
  readonly email: string
  readonly projectId: string
}

/** Somebody new with credits, a key of every scope and these past calls, signed in but at no page yet. */
export async function signUpWithHistory(
  gateway: ConsoleGateway,
  { context, origin }: Visit,
  steps: Steps,
  charges: readonly SeededCharge[] = [],
): Promise<History> {
  const { phone, email } = await steps.signUp()
  const { project } = await jsonOf(await context.request.get(`${origin}/v1/me`))
  const write = sessionWriter(context, origin)
  const { orderId } = await write('/v1/orders', { amountFen: 1_000_000 }, { 'idempotency-key': 'the order' })
  await write(`/v1/orders/${orderId}/confirm`, {})
  const { apiKey, keyId } = await write('/v1/keys', { scopes })
  const chargeIds = await seedCharges(gateway.database, { projectId: project.projectId, keyId }, charges)
  return { chargeIds, apiKey, keyId, phone, email, projectId: project.projectId }
}
