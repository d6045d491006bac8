import { collectFaults } from '../../../config/faults.ts'
import type { FeatureContext, OperatorContext } from '../../../ops/feature.ts'
import { createPaymentProviders } from '../../../providers/payments/choose.ts'
import type { PaymentProvider } from '../../../providers/payments/payment-provider.ts'
import { createPaymentCheck } from './check-payment.ts'
import { createComparison } from './compare.ts'
import { createRefunder, type RefundObserver } from './refunds.ts'
import { createSimulatedOn } from './simulated/provider.ts'
import { createPaymentStore } from './store/store.ts'
import { createUncreditedEnder } from './uncredited.ts'

/** The providers, and what asks them. `others` are those that are not configured, such as the simulated one; by method. */
export function createPaymentTools(
  { config, engine, ledger, clock, onEvents }: OperatorContext & Partial<Pick<FeatureContext, 'onEvents'>>,
  others: ReadonlyMap<string, PaymentProvider>,
  observer?: RefundObserver,
) {
  const { payments: schedule, credential, origin } = config
  const { report, throwIfAny } = collectFaults()
  const configured = createPaymentProviders(schedule, { credential, report }, { origin: origin.origin, clock })
  throwIfAny()
  const providers = new Map([...others, ...configured])
  const store = createPaymentStore(engine, onEvents)
  const checkPayment = createPaymentCheck({ store, ledger, providers, schedule, clock })
  return {
    store,
    providers,
    checkPayment,
    compare: createComparison({ store, providers, checkPayment, clock }),
    carryOut: createUncreditedEnder({ store, providers, ledger, schedule, clock, ...(observer && { observer }) }),
    proceed: createRefunder({ store, providers, ledger, schedule, clock, ...(observer && { observer }) }),
    close: () => Promise.all([...providers.values()].map((provider) => provider.stop?.())),
  }
}

export type PaymentTools = ReturnType<typeof createPaymentTools>

/** The same on a store that a gateway may be using. It is not disturbed: the ledger decides in the store. */
export function commandTools(context: OperatorContext): PaymentTools {
  const simulated = context.config.payments.simulated && createSimulatedOn(context).simulated.provider
  return createPaymentTools(context, new Map(simulated ? [['simulated', simulated]] : []))
}
