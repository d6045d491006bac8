import { setTimeout as delay } from 'node:timers/promises'
import { type BillableOperation, prices } from '../contract/prices.ts'
import type { End, StoredResponse } from '../ledger/commands.ts'
import type { Outcome } from '../providers/outcome.ts'
import {
  type BillableCall,
  errorResponse,
  type RelayDeps,
  type RelayResponse,
  reviewResponse,
  settledResponse,
} from './call.ts'
import type { OperationResult } from './operations/operation.ts'

type ProjectCall = Pick<BillableCall, 'operation'> & { readonly projectId: string }

/** How an outcome ends its charge, and the response that the caller gets. */
export function endCommand(
  { operation, projectId }: ProjectCall,
  chargeId: string,
  outcome: Outcome<OperationResult>,
  at: number,
): { command: End; response: StoredResponse } {
  const credits = prices[operation].credits
  const shared = {
    type: 'end',
    chargeId,
    projectId,
    from: 'reserved',
    usage: null,
    snapshots: [],
    decision: null,
    at,
  } as const
  switch (outcome.kind) {
    case 'confirmed': {
      const response = settledResponse({ operation, credits }, outcome.value)
      const usage = JSON.stringify(outcome.value.usage)
      return {
        response,
        command: { ...shared, to: 'settled', response, usage, snapshots: outcome.value.snapshots ?? [], reason: null },
      }
    }
    case 'refused':
    case 'unavailable': {
      const response = errorResponse(outcome.code)
      // If nothing was sent, no response is stored, which frees the Idempotency-Key for a retry.
      return {
        response,
        command: { ...shared, to: 'released', response: outcome.sent ? response : null, reason: outcome.code },
      }
    }
    case 'uncertain': {
      const response = reviewResponse({ operation, credits, chargeId })
      return { response, command: { ...shared, to: 'manual_review', response, reason: outcome.reason } }
    }
    default:
      return unreachable(outcome)
  }
}

const toRelayResponse = (response: StoredResponse, isStored: boolean, chargeId: string): RelayResponse => ({
  ...response,
  isReplay: false,
  isStored,
  chargeId,
})

/** The store has lost a charge that it had committed, as after a failover to a standby that was behind. */
export class ChargeLost extends Error {
  override readonly name = 'ChargeLost'

  constructor(chargeId: string) {
    super(`the store has lost the charge ${chargeId}, although it had committed it`)
  }
}

const firstRetryMs = 50
const maxRetryMs = 2000

/** Ends charges by their outcome. If the store fails, the caller gets the error and the command is retried until it commits. */
export function createSettle(
  deps: Pick<RelayDeps, 'ledger' | 'clock' | 'onFault' | 'onSettled' | 'onSnapshotsAdded' | 'onUncertain'>,
) {
  const closing = new AbortController()
  const retries = new Map<string, Promise<void>>()

  async function retry(command: End, onUnknown: () => void): Promise<void> {
    for (let waitMs = firstRetryMs; !closing.signal.aborted; waitMs = Math.min(waitMs * 2, maxRetryMs)) {
      await delay(waitMs, undefined, { signal: closing.signal, ref: false }).catch(() => {})
      const isRecorded = await deps.ledger.end(command).then(
        ({ kind }) => {
          if (kind === 'unknown') onUnknown()
          return true
        },
        () => false,
      )
      // Removed only after the commit: recovery releases our charges that are no longer under way.
      if (isRecorded) return void retries.delete(command.chargeId)
    }
  }

  return {
    async charge<O extends BillableOperation>(
      call: BillableCall<O>,
      chargeId: string,
      outcome: Outcome<OperationResult<O>>,
    ): Promise<RelayResponse> {
      const projectCall = { operation: call.operation, projectId: call.principal.projectId }
      const { command, response } = endCommand(projectCall, chargeId, outcome as Outcome<OperationResult>, deps.clock())
      if (outcome.kind === 'uncertain') {
        const { reason, detail } = outcome
        deps.onUncertain({ chargeId, reason, ...(detail !== undefined && { detail }) })
      }
      try {
        const result = await deps.ledger.end(command)
        if (result.kind === 'unknown') throw new ChargeLost(chargeId)
        // This instance lost its lease and another one recovered the charge: what is stored wins.
        if (result.kind === 'already')
          return toRelayResponse(
            result.response ?? errorResponse('ADAPTER_FAILURE'),
            result.response !== null,
            chargeId,
          )
        if (command.to === 'settled') {
          deps.onSettled?.({ operation: call.operation, credits: prices[call.operation].credits })
        }
        if (command.snapshots.length > 0) deps.onSnapshotsAdded(command.projectId)
        return toRelayResponse(response, command.response !== null, chargeId)
      } catch (error) {
        deps.onFault(error, { chargeId })
        const isLost = () => deps.onFault(new ChargeLost(chargeId), { chargeId })
        if (!(error instanceof ChargeLost)) retries.set(chargeId, retry(command, isLost))
        throw error
      }
    },
    /** Releases a charge whose reservation may have been committed after all: nothing was forwarded, and callers repeat the call. */
    releaseDoubtful(call: BillableCall, chargeId: string): void {
      const projectCall = { operation: call.operation, projectId: call.principal.projectId }
      const outcome = { kind: 'refused', code: 'ADAPTER_FAILURE', sent: false } as const
      // Recovery finds what is committed even later.
      const wasNeverCommitted = () => {}
      retries.set(chargeId, retry(endCommand(projectCall, chargeId, outcome, deps.clock()).command, wasNeverCommitted))
    },
    isRetrying: (chargeId: string) => retries.has(chargeId),
    /** How many outcomes are not recorded yet. */
    retrying: () => retries.size,
    async close() {
      closing.abort()
      await Promise.allSettled(retries.values())
    },
  }
}

function unreachable(outcome: never): never {
  throw new Error(`unknown outcome ${JSON.stringify(outcome)}`)
}
