import { isoOf, isoOrNull } from '../../../base/time.ts'
import { ok } from '../../../http/endpoint.ts'
import { type OperatorHandler, operatorHandler } from '../../../operator-kit/endpoint.ts'
import type { AdministrationDeps } from '../deps.ts'
import type { AddOperatorRequest, ListedOperator } from './contract.ts'
import {
  addOperator,
  approveOperator,
  disableOperator,
  listOperators,
  operatorState,
  rejectOperator,
  resetOperator,
} from './operators.ts'
import type { OperatorRow } from './store.ts'

export function operatorHandlers(deps: AdministrationDeps): OperatorHandler[] {
  return [
    operatorHandler('operator.operators.list', async () =>
      ok({ items: (await listOperators(deps)).map(publicOperator) }),
    ),
    operatorHandler<AddOperatorRequest>('operator.operators.add', async ({ actor, body }) =>
      ok(await addOperator(deps, actor, body)),
    ),
    operatorHandler<{ reason: string }>('operator.operators.disable', async ({ actor, at, body }) =>
      ok(publicOperator(await disableOperator(deps, actor, { name: at('name'), ...body }))),
    ),
    operatorHandler<{ reason: string }>('operator.operators.reset', async ({ actor, at, body }) =>
      ok(await resetOperator(deps, actor, { name: at('name'), ...body })),
    ),
    operatorHandler<{ reason?: string }>('operator.operators.approve', async ({ actor, at, body }) =>
      ok(publicOperator(await approveOperator(deps, actor, { name: at('name'), ...body }))),
    ),
    operatorHandler<{ reason?: string }>('operator.operators.reject', async ({ actor, at, body }) =>
      ok(publicOperator(await rejectOperator(deps, actor, { name: at('name'), ...body }))),
    ),
  ]
}

export const publicOperator = (row: OperatorRow): ListedOperator => ({
  name: row.name,
  role: row.role,
  state: operatorState(row),
  requestedBy: row.awaitsApproval ? row.credentialsBy : null,
  createdAt: isoOf(row.createdAt),
  disabledAt: isoOrNull(row.disabledAt),
})
