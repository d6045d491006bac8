import { Refusal } from '../../../../contract/errors.ts'
import type { Guards } from '../../../../http/guards.ts'
import type { Route, RouteResponse } from '../../../../http/route.ts'
import { defineFeature } from '../../../../ops/feature.ts'
import type { PaymentProvider, RawCallback } from '../../../../providers/payments/payment-provider.ts'
import { type Lie, lies, type Simulated, type SimulatedRecords } from '../../../../providers/payments/simulated.ts'
import { simulatedPage } from './page.ts'
import { createSimulatedOn, simulatedPath as path } from './provider.ts'

type Deliver = (method: string, callback: Omit<RawCallback, 'at'>) => Promise<unknown>

/** A payment provider for trying things out, with a page where one pays. On loopback origins only. */
export const simulatedPaymentsFeature = defineFeature({
  name: 'simulated-payments',
  build(context, { origin }: Pick<Guards, 'origin'>) {
    const { config, clock, logger } = context
    if (!config.payments.simulated) return { providers: new Map<string, PaymentProvider>(), connect: () => {} }
    const { records, simulated } = createSimulatedOn(context)
    let deliver: Deliver = async () => {}

    function sendCallbacks(tradeId: string): void {
      for (const callback of simulated.callbacksAfter(tradeId))
        deliver('simulated', callback).catch((error) =>
          logger.warn({ err: error }, 'a simulated payment callback was not taken'),
        )
    }

    return {
      providers: new Map([['simulated', simulated.provider]]),
      /** Where its callbacks go. */
      connect: (receive: Deliver) => {
        deliver = receive
      },
      routes: pageRoutes({ simulated, records, clock, checkOrigin: origin, sendCallbacks }),
    }
  },
})

interface SimulatedPageDeps {
  readonly simulated: Simulated
  readonly records: SimulatedRecords
  readonly clock: () => number
  readonly checkOrigin: Guards['origin']
  readonly sendCallbacks: (tradeId: string) => void
}

function pageRoutes({ simulated, records, clock, checkOrigin, sendCallbacks }: SimulatedPageDeps): Route[] {
  async function page(tradeId: string): Promise<RouteResponse> {
    const found = await records.find(tradeId)
    if (!found) throw new Refusal('NOT_FOUND')
    const body = simulatedPage({ ...found, activeLies: simulated.lies, isExpired: found.trade.expiresAt <= clock() })
    return {
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        // Without it, browsers send the form with the origin null.
        'referrer-policy': 'same-origin',
      },
      body,
    }
  }

  async function act(tradeId: string, action: string | null): Promise<void> {
    const found = await records.find(tradeId)
    if (!found) throw new Refusal('NOT_FOUND')
    const { amountFen } = found.trade
    if (action === 'close') await records.close(tradeId)
    if (action !== 'pay' && action !== 'pay_other') return
    await simulated.pay(tradeId, action === 'pay' ? amountFen : amountFen + 100)
    sendCallbacks(tradeId)
  }

  return [
    { operationId: 'simulated-payments.page', method: 'GET', path, handle: (call) => page(call.params.tradeId ?? '') },
    {
      operationId: 'simulated-payments.act',
      method: 'POST',
      path,
      async handle(call) {
        checkOrigin(call)
        const form = new URLSearchParams(Buffer.from(await call.readBytes()).toString('utf8'))
        const lie = lies.find((name) => name === form.get('lie'))
        if (lie) toggle(simulated.lies, lie)
        await act(call.params.tradeId ?? '', form.get('action'))
        return page(call.params.tradeId ?? '')
      },
    },
  ]
}

function toggle(active: Set<Lie>, lie: Lie): void {
  if (!active.delete(lie)) active.add(lie)
}

const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')
