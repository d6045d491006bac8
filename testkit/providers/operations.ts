import { loadConfig } from '../../src/config/config.ts'
import type { BillableOperation } from '../../src/contract/prices.ts'
import { businessSchemas, type RequestOf } from '../../src/contract/schemas/business.ts'
import type { Item } from '../../src/contract/schemas/products.ts'
import { compile } from '../../src/contract/validate.ts'
import type { Outcome } from '../../src/providers/outcome.ts'
import type { ShopSettings } from '../../src/providers/shopping/shop-provider.ts'
import { createOperations, type OperationsOptions } from '../../src/relay/operations/create-operations.ts'
import {
  forward,
  type OperationResult,
  operationOf,
  type SnapshotReader,
} from '../../src/relay/operations/operation.ts'
import { providerNames } from './provider-names.ts'

const checks = new Map(
  Object.entries(businessSchemas(providerNames)).map(([operation, { request, data, usage }]) => [
    operation,
    {
      request: compile(request, { acceptsNul: true }),
      data: compile(data, { acceptsNul: true }),
      usage: compile(usage),
    },
  ]),
)

/** Of an unconfigured gateway. */
const { models, shopping, credential } = loadConfig({})
const defaults = { models, shopping, credential }

/** The operations without the relay: items that a search shows are stored at once. */
export function startOperations(options: Partial<Omit<OperationsOptions, 'clock'>> = {}) {
  const shown = new Map<string, Item[]>()
  const faults: unknown[] = []
  const time = { now: 1_000_000 }
  const snapshots: SnapshotReader = {
    find: async (projectId, refs) =>
      (shown.get(projectId) ?? []).filter(({ itemRef }) =>
        refs.some((ref) => ref.provider === itemRef.provider && ref.productId === itemRef.productId),
      ),
  }
  const gateway = createOperations({
    ...defaults,
    snapshots,
    ...options,
    clock: () => time.now,
  })
  return {
    ...gateway,
    faults,
    time,
    shown,
    /** Also checks the request and the result against the contract. */
    async perform<O extends BillableOperation>(
      operation: O,
      request: RequestOf<O>,
      projectId = 'prj_1',
    ): Promise<Outcome<OperationResult<O>>> {
      const check = checks.get(operation)!
      mustConform(`request of ${operation}`, check.request(request))
      const prepared = operationOf(gateway.operations, operation).prepare(request)
      if (prepared.refusal) return { kind: 'refused', code: prepared.refusal.code, sent: false }
      const outcome = await forward({ prepared, principal: { projectId } }, (error) => faults.push(error))
      if (outcome.kind !== 'confirmed') return outcome
      mustConform(`data of ${operation}`, check.data(outcome.value.data))
      mustConform(`usage of ${operation}`, check.usage(outcome.value.usage))
      shown.set(projectId, [...(outcome.value.snapshots ?? []), ...(shown.get(projectId) ?? [])])
      return outcome
    },
    [Symbol.asyncDispose]: gateway.close,
  }
}

export type StartedOperations = ReturnType<typeof startOperations>

/** The result of a confirmed outcome. */
export function resultOf<T>(outcome: Outcome<T>): T {
  if (outcome.kind !== 'confirmed') throw new Error(JSON.stringify(outcome))
  return outcome.value
}

/** Settings for shops over HTTP: a base address for each that is not left out. */
export function httpShopping(urls: readonly (string | null)[], changes: Partial<ShopSettings> = {}) {
  const settings = (baseUrl: string): ShopSettings => ({
    baseUrl,
    linkHosts: ['item.shop.example'],
    timeoutMs: 30_000,
    maxConcurrent: 8,
    disabled: false,
    ...changes,
  })
  return {
    mode: 'pick-http' as const,
    cacheSeconds: 60,
    cachePerProject: 100,
    providers: Object.fromEntries(
      providerNames.shops.map((name, place) => [name, urls[place] ? settings(urls[place]) : null]),
    ),
  }
}

function mustConform(what: string, verdict: { ok: boolean; code?: string }): void {
  if (!verdict.ok) throw new Error(`the ${what} breaks the contract: ${verdict.code}`)
}
