import { sometimes } from '../base/sometimes.ts'
import { delay } from '../base/timers.ts'
import { unreachable } from '../base/unreachable.ts'
import { type ErrorCode, errorBody, errors } from '../contract/errors.ts'
import { type BillableOperation, prices } from '../contract/prices.ts'
import type { End, EndResult, StoredResponse } from '../ledger/commands.ts'
import type { FailedOutcome, Outcome } from '../providers/outcome.ts'
import type { BillableCall, CallContent, RelayDeps, RelayResponse } from './call.ts'
import type { OperationResult } from './operations/operation.ts'

interface PricedCall {
  readonly operation: BillableOperation
  readonly credits: number
}

/** A response and what its body is the text of, so that no one has to parse it again. */
interface MadeResponse {
  readonly value: object
  readonly stored: StoredResponse
}

const made = (value: object, status: number, code: ErrorCode | null = null): MadeResponse => ({
  value,
  stored: { status, code, body: JSON.stringify(value) },
})

const madeReview = (
  { operation, credits, chargeId }: PricedCall & { readonly chargeId: string },
  resolution?: 'settled',
) => made({ status: 'manual_review', operation, reservedCredits: credits, chargeId, resolution }, 202)

const madeError = (code: ErrorCode) => made(errorBody(code), errors[code].status, code)

export const reviewResponse = (...review: Parameters<typeof madeReview>): StoredResponse => madeReview(...review).stored
export const errorResponse = (code: ErrorCode): StoredResponse => madeError(code).stored

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

interface EndedCall extends Pick<BillableCall, 'operation' | 'present' | 'presentRefusal'>, Pick<End, 'projectId'> {}

/** How an outcome ends its charge, and the response that the caller gets. */
export function endCommand(
  { operation, projectId, present, presentRefusal }: EndedCall,
  chargeId: string,
  outcome: Outcome<OperationResult>,
  at: number,
): { command: End; response: MadeResponse } {
  const { credits } = prices[operation]
  const charge = { chargeId, projectId, at }
  switch (outcome.kind) {
    case 'confirmed': {
      const { data, usage, snapshots = [] } = outcome.value
      const response = made(
        present?.(outcome.value, chargeId) ?? { status: 'settled', operation, chargedCredits: credits, data, usage },
        200,
      )
      const end = { to: 'settled', response: response.stored, usage: JSON.stringify(usage), snapshots } as const
      return { response, command: endReserved({ ...charge, ...end }) }
    }
    case 'refused':
    case 'unavailable': {
      const own = outcome.kind === 'refused' ? presentRefusal?.(outcome) : null
      const response = own ? made(own.body, own.status, outcome.code) : madeError(outcome.code)
      // If nothing was sent, no response is stored, which frees the Idempotency-Key for a retry.
      const stored = outcome.sent ? response.stored : null
      return {
        response,
        command: endReserved({
          ...charge,
          to: 'released',
          response: stored,
          usage: usageOf(outcome),
          reason: outcome.code,
        }),
      }
    }
    case 'uncertain': {
      const response = madeReview({ operation, credits, chargeId })
      const end = { to: 'manual_review', response: response.stored, reason: outcome.reason } as const
      return { response, command: endReserved({ ...charge, ...end }) }
    }
    default:
      return unreachable(outcome)
  }
}

/** A call that the provider refused used nothing: the provider's own code is stored instead. */
const usageOf = (outcome: FailedOutcome): string | null =>
  outcome.kind === 'refused' && outcome.refusedWith ? JSON.stringify({ upstreamCode: outcome.refusedWith }) : null

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
      // Removed only after the commit: recovery releases our charges that are no longer in progress.
      if (sometimes('a retry records how a charge ends', isRecorded)) return void retries.delete(command.chargeId)
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
    'ledger' | 'clock' | 'onFault' | 'onSettled' | 'onSnapshotsAdded' | 'onUncertain' | 'onRefused' | 'sealContent'
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
      const { operation, presentRefusal } = call
      const present = call.present as BillableCall['present']
      const of = { operation, projectId: call.principal.projectId, present, presentRefusal }
      const { command, response } = endCommand(of, chargeId, outcome as Outcome<OperationResult>, deps.clock())
      const content = logsContent(chargeId)
        ? deps.sealContent(chargeId, contentOf(call.request, response.stored))
        : undefined
      if (outcome.kind === 'refused' && outcome.refusedWith !== undefined)
        deps.onRefused?.({ chargeId, upstreamCode: outcome.refusedWith })
      if (outcome.kind === 'uncertain') {
        const { reason, detail } = outcome
        deps.onUncertain({ chargeId, reason, ...(detail !== undefined && { detail }) })
      }
      const result = await ending.end(content ? { ...command, content } : command)
      // This instance lost its lease and another one recovered the charge: what is stored wins.
      if (result.kind === 'already')
        return result.response
          ? { ...result.response, value: null, isReplay: false, isStored: true, chargeId }
          : relayResponse(madeError('ADAPTER_FAILURE'), false, chargeId)
      if (command.to === 'settled') deps.onSettled?.({ operation, credits: prices[operation].credits })
      if (command.snapshots.length > 0) deps.onSnapshotsAdded(command.projectId)
      const ended = relayResponse(response, command.response !== null, chargeId)
      return outcome.kind === 'refused' && outcome.isRejection ? { ...ended, isRejection: true } : ended
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

const relayResponse = ({ stored, value }: MadeResponse, isStored: boolean, chargeId: string): RelayResponse => ({
  ...stored,
  value,
  isReplay: false,
  isStored,
  chargeId,
})
