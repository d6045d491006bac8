import { afterPendingInput } from '../../../base/after-pending-input.ts'
import { monotonicMs } from '../../../base/clock.ts'
import { sortableIdFloor } from '../../../base/ids.ts'
import { fingerprint, tokenDigest } from '../../../base/signatures.ts'
import { sometimes } from '../../../base/sometimes.ts'
import { minuteMs } from '../../../base/time.ts'
import { delay } from '../../../base/timers.ts'
import { singleHeader } from '../../../http/guards.ts'
import type { Call } from '../../../http/route.ts'
import type { InstanceLease } from '../../../ledger/instance-lease.ts'
import { mayHaveCommitted } from '../../../ledger/ledger.ts'
import type { Engine, Reader } from '../../../storage/engine.ts'
import { fullPages, placeholders } from '../../../storage/sql-text.ts'
import { createUnanswered, type LostResponse, type RepeatedCall, type Unanswered } from './unanswered-calls.ts'

/** How long after its reservation a call can be found again by a repeat. */
const joinableMs = 10 * minuteMs
/** A client that repeats more calls at once than this has lost them all together. */
const maxCandidates = 64
const retryMs = 1000
/** Two leases: an instance that has not been given up by then is alive, and so are its connections. */
const certainAfterMs = 35_000
const lookAgainMs = 1000
const longestWaitMs = 2000
const maxPerWrite = 256
const idsPerStatement = 32
const statements = [
  [true, 'DELETE FROM pending_deliveries'],
  [false, 'UPDATE pending_deliveries SET is_lost = 1'],
] as const

export interface DeliveryDeps {
  readonly engine: Engine
  readonly lease: Pick<InstanceLease, 'instanceId' | 'liveInstances' | 'canRecoverOthers'>
  readonly clock: () => number
  readonly onFault: (error: unknown) => void
}

/** A call whose charge is not known yet: the credits are being reserved. */
interface UnchargedCall extends RepeatedCall {
  hasLeft: boolean
  readonly ended: PromiseWithResolvers<void>
}

interface PendingRow {
  readonly chargeId: string
  readonly requestId: string
  readonly instanceId: string
  readonly isLost: number
  readonly digest: string | null
}

/** The client counts the repeats of a call, and sends no key with any of them. */
export const isRepeat = (call: Pick<Call, 'header'>): boolean =>
  /^[1-9][0-9]{0,3}$/.test(singleHeader(call, 'x-stainless-retry-count') ?? '')

/**
 * Remembers which responses did not reach their client. `openai` sends no Idempotency-Key, but counts its repeats: a repeat of a call
 * whose response was lost gets that response, instead of a second charge.
 */
export function createDeliveries(deps: DeliveryDeps) {
  const { engine, clock } = deps
  const reports = createReports(deps)
  const uncharged = createUncharged()
  const unanswered = createUnanswered()
  const findLostRow = createLostRows(deps, reports)
  return {
    /**
     * The oldest call with this key and request whose response was lost and that no other repeat has found; null if there is none.
     * Another instance may have died a moment ago: waits until that is known.
     */
    async findLost(repeated: RepeatedCall): Promise<LostResponse | null> {
      await uncharged.earlierCharged(repeated)
      const lost = await findLostRow(repeated)
      unanswered.found(repeated, lost)
      return lost
    },
    /** Whether this instance has asked to repeat such a call. Its repeat need not say that it is one. */
    isAwaited: unanswered.has,
    /** Whether this instance has asked to repeat any call of the key. */
    isSomeAwaited: unanswered.hasSome,
    watch: createWatch(reports, uncharged, unanswered),
    prune: (limit: number): Promise<number> =>
      engine.write((tx) =>
        tx.run(
          `DELETE FROM pending_deliveries WHERE charge_id IN (
            SELECT charge_id FROM pending_deliveries WHERE charge_id < $1 ORDER BY charge_id LIMIT $2)`,
          [sortableIdFloor('chg', clock() - joinableMs), limit],
        ),
      ),
    /** How many reports are not on disk yet. */
    unwritten: () => reports.pending.size,
    written: reports.written,
    close: reports.close,
  }
}

