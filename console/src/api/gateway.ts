import type { ConsoleOperation } from '../../../src/app/features.ts'
import type { accountOperations, orderOperations } from '../../../src/contract/operations/account.ts'
import type { identityOperations } from '../../../src/contract/operations/identity.ts'
import type { keyOperations } from '../../../src/contract/operations/keys.ts'
import type { pricingOperations } from '../../../src/contract/operations/pricing.ts'
import { paths } from '../installation.ts'
import { isRefused, type Reply } from './ask.ts'
import { createClient } from './client.ts'
import { fetchOrTakeEarly } from './early-reads.ts'
import { stepUp } from './step-up-prompt.ts'

type Operations =
  | (typeof identityOperations)[number]
  | (typeof pricingOperations)[number]
  | (typeof accountOperations)[number]
  | (typeof orderOperations)[number]
  | (typeof keyOperations)[number]
  | ConsoleOperation

/** The API, typed by the contract. Call it through `ask` or `askToWrite`. */
export const gateway = createClient<Operations, '/v1'>({ baseUrl: paths.api, fetch: fetchOrTakeEarly })

export const { token } = gateway

/** A write of the session. If it needs the second factor, a dialog asks for it and the write is sent once more. */
export async function askToWrite<T>(send: () => Reply<T>): Promise<T> {
  try {
    return await token.askToWrite(send)
  } catch (refusal) {
    if (!isRefused(refusal, 'STEP_UP_REQUIRED')) throw refusal
    await stepUp.ask().catch(() => {
      throw refusal
    })
    return token.askToWrite(send)
  }
}
