import { newSortableId } from '../base/ids.ts'
import { fingerprint } from '../base/signatures.ts'
import { addressRefused, type ErrorCode, Refusal } from '../contract/errors.ts'
import { pricingVersion } from '../contract/prices.ts'
import type { Admit, AdmitResult, RefuseResult, StoredResponse } from '../ledger/commands.ts'
import type { Ledger } from '../ledger/ledger.ts'

/** Increase it when the isolation between projects changes: charges with an older version are never replayed. */
const isolationVersion = 1

/** The key that a caller presented, and what it must be allowed to do. */
export interface KeyUse extends Pick<Admit, 'scope' | 'address' | 'at'> {
  readonly principal: Pick<Admit, 'projectId' | 'keyId'>
}

/** What a call says about its charge, whatever its operation. */
export interface ChargedCall extends Pick<Admit, 'idempotencyDigest' | 'requestId' | 'tracksDelivery'> {
  /**
   * Called with the charge that the call has: its own, or that of an earlier call with its Idempotency-Key. If that one is still
   * under way, it may be released, and the call then gets a charge of its own.
   */
  readonly onCharge?: (chargeId: string | null, isUnderWay: boolean) => void
}

/** A call as the ledger is asked for it. With a `job`, its row commits with the reservation. */
export interface Admission
  extends KeyUse,
    ChargedCall,
    Pick<Admit, 'operation' | 'credits' | 'leavesProcess' | 'model' | 'job'> {
  readonly request: object
}

export interface AdmissionDeps {
  readonly ledger: Pick<Ledger, 'admit' | 'use' | 'refuse'>
  readonly instanceId: string
  readonly callsPerKey: { readonly max: number; readonly windowSeconds: number }
  readonly clock: () => number
  /** If false, other instances may consider this one dead, so it admits no calls. */
  readonly isLeaseHeld: () => boolean
}

interface Duplicates<R> {
  /** From the stored response of the first call. */
  readonly replay: (response: StoredResponse, chargeId: string) => R | Promise<R>
  /** The first call is in progress, here if `local` is set. Null if it has ended: the ledger then knows its response, or frees its key. */
  readonly join: (chargeId: string, local: Promise<R> | null, at: number) => Promise<R | null>
}

/** Admits calls, or returns the response of an earlier one. */
export function createAdmission<R>(deps: AdmissionDeps, duplicates: Duplicates<R>) {
  /** The calls this instance is working on, by charge id. Their duplicates wait for the same response. */
  const underWay = new Map<string, { response: Promise<R> | null; logsContent: boolean }>()
  return {
    isUnderWay: (chargeId: string) => underWay.has(chargeId),
    underWay: () => underWay.size,
    /** Whether the key of a call in progress keeps requests and responses. */
    logsContent: (chargeId: string) => underWay.get(chargeId)?.logsContent ?? false,
    /** Runs a call under a new charge id. */
    async run(work: (chargeId: string) => Promise<R>): Promise<R> {
      const chargeId = newSortableId('chg', deps.clock())
      const entry = { response: work(chargeId) as Promise<R> | null, logsContent: false }
      // Added before the charge is reserved, so that a duplicate in the same batch finds it.
      underWay.set(chargeId, entry)
      try {
        return (await entry.response)!
      } finally {
        underWay.delete(chargeId)
        // A busy Map keeps old backing tables alive, and they would pin the response.
        entry.response = null
      }
    },
    /**
     * Reserves the price and returns null. If an earlier call has the same Idempotency-Key, returns that call's response and
     * charges nothing. Throws a `Refusal` if the call is not allowed.
     */
    async admit(admission: Admission, chargeId: string): Promise<R | null> {
      if (!deps.isLeaseHeld()) throw new Refusal('INTERNAL_ERROR')
      const command = admitCommand(deps, admission, chargeId)
      for (;;) {
        const result = await deps.ledger.admit(command)
        admission.onCharge?.(chargeOf(result, chargeId), result.kind === 'under_way')
        switch (result.kind) {
          case 'reserved': {
            const entry = result.logsContent ? underWay.get(chargeId) : undefined
            if (entry) entry.logsContent = true
            return null
          }
          case 'replay':
            return duplicates.replay(result.response, result.chargeId)
          case 'refused':
            throw toRefusal(result)
          case 'under_way': {
            const local = underWay.get(result.chargeId)?.response ?? null
            const response = await duplicates.join(result.chargeId, local, command.at)
            if (response) return response
            // It has ended since: ask the ledger again.
          }
        }
      }
    },
    /** Counts a request that costs nothing against the rate limit of its key. */
    async use(use: Omit<KeyUse, 'scope'>): Promise<void> {
      const result = await deps.ledger.use({ type: 'use', ...keyFields(deps, use) })
      if (result.kind === 'refused') throw toRefusal(result)
    },
    /** Refuses an invalid request without a charge. Key and rate-limit errors take precedence over `fault`. */
    async refuse(use: KeyUse, fault: ErrorCode): Promise<never> {
      throw toRefusal(await deps.ledger.refuse({ type: 'refuse', ...keyFields(deps, use), scope: use.scope, fault }))
    },
  }
}

const chargeOf = (result: AdmitResult, chargeId: string) =>
  result.kind === 'reserved' ? chargeId : result.kind === 'refused' ? null : result.chargeId

const toRefusal = ({ code, retryAfterSeconds, because, limit }: RefuseResult) =>
  new Refusal(code, { retryAfterSeconds, limit, message: because && messageOf(because) })

/** Replaces the general meaning of the code, which would mislead. */
function messageOf(because: NonNullable<RefuseResult['because']>): string {
  if (because === 'address') return addressRefused
  const { credits, per } = because.budget
  const limit = `${credits} credits ${per === 'total' ? 'in total' : `per ${per}`}`
  return `The budget of this API key (${limit}) does not cover the price; nothing was forwarded.`
}

const keyFields = ({ callsPerKey }: AdmissionDeps, { principal, address, at }: Omit<KeyUse, 'scope'>) => ({
  projectId: principal.projectId,
  keyId: principal.keyId,
  address,
  limit: { max: callsPerKey.max, windowMs: callsPerKey.windowSeconds * 1000 },
  at,
})

const admitCommand = (deps: AdmissionDeps, admission: Admission, chargeId: string): Admit => ({
  type: 'admit',
  ...keyFields(deps, admission),
  scope: admission.scope,
  chargeId,
  operation: admission.operation,
  credits: admission.credits,
  pricingVersion,
  leavesProcess: admission.leavesProcess,
  idempotencyDigest: admission.idempotencyDigest,
  fingerprint: fingerprint(admission.request),
  isolationVersion,
  instanceId: deps.instanceId,
  requestId: admission.requestId,
  ...(admission.model !== undefined && { model: admission.model }),
  ...(admission.job && { job: admission.job }),
  ...(admission.tracksDelivery && { tracksDelivery: true }),
})
