import { ask } from '../../api/ask.ts'
import { callWithKey } from '../../api/call-with-key.ts'
import { gateway } from '../../api/gateway.ts'
import { queryClient, refreshBooks } from '../../api/queries.ts'
import type { OperationId } from '../../api/types.ts'
import { place } from '../../place.ts'
import { keepItemsOf } from './found-items.ts'
import type { JsonObject } from './schema.ts'
import { type Outcome, type Run, tabMemory, useTabMemory } from './tab-memory.ts'

/** A model may take its time. */
const waitMs = 90_000

interface PlannedCall {
  readonly operation: OperationId
  readonly path: string
  readonly body: JsonObject
  readonly apiKey: string
  readonly idempotencyKey: string
}

/** Sends a call as a program would, with the key alone. It goes on when the page is left, and its response is kept. */
export function useRun(operation: OperationId) {
  const { runs } = useTabMemory()
  return {
    ...(runs[operation] ?? { isRunning: false }),
    async send(call: Omit<PlannedCall, 'operation'>): Promise<void> {
      const owner = tabMemory.owner()
      const keep = (run: Run) => {
        // Somebody else may have signed in meanwhile.
        if (tabMemory.owner() !== owner) return
        tabMemory.change({ runs: { ...tabMemory.read().runs, [operation]: run } })
      }
      keep({ isRunning: true })
      keep(
        await send({ operation, ...call }).then(
          (outcome) => ({ isRunning: false, outcome }),
          (error) => ({ isRunning: false, error }),
        ),
      )
    },
  }
}

async function send({ operation, path, body, apiKey, idempotencyKey }: PlannedCall): Promise<Outcome> {
  const startedAt = performance.now()
  const url = path.replace(/^\/v1/, place.api)
  const { response, answer } = await callWithKey({ url, apiKey, idempotencyKey, body, waitMs })
  const tookMs = Math.round(performance.now() - startedAt)
  keepItemsOf(answer)
  const requestId = response.headers.get('x-request-id')
  const chargeId = await findCharge(operation, requestId).catch(() => null)
  void refreshBooks()
  return {
    status: response.status,
    body: answer,
    isReplay: response.headers.get('idempotent-replayed') === 'true',
    requestId,
    tookMs,
    chargeId,
  }
}

/** The response does not name its charge, but the charge names the request. */
async function findCharge(operation: OperationId, requestId: string | null): Promise<string | null> {
  if (requestId === null) return null
  const query = { operation, limit: 10 }
  const { items } = await queryClient.fetchQuery({
    queryKey: ['charge-of', requestId],
    queryFn: () => ask(() => gateway.GET('/console/usage', { params: { query } })),
    retry: false,
  })
  return items.find((charge) => charge.requestId === requestId)?.chargeId ?? null
}