/**
 * Watches whether the client gets its response. `charged` says which charge the response is about, `ended` that there will be none if
 * there was none so far, and `failed` that the client gets an error instead, because the outcome is not recorded yet.
 */
const createWatch =
  (reports: DeliveryReports, uncharged: ReturnType<typeof createUncharged>, unanswered: Unanswered) =>
  (call: Call, asked: RepeatedCall, joined: LostResponse | null) => {
    const attempt = uncharged.add(asked)
    let chargeId: string | null = null
    let isDelivered: boolean | null = null
    const report = () => {
      if (chargeId !== null && isDelivered !== null) reports.add(chargeId, isDelivered)
    }
    call.watchDelivery((outcome) => {
      // Reported when it failed; a repeat may have found it since.
      if (isDelivered !== null) return
      isDelivered = outcome
      attempt.hasLeft = !outcome
      // The repeat was refused before it came to the call that it had found.
      if (chargeId === null && joined) reports.add(joined.chargeId, false)
      report()
    })
    return {
      charged(id: string | null): void {
        chargeId = id
        report()
        uncharged.end(attempt)
      },
      failed(): void {
        if (chargeId === null || isDelivered !== null) return
        isDelivered = false
        unanswered.add(chargeId, asked)
        report()
      },
      ended: () => uncharged.end(attempt),
    }
  }

type DeliveryReports = ReturnType<typeof createReports>

/** Writes which responses were delivered and which were lost, and retries until that is on disk. */
function createReports({ engine, onFault }: Pick<DeliveryDeps, 'engine' | 'onFault'>) {
  /** What is not on disk yet. True: delivered. False: lost. */
  const pending = new Map<string, boolean>()
  const closing = new AbortController()
  let writing: Promise<void> | null = null

  async function writePage(page: readonly (readonly [string, boolean])[]): Promise<void> {
    await engine.write(async (tx) => {
      for (const [isDelivered, statement] of statements) {
        const ids = page.filter(([, outcome]) => outcome === isDelivered).map(([chargeId]) => chargeId)
        for (const some of fullPages(ids, ids.length === 1 ? 1 : idsPerStatement))
          await tx.run(`${statement} WHERE charge_id IN (${placeholders(some)})`, some)
      }
    })
    for (const [chargeId, outcome] of page) if (pending.get(chargeId) === outcome) pending.delete(chargeId)
  }

  async function writeAll(): Promise<void> {
    while (pending.size > 0 && !closing.signal.aborted) {
      try {
        await writePage([...pending].slice(0, maxPerWrite))
      } catch (error) {
        onFault(error)
        await delay(retryMs, { signal: closing.signal, ref: false }).catch(() => {})
      }
    }
    writing = null
  }

  return {
    pending,
    add(chargeId: string, isDelivered: boolean): void {
      pending.set(chargeId, isDelivered)
      writing ??= writeAll()
    },
    written: async () => void (await writing),
    async close(): Promise<void> {
      closing.abort()
      await writing
    },
  }
}

/** The calls of this instance whose charge is not known yet. */
function createUncharged() {
  const calls = new Set<UnchargedCall>()
  return {
    add(asked: RepeatedCall): UnchargedCall {
      const call: UnchargedCall = { ...asked, hasLeft: false, ended: Promise.withResolvers() }
      calls.add(call)
      return call
    },
    end(call: UnchargedCall): void {
      calls.delete(call)
      call.ended.resolve()
    },
    /** A client may leave, and repeat its call, while a slow store still reserves the credits for it: waits until that is done. */
    async earlierCharged({ keyId, operation, request }: RepeatedCall): Promise<void> {
      // Or it has left, and that has arrived but was not read yet.
      await new Promise<void>(afterPendingInput)
      const wanted = fingerprint(request)
      const isEarlier = (attempt: UnchargedCall) =>
        attempt.hasLeft &&
        attempt.keyId === keyId &&
        attempt.operation === operation &&
        fingerprint(attempt.request) === wanted
      const earlier = [...calls].filter(isEarlier).map(({ ended }) => ended.promise)
      if (earlier.length === 0) return
      sometimes('a repeat waits until its first attempt is charged')
      await Promise.race([Promise.all(earlier), delay(certainAfterMs, { ref: false })])
    },
  }
}

