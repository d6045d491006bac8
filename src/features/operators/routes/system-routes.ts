import { OperatorRefusal } from '../../../contract/error-codes/operators.ts'
import { ok } from '../../../http/endpoint.ts'
import { jsonType } from '../../../http/errors.ts'
import { singleHeader } from '../../../http/guards.ts'
import type { Route } from '../../../http/route.ts'
import { contentHash } from '../../../http/static/static-content.ts'
import { actorAt } from '../../../operator-kit/actor.ts'
import type { OperatorGuard } from '../../../operator-kit/guard.ts'
import type { Administration } from '../administration/administration.ts'
import type { AddOperatorRequest } from '../contract/operators.ts'
import type { OperatorOverview } from '../contract/overview.ts'
import type { DoctorParameters, DoctorReport, EffectiveSettings } from '../contract/system.ts'
import { operatorEndpoint } from '../endpoint.ts'
import type { ProviderDays } from '../provider-day.ts'
import type { ProviderStates } from '../provider-states.ts'
import type { ReconcileRuns } from '../reconcile-runs.ts'
import { publicOperator } from '../views.ts'

export interface SystemRouteDeps {
  readonly guard: OperatorGuard
  readonly operate: Administration
  readonly overview: () => Promise<OperatorOverview>
  readonly providers: ProviderStates
  readonly providerDay: ProviderDays
  readonly runs: ReconcileRuns
  readonly settings: () => EffectiveSettings
  readonly doctor: (language: DoctorParameters['language']) => Promise<DoctorReport>
}

/** The gateway itself: overview, providers, reconciliation, settings and operators. */
export function systemRoutes(deps: SystemRouteDeps): Route[] {
  const { guard, runs, settings, doctor } = deps
  return [
    operatorEndpoint(guard, 'operator.overview', async ({ call }) => {
      const body = JSON.stringify(await deps.overview())
      const etag = `"${contentHash(body)}"`
      const headers = { etag, 'content-type': jsonType }
      return singleHeader(call, 'if-none-match') === etag
        ? { status: 304, headers: { etag }, body: '' }
        : { status: 200, headers, body }
    }),
    ...providerRoutes(deps),
    operatorEndpoint(guard, 'operator.reconcile.start', async ({ operator }) =>
      ok(await runs.start(actorAt(operator)), 202),
    ),
    operatorEndpoint(guard, 'operator.reconcile.list', async () => ok({ items: await runs.list() })),
    operatorEndpoint(guard, 'operator.reconcile.show', async ({ at }) => ok(await runs.show(at('runId')))),
    operatorEndpoint(guard, 'operator.settings', () => ok(settings())),
    operatorEndpoint<unknown, DoctorParameters>(guard, 'operator.doctor', async ({ query }) =>
      ok(await doctor(query.language)),
    ),
    ...operatorRoutes(deps),
  ]
}

function providerRoutes({ guard, operate, providers, providerDay }: SystemRouteDeps): Route[] {
  const change = (id: string, isOut: boolean) =>
    operatorEndpoint<{ reason: string }>(guard, id, async ({ operator, at, body: { reason } }) => {
      const [kind, name] = [at('kind'), at('name')]
      if (!providers.find(kind, name)) throw new OperatorRefusal('PROVIDER_NOT_FOUND')
      // At once on this instance; the others read it within about a second.
      providers.apply(await operate.switchProvider(actorAt(operator), { provider: `${kind}/${name}`, isOut, reason }))
      return ok(providers.find(kind, name)!)
    })
  return [
    operatorEndpoint(guard, 'operator.providers.list', () => ok({ items: providers.list() })),
    operatorEndpoint(guard, 'operator.providers.day', async () => ok({ items: await providerDay.list() })),
    change('operator.providers.take_out', true),
    change('operator.providers.put_back', false),
  ]
}

function operatorRoutes({ guard, operate }: SystemRouteDeps): Route[] {
  return [
    operatorEndpoint(guard, 'operator.operators.list', async () =>
      ok({ items: (await operate.listOperators()).map(publicOperator) }),
    ),
    operatorEndpoint<AddOperatorRequest>(guard, 'operator.operators.add', async ({ operator, body }) =>
      ok(await operate.addOperator(actorAt(operator), body)),
    ),
    operatorEndpoint<{ reason: string }>(guard, 'operator.operators.disable', async ({ operator, at, body }) =>
      ok(publicOperator(await operate.disableOperator(actorAt(operator), { name: at('name'), ...body }))),
    ),
    operatorEndpoint<{ reason: string }>(guard, 'operator.operators.reset', async ({ operator, at, body }) =>
      ok(await operate.resetOperator(actorAt(operator), { name: at('name'), ...body })),
    ),
    operatorEndpoint<{ reason?: string }>(guard, 'operator.operators.approve', async ({ operator, at, body }) =>
      ok(publicOperator(await operate.approveOperator(actorAt(operator), { name: at('name'), ...body }))),
    ),
    operatorEndpoint<{ reason?: string }>(guard, 'operator.operators.reject', async ({ operator, at, body }) =>
      ok(publicOperator(await operate.rejectOperator(actorAt(operator), { name: at('name'), ...body }))),
    ),
  ]
}
