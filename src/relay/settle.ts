import { setTimeout as delay } from 'node:timers/promises'
import { type BillableOperation, prices } from '../contract/prices.ts'
import type { End, StoredResponse } from '../ledger/commands.ts'
import type { OperationResult } from '../operations/operation.ts'
import type { Outcome } from '../providers/outcome.ts'
import type { BillableCall } from './admit.ts'
import type { RelayDeps } from './relay.ts'
import { errorResponse, type RelayResponse, reviewResponse, settledResponse } from './response.ts'

type CallOfProject = Pick<BillableCall, 'operation'> & { readonly projectId: string }

/** What an outcome does to its charge, and what the caller is told. */
export function ending(
  { operation, projectId }: CallOfProject,
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
    shown: [],
    decision: null,
    at,
  } as const
  switch (outcome.kind) {
    case 'confirmed': {
      const response = settledResponse({ operation, credits }, outcome.value)
      const usage = JSON.stringify(outcome.value.usage)
      return {
        response,
        command: { ...shared, to: 'settled', response, usage, shown: outcome.value.shown ?? [], reason: null },
      }
    }
    case 'refused':
    case 'unavailable': {
      const response = errorResponse(outcome.code)
      // Nothing left this process: the key stays free, the same intent may be sent again.
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

const answerOf = (response: StoredResponse, isStored: boolean): RelayResponse => ({
  ...response,
  isReplay: false,
  isStored,
})

const retryFirstMs = 50
const retryMostMs = 2000

/** Ends charges. An outcome that the store does not take is tried again until it does, while the caller is told. */
export function createSettle(deps: Pick<RelayDeps, 'ledger' | 'clock' | 'onFault' | 'onShown' | 'onUncertain'>) {
  const closing = new AbortController()
  const recording = new Map<string, Promise<void>>()

  async function recordLater(command: End): Promise<void> {
    for (let waitMs = retryFirstMs; !closing.signal.aborted; waitMs = Math.min(waitMs * 2, retryMostMs)) {
      await delay(waitMs, undefined, { signal: closing.signal, ref: false }).catch(() => {})
      const isRecorded = await deps.ledger.end(command).then(
        () => true,
        () => false,
      )
      // Forgotten only now: recovery takes a charge of ours that nobody knows of for one that was never forwarded.
      if (isRecorded) return void recording.delete(command.chargeId)
    }
  }

  return {
    async charge<O extends BillableOperation>(
      call: BillableCall<O>,
      chargeId: string,
      outcome: Outcome<OperationResult<O>>,
    ): Promise<RelayResponse> {
      const priced = { operation: call.operation, projectId: call.principal.projectId }
      const { command, response } = ending(priced, chargeId, outcome as Outcome<OperationResult>, deps.clock())
      if (outcome.kind === 'uncertain') {
        const { reason, detail } = outcome
        deps.onUncertain({ chargeId, reason, ...(detail !== undefined && { detail }) })
      }
      try {
        const result = await deps.ledger.end(command)
        // Recovery was faster (this instance lost its lease): the books are the truth, not what we know.
        if (result.kind === 'already')
          return answerOf(result.response ?? errorResponse('ADAPTER_FAILURE'), result.response !== null)
        if (command.shown.length > 0) deps.onShown(command.projectId)
        return answerOf(response, command.response !== null)
      } catch (error) {
        deps.onFault(error, { chargeId })
        recording.set(chargeId, recordLater(command))
        throw error
      }
    },
    isRecording: (chargeId: string) => recording.has(chargeId),
    /** Charges whose outcome is known but not recorded yet. */
    recording: () => recording.size,
    async close() {
      closing.abort()
      await Promise.allSettled(recording.values())
    },
  }
}

function unreachable(outcome: never): never {
  throw new Error(`unknown outcome ${JSON.stringify(outcome)}`)
}
