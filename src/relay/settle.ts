import { delay } from '../base/timers.ts'
import { type ErrorCode, errorBody, errors } from '../contract/errors.ts'
import { type BillableOperation, prices } from '../contract/prices.ts'
import type { End, EndResult, StoredResponse } from '../ledger/commands.ts'
import type { Outcome } from '../providers/outcome.ts'
import type { BillableCall, CallContent, RelayDeps, RelayResponse } from './call.ts'
import type { OperationResult } from './operations/operation.ts'

interface PricedCall {
  readonly operation: BillableOperation
  readonly credits: number
}

const settledResponse = (body: object): StoredResponse => ({ status: 200, code: null, body: JSON.stringify(body) })

export const reviewResponse = (
  { operation, credits, chargeId }: PricedCall & { readonly chargeId: string },
  resolution?: 'settled',
): StoredResponse => ({
  status: 202,
  code: null,
  body: JSON.stringify({ status: 'manual_review', operation, reservedCredits: credits, chargeId, resolution }),
})

export const errorResponse = (code: ErrorCode): StoredResponse => ({
  status: errors[code].status,
  code,
  body: JSON.stringify(errorBody(code)),
})

/** Ends a reserved charge. Without a response, its Idempotency-Key is free again. */
export const endReserved = (end: Pick<End, 'chargeId' | 'projectId' | 'to' | 'at'> & Partial<End>): End => ({
  type: 'end',
  from: 'reserved',
  response: null,
  usage: null,
  reason: null,
  snapshots: [],
  decision: null,
  ...end,
})

/** How an outcome ends its charge, and the response that the caller gets. */
export function endCommand(
  { operation, projectId, present }: Pick<BillableCall, 'operation' | 'present'> & Pick<End, 'projectId'>,
  chargeId: string,
  outcome: Outcome<OperationResult>,
  at: number,
): { command: End; response: StoredResponse } {
  const { credits } = prices[operation]
  const charge = { chargeId, projectId, at }
  switch (outcome.kind) {
    case 'confirmed': {
      const { data, usage, snapshots = [] } = outcome.value
      const response = settledResponse(
        present?.(outcome.value, chargeId) ?? { status: 'settled', operation, chargedCredits: credits, data, usage },
      )
      return {
        response,
        command: endReserved({ ...charge, to: 'settled', response, usage: JSON.stringify(usage), snapshots }),
      }
    }
    case 'refused':
    case 'unavailable': {
      const response = errorResponse(outcome.code)
      // If nothing was sent, no response is stored, which frees the Idempotency-Key for a retry.
      const stored = outcome.sent ? response : null
      return {
        response,
        command: endReserved({ ...charge, to: 'released', response: stored, reason: outcome.code }),
      }
    }
    case 'uncertain': {
      const response = reviewResponse({ operation, credits, chargeId })
      return { response, command: endReserved({ ...charge, to: 'manual_review', response, reason: outcome.reason }) }
    }
    default:
      return unreachable(outcome)
  }
}

/** The store has lost a charge that it had committed, as after a failover to a standby that was behind. */
export class ChargeLost extends Error {
  override readonly name = 'ChargeLost'

  constructor(chargeId: string) {
    super(`the store has lost the charge ${chargeId}, although it had committed it`)
  }
}

const firstRetryMs = 50
const maxRetryMs = 2000

/** Commits how charges end. If the store fails, the caller gets the error and the command is retried until it commits. */
export function createEnding({ ledger, onFault }: Pick<RelayDeps, 'ledger' | 'onFault'>) {
  const closing = new AbortController()
  const retries = new Map<string, Promise<void>>()

  async function retry(command: End, onUnknown: () => void): Promise<void> {
    for (let waitMs = firstRetryMs; !closing.signal.aborted; waitMs = Math.min(waitMs * 2, maxRetryMs)) {
      await delay(waitMs, { signal: closing.signal, ref: false }).catch(() => {})
      const isRecorded = await ledger.end(command).then(
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
    async end(command: End): Promise<Exclude<EndResult, { kind: 'unknown' }>> {
      const { chargeId } = command
      try {
        const result = await ledger.end(command)
        if (result.kind === 'unknown') throw new ChargeLost(chargeId)
        return result
      } catch (error) {
        onFault(error, { chargeId })
        const isLost = () => onFault(new ChargeLost(chargeId), { chargeId })
        if (!(error instanceof ChargeLost)) retries.set(chargeId, retry(command, isLost))
        throw error
      }
    },
    /** Ends a charge whose reservation may or may not have been committed. Recovery finds what is committed even later. */
    endDoubtful: (command: End): void =>
      void retries.set(
        command.chargeId,
        retry(command, () => {}),
      ),
    isRetrying: (chargeId: string) => retries.has(chargeId),
    /** How many outcomes are not recorded yet. */
    retrying: () => retries.size,
    async close() {
      closing.abort()
      await Promise.allSettled(retries.values())
    },
  }
}

/** Ends the charges of calls by their outcome. */
export function createSettle(
  deps: Pick<
    RelayDeps,
    'ledger' | 'clock' | 'onFault' | 'onSettled' | 'onSnapshotsAdded' | 'onUncertain' | 'sealContent'
  >,
  logsContent: (chargeId: string) => boolean,
) {
  const ending = createEnding(deps)
  return {
    ...ending,
    async charge<O extends BillableOperation>(
      call: BillableCall<O>,
      chargeId: string,
      outcome: Outcome<OperationResult<O>>,
    ): Promise<RelayResponse> {
      const { operation } = call
      const of = { operation, projectId: call.principal.projectId, present: call.present as BillableCall['present'] }
      const { command, response } = endCommand(of, chargeId, outcome as Outcome<OperationResult>, deps.clock())
      const content = logsContent(chargeId) ? deps.sealContent(chargeId, contentOf(call.request, response)) : undefined
      if (outcome.kind === 'uncertain') {
        const { reason, detail } = outcome
        deps.onUncertain({ chargeId, reason, ...(detail !== undefined && { detail }) })
      }
      const result = await ending.end(content ? { ...command, content } : command)
      // This instance lost its lease and another one recovered the charge: what is stored wins.
      if (result.kind === 'already')
        return toRelayResponse(result.response ?? errorResponse('ADAPTER_FAILURE'), result.response !== null, chargeId)
      if (command.to === 'settled') deps.onSettled?.({ operation, credits: prices[operation].credits })
      if (command.snapshots.length > 0) deps.onSnapshotsAdded(command.projectId)
      return toRelayResponse(response, command.response !== null, chargeId)
    },
    /** Nothing was forwarded, and callers repeat the call. */
    releaseDoubtful: ({ operation, principal: { projectId } }: BillableCall, chargeId: string): void =>
      ending.endDoubtful(endCommand({ operation, projectId }, chargeId, notSent, deps.clock()).command),
  }
}

const contentOf = (request: object, { body, status }: StoredResponse): CallContent => ({
  request: JSON.stringify(request),
  response: body,
  status,
})

/** Our own code failed before it sent anything. */
export const notSent = { kind: 'refused', code: 'ADAPTER_FAILURE', sent: false } as const

const toRelayResponse = (response: StoredResponse, isStored: boolean, chargeId: string): RelayResponse => ({
  ...response,
  isReplay: false,
  isStored,
  chargeId,
})

function unreachable(outcome: never): never {
  throw new Error(`unknown outcome ${JSON.stringify(outcome)}`)
}
