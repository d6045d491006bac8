import { newId } from '../../../base/ids.ts'
import type { Keyring } from '../../../base/keyring.ts'
import { Refusal } from '../../../contract/errors.ts'
import { singleHeader } from '../../../http/guards.ts'
import type { Route } from '../../../http/route.ts'
import type {
  CallbackResponse,
  PaymentHint,
  PaymentProvider,
  RawCallback,
} from '../../../providers/payments/payment-provider.ts'
import type { PaymentStore } from './store/store.ts'

export const callbackResults = ['accepted', 'repeated', 'bad_signature', 'unknown_order'] as const
export type CallbackResult = (typeof callbackResults)[number]

export interface CallbackDeps {
  readonly store: PaymentStore
  readonly providers: ReadonlyMap<string, PaymentProvider>
  readonly keyring: Pick<Keyring, 'seal'>
  readonly clock: () => number
  readonly wake: () => void
  readonly observed: (method: string, result: CallbackResult, paymentId: string | null) => void
}

export const inboxContext = (inboxId: string): string => `payment callback ${inboxId}`

/** Receives callbacks. One is only a hint that brings the query of its payment forward: what it says is never credited. */
export function createCallbacks({ store, providers, keyring, clock, wake, observed }: CallbackDeps) {
  async function resultOf(method: string, hint: PaymentHint | null, body: Uint8Array): Promise<CallbackResult> {
    if (!hint) return 'bad_signature'
    const { eventId, paymentId } = hint
    const inboxId = newId('inb')
    const sealed = keyring.seal(inboxContext(inboxId), Buffer.from(body).toString('utf8'))
    const isNew = await store.payments.keepCallback({ ...sealed, inboxId, method, eventId, paymentId, at: clock() })
    // An event about something else, such as a refund, is kept and needs no repeat.
    const isKnown = paymentId === null || (await store.payments.hint(paymentId, method))
    if (!isKnown) return 'unknown_order'
    wake()
    return isNew ? 'accepted' : 'repeated'
  }

  /** Null for a method that is not configured. */
  async function receive(
    method: string,
    callback: Omit<RawCallback, 'at'>,
  ): Promise<(CallbackResponse & { readonly status: number }) | null> {
    const provider = providers.get(method)
    if (!provider) return null
    const hint = await provider.readCallback({ ...callback, at: clock() })
    const result = await resultOf(method, hint, callback.body)
    observed(method, result, hint?.paymentId ?? null)
    const status = { accepted: 200, repeated: 200, bad_signature: 401, unknown_order: 404 }[result]
    return { status, ...provider.callbackResponse(status === 200) }
  }

  const route: Route = {
    operationId: 'payments.callback',
    method: 'POST',
    path: '/v1/payments/callbacks/{method}',
    async handle(call) {
      const header = (name: string) => singleHeader(call, name)
      const response = await receive(call.params.method ?? '', { header, body: await call.readBytes() })
      if (!response) throw new Refusal('NOT_FOUND')
      const { status, contentType, body } = response
      return { status, headers: { 'content-type': contentType }, body }
    },
  }
  return { receive, route }
}

export type ReceiveCallback = ReturnType<typeof createCallbacks>['receive']
