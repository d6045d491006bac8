import type { Route } from '../http/route.ts'

/** Fails the start if an operation of the contract has no route. */
export function requireAllServed(operations: readonly { readonly id: string }[], routes: readonly Route[]): void {
  const served = new Set(routes.map(({ operationId }) => operationId))
  const missing = operations.filter(({ id }) => !served.has(id))
  if (missing.length > 0) throw new Error(`no route serves ${missing.map(({ id }) => id).join(', ')}`)
}
