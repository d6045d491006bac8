import type { ProviderNames } from './choices.ts'
import type { Operation } from './operation.ts'
import { accountOperations, orderOperations } from './operations/account.ts'
import { businessOperations } from './operations/business.ts'
import { documentOperations } from './operations/documents.ts'
import { identityOperations } from './operations/identity.ts'
import { keyOperations } from './operations/keys.ts'
import { pricingOperations } from './operations/pricing.ts'

/** The public operations: the source of routes, OpenAPI, llms.txt, the docs page and the contract tests. */
export function publicOperations(names: ProviderNames): readonly Operation[] {
  const key = JSON.stringify(names)
  const operations = byNames.get(key) ?? build(names)
  if (byNames.size < maxKept) byNames.set(key, operations)
  return operations
}

/** The same names give the same operations, so that their schemas are compiled once in a process. */
const byNames = new Map<string, readonly Operation[]>()
const maxKept = 16

function build(names: ProviderNames): Operation[] {
  return [
    ...identityOperations,
    ...pricingOperations,
    ...accountOperations,
    ...keyOperations,
    ...orderOperations,
    ...businessOperations(names),
    ...documentOperations,
  ]
}
