import type { Operation } from '../contract/operation.ts'
import type { Route } from './route.ts'
import { type AccountRouteDeps, accountRoutes } from './routes/account.ts'
import { type BusinessRouteDeps, businessRoutes } from './routes/business.ts'
import { type DocumentRouteDeps, documentRoutes } from './routes/documents.ts'
import { type IdentityRouteDeps, identityRoutes } from './routes/identity.ts'
import { keyRoutes } from './routes/keys.ts'
import { orderRoutes } from './routes/orders.ts'
import { type PricingRouteDeps, pricingRoutes } from './routes/pricing.ts'

type RouteModules = Omit<
  IdentityRouteDeps & PricingRouteDeps & AccountRouteDeps & BusinessRouteDeps & DocumentRouteDeps,
  'operation' | 'operations'
>

export interface PublicRouteDeps extends RouteModules {
  readonly operations: readonly Operation[]
  readonly businessOperations: BusinessRouteDeps['operations']
}

/** One route per operation of the contract; a missing operation fails the start. */
export function publicRoutes({ operations, businessOperations, ...modules }: PublicRouteDeps): Route[] {
  const byId = new Map(operations.map((operation) => [operation.id, operation]))
  const operation = (id: string): Operation => {
    const found = byId.get(id)
    if (!found) throw new Error(`the contract has no operation ${id}`)
    return found
  }
  const deps = { ...modules, operation }
  return [
    ...identityRoutes(deps),
    ...pricingRoutes(deps),
    ...accountRoutes(deps),
    ...keyRoutes(deps),
    ...orderRoutes(deps),
    ...businessRoutes({ ...deps, operations: businessOperations }),
    ...documentRoutes({ ...deps, operations }),
  ]
}