/** Finds lost responses in the store, and takes them over for a repeat. */
function createLostRows({ engine, lease, clock }: DeliveryDeps, reports: DeliveryReports) {
  async function candidates({ keyId, operation, request }: RepeatedCall): Promise<PendingRow[]> {
    // What this instance already knows should be on disk first; a store that is down must not hold up its error.
    if (reports.pending.size > 0) await Promise.race([reports.written(), delay(longestWaitMs, { ref: false })])
    return engine.read((tx) =>
      tx.all<PendingRow>(
        `SELECT p.charge_id AS "chargeId", p.request_id AS "requestId", p.instance_id AS "instanceId",
          p.is_lost AS "isLost", c.idempotency_digest AS digest
        FROM pending_deliveries p JOIN charges c ON c.charge_id = p.charge_id
        WHERE p.key_id = $1 AND p.fingerprint = $2 AND p.charge_id >= $3 AND c.operation = $4 AND c.state <> 'released'
        ORDER BY p.charge_id LIMIT ${maxCandidates}`,
        [keyId, fingerprint(request), sortableIdFloor('chg', clock() - joinableMs), operation],
      ),
    )
  }

  /** Takes the row over, unless another repeat was faster. */
  async function claim({ chargeId, instanceId, isLost }: PendingRow): Promise<boolean> {
    const change = `UPDATE pending_deliveries SET instance_id = $2, is_lost = 0
      WHERE charge_id = $1 AND instance_id = $3 AND is_lost = $4`
    try {
      const changed = await engine.write((tx) => tx.run(change, [chargeId, lease.instanceId, instanceId, isLost]))
      if (changed === 1) reports.pending.delete(chargeId)
      return changed === 1
    } catch (error) {
      // If it is ours now, no call is left to use it: the next repeat must find it lost again.
      if (mayHaveCommitted(error)) reports.add(chargeId, false)
      throw error
    }
  }

  return async (repeated: RepeatedCall): Promise<LostResponse | null> => {
    const deadline = monotonicMs() + certainAfterMs
    for (;;) {
      // Decided before reading: a process that was stopped for a while must not go by what it read before.
      const isLastLook = monotonicMs() >= deadline
      const rows = (await candidates(repeated)).filter(hasMadeKey)
      const isLost = (row: PendingRow) => row.isLost === 1 || reports.pending.get(row.chargeId) === false
      const isElsewhere = (row: PendingRow) => !isLost(row) && row.instanceId !== lease.instanceId
      const live = rows.some(isElsewhere) && lease.canRecoverOthers() ? new Set(await lease.liveInstances()) : null
      const isGone = (row: PendingRow) => isElsewhere(row) && live !== null && !live.has(row.instanceId)
      for (const row of rows) {
        if (!isLost(row) && !isGone(row)) continue
        if (await claim(row)) return { chargeId: row.chargeId, idempotencyKey: row.requestId }
      }
      if (!rows.some(isElsewhere) || isLastLook) return null
      await delay(lookAgainMs)
    }
  }
}

/** A call with a key of its own is repeated with that key. */
const hasMadeKey = ({ digest, requestId }: PendingRow) => digest === tokenDigest('idempotency', requestId)

export type Deliveries = ReturnType<typeof createDeliveries>

/** What became of the response to an OpenAI client; null once it was written out, and for other calls. */
export async function deliveryOf(tx: Reader, chargeId: string): Promise<'pending' | 'lost' | null> {
  const row = await tx.get<{ isLost: number }>(
    'SELECT is_lost AS "isLost" FROM pending_deliveries WHERE charge_id = $1',
    [chargeId],
  )
  return row ? (row.isLost === 1 ? 'lost' : 'pending') : null
}
