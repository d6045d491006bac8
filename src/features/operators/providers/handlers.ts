import { operatorRefusal } from '../../../contract/error-codes/operators.ts'
import { ok } from '../../../http/endpoint.ts'
import { type OperatorHandler, operatorHandler } from '../../../operator-kit/endpoint.ts'
import type { Acting } from '../deps.ts'
import type { ProviderDays } from './provider-day.ts'
import { type ProviderStates, switchProvider } from './provider-states.ts'

interface ProviderHandlerDeps {
  readonly acting: Acting
  readonly states: ProviderStates
  readonly day: ProviderDays
}

export function providerHandlers({ acting, states, day }: ProviderHandlerDeps): OperatorHandler[] {
  const change = (id: string, isOut: boolean) =>
    operatorHandler<{ reason: string }>(id, async ({ actor, at, body: { reason } }) => {
      const [kind, name] = [at('kind'), at('name')]
      if (!states.find(kind, name)) throw operatorRefusal('PROVIDER_NOT_FOUND')
      // At once on this instance; the others read it within about a second.
      states.apply(await switchProvider(acting, actor, { provider: `${kind}/${name}`, isOut, reason }))
      return ok(states.find(kind, name)!)
    })
  return [
    operatorHandler('operator.providers.list', () => ok({ items: states.list() })),
    operatorHandler('operator.providers.day', async () => ok({ items: await day.list() })),
    change('operator.providers.take_out', true),
    change('operator.providers.put_back', false),
  ]
}
