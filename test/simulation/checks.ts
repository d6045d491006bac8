import { dayMs } from '../../src/base/time.ts'
import { reconcile } from '../../src/features/records/reconcile/reconcile.ts'
import type { Reader, Value } from '../../src/storage/engine.ts'
import { leaseLengthMs } from '../../src/storage/postgres/instance-rows.ts'
import { comparePayments, compareRefunds, type ProviderRecords } from './payments.ts'
import type { Plan } from './plan.ts'
import { Repeats } from './repeats.ts'
import type { SimulatedStore, Written } from './store.ts'
import { Sums } from './sums.ts'
import type { Truth } from './upstreams.ts'
import type { World } from './world.ts'

interface ChargeState {
  readonly chargeId: string
  readonly state: string
  readonly reason: string | null
  readonly requestId: string
  readonly operation: string
  readonly leavesProcess: number
  readonly isKeyFree: number
  readonly hasResponse: number
  readonly decision: string | null
  readonly instanceId: string
}

const selectCharges = (
  condition: string,
) => `SELECT c.charge_id AS "chargeId", c.state, c.reason, c.request_id AS "requestId",
    c.operation, c.instance_id AS "instanceId", c.leaves_process AS "leavesProcess", (c.idempotency_digest IS NULL) AS "isKeyFree",
    EXISTS (SELECT 1 FROM charge_responses r WHERE r.charge_id = c.charge_id) AS "hasResponse", d.decision
  FROM charges c LEFT JOIN review_decisions d ON d.charge_id = c.charge_id WHERE ${condition}`

const selectBalance = `SELECT b.available, b.reserved, b.settled, b.credited, e.available AS "lastAvailable",
    e.reserved AS "lastReserved"
  FROM balances b LEFT JOIN ledger_entries e ON e.entry_id = b.last_entry_id WHERE b.project_id = $1`

const selectBudgets = `SELECT budget_id AS "budgetId", period_from AS period, spent FROM key_budgets WHERE project_id = $1`

interface Balance {
  readonly available: number
  readonly reserved: number
  readonly settled: number
  readonly credited: number
  readonly lastAvailable: number | null
  readonly lastReserved: number | null
}

interface Budget {
  readonly budgetId: string
  readonly period: number
  readonly spent: number
}

/** After these a sender cannot know whether its message has gone out, and sends it again. */
const uncertainFaults = [
  'message-failures',
  'kill',
  'restart',
  'freeze',
  'slow-store',
  'refuse-commit',
  'lose-commit-response',
  'store-outage',
  'end-sessions',
  'failover-sync',
  'failover-async',
  'clock-jump',
  'long-night',
] as const

/** From which state a charge may come. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  reserved: ['none'],
  settled: ['reserved', 'manual_review'],
  released: ['reserved', 'manual_review'],
  manual_review: ['reserved'],
}

const keysIn = (written: Written, table: string): [string][] =>
  [...(written.get(table) ?? [])].map((key) => JSON.parse(key))

interface CheckedWith {
  readonly truth: Truth
  readonly payments: ProviderRecords
  /** Whether gateways of the last release take part. */
  readonly hasLastRelease: boolean
}

/** Compares the store with its own rules after every commit, and with what really happened outside. */
export class Checks {
  readonly #world: World
  readonly #store: SimulatedStore
  readonly #truth: Truth
  readonly #payments: ProviderRecords
  readonly #hasLastRelease: boolean
  readonly #plan: Plan
  readonly #sums: Sums
  readonly #repeats: Repeats
  /** For a store that does not know every row that a commit wrote. */
  readsAllRows = false
  /** The last known state of every charge that was committed. */
  readonly states = new Map<string, string>()
  /** Charges and requests that a failover lost. */
  readonly lost = new Set<string>()
  /** After that, sums over the charges of the store are no longer complete. */
  hasArchived = false

  constructor(world: World, store: SimulatedStore, { truth, payments, hasLastRelease }: CheckedWith) {
    this.#hasLastRelease = hasLastRelease
    this.#world = world
    this.#store = store
    this.#truth = truth
    this.#payments = payments
    this.#plan = store.plan
    this.#sums = new Sums(() => store.db)
    this.#repeats = new Repeats(world, store, truth)
    store.onCommit = (commands) => this.#afterCommit(commands)
    store.onLoss = (lose, written) => this.#afterLoss(lose, written)
  }

  /** A caller has seen the response of a call that was charged just now. */
  answered(chargeId: string): void {
    if (this.lost.has(chargeId)) return
    const charge = this.#store.db.get<ChargeState>(selectCharges('c.charge_id = $1'), [chargeId])
    // It was archived while its caller was still reading.
    if (!charge && this.hasArchived) return
    // I4: nothing is answered as settled before it is on disk.
    if (charge?.state !== 'settled') {
      this.#world.fail(`I4: a caller saw 200 for ${chargeId}, and the charge is ${charge?.state ?? 'missing'}`)
    }
  }

  /** A caller has seen that its provider did not take the call. */
  refused(chargeId: string): void {
    if (this.lost.has(chargeId)) return
    const charge = this.#store.db.get<ChargeState>(selectCharges('c.charge_id = $1'), [chargeId])
    if (charge && charge.state !== 'released')
      this.#world.fail(`a caller saw that ${chargeId} was refused, and the charge is ${charge.state}`)
  }

  /** A caller has seen that its charge is in review. */
  reviewed(chargeId: string): void {
    // The last release says so of an outcome that is not recorded yet.
    if (this.lost.has(chargeId) || this.#hasLastRelease) return
    const charge = this.#store.db.get<ChargeState>(selectCharges('c.charge_id = $1'), [chargeId])
    if (!charge && this.hasArchived) return
    if (charge?.state !== 'manual_review' && !charge?.decision)
      this.#world.fail(`a caller saw that ${chargeId} is in review, and it is ${charge?.state ?? 'missing'}`)
  }

  /** Everything has come to rest. */
  async atTheEnd(): Promise<void> {
    const { db } = this.#store
    for (const charge of db.all<ChargeState>(selectCharges('1 = 1'))) this.#compareWithTruth(charge)
    if (!this.hasArchived && !this.#truth.hasLostCommits) {
      const known = new Set(db.all<{ id: string }>('SELECT request_id AS id FROM charges').map(({ id }) => id))
      for (const requestId of this.#truth.arrivals.keys())
        if (!known.has(requestId)) this.#world.fail(`the request ${requestId} was forwarded without a charge`)
    }
    // A repeat finds what was reserved in the last ten minutes, by the clocks of two gateways.
    const hasJumps = this.#plan.faults.has('clock-jump') || this.#plan.faults.has('long-night')
    if (!this.#truth.hasLostCommits && !hasJumps) this.#repeats.check()
    const open = db.get<{ jobs: number }>('SELECT COUNT(*) AS jobs FROM media_jobs WHERE next_poll_at IS NOT NULL')!
    if (open.jobs > 0) this.#world.fail(`${open.jobs} media jobs never ended`)
    for (const { eventId } of db.all<{ eventId: string }>(
      `SELECT event_id AS "eventId" FROM webhook_deliveries WHERE status = 'delivered'`,
    )) {
      if (!this.#truth.accepted.has(eventId))
        this.#world.fail(`the event ${eventId} counts as delivered and never arrived`)
    }
    this.#checkMessages()
    comparePayments(this.#world, this.#store, this.#payments, this.#truth.hasLostCommits)
    compareRefunds(this.#world, this.#store, this.#payments, this.#truth.hasLostCommits)
    const reader: Reader = {
      all: async <R extends object>(sql: string, params: readonly Value[] = []) => db.all<R>(sql, params),
      get: async <R extends object>(sql: string, params: readonly Value[] = []) => db.get<R>(sql, params),
    }
    // Older responses may be pruned.
    const resultsKeptSince = this.#world.outside.now() - 30 * dayMs
    const report = await reconcile({ read: (work) => work(reader) }, { resultsKeptSince })
    // After lost commits the store has less than was published, and must say so.
    const found = report.differences.filter(({ invariant }) => invariant !== 'I10' || !this.#truth.hasLostCommits)
    if (found.length > 0) this.#world.fail(`reconcile: ${JSON.stringify(found[0])}`)
  }

  /** Every event that a webhook asked for has arrived; and where no response and no commit was lost, every message once. */
  #checkMessages(): void {
    const { db } = this.#store
    const wanted = `SELECT e.event_id AS "eventId" FROM events e JOIN webhooks w ON w.project_id = e.project_id
      AND w.state = 'enabled' AND e.happened_at > w.created_at + 60000 AND instr(w.types, e.type) > 0`
    // With clocks that jump, the rows do not show which of the two was first.
    const rows = this.#plan.faults.has('clock-jump') ? [] : db.all<{ eventId: string }>(wanted)
    for (const { eventId } of rows)
      if (!this.#truth.accepted.has(eventId)) this.#world.fail(`the event ${eventId} never reached its webhook`)
    if (uncertainFaults.some((fault) => this.#plan.faults.has(fault))) return
    for (const [id, times] of [...this.#truth.codes, ...this.#truth.notices])
      if (times > 1) this.#world.fail(`the message ${id} was sent ${times} times`)
  }

  #afterCommit(written: Written): void {
    const { db } = this.#store
    this.#repeats.afterCommit(written)
    if (this.readsAllRows) this.#sums.readAll()
    else this.#sums.refresh(written)
    for (const [projectId] of keysIn(written, 'balances')) this.#checkProject(projectId)
    for (const key of keysIn(written, 'charges')) {
      const charge = db.get<ChargeState>(selectCharges('c.charge_id = $1'), key)
      if (charge) this.#checkTransition(charge)
    }
  }

  #checkProject(projectId: string): void {
    const { db } = this.#store
    const balance = db.get<Balance>(selectBalance, [projectId])!
    const { available, reserved, settled, credited, lastAvailable, lastReserved } = balance
    if (Math.min(available, reserved, settled) < 0 || available + reserved + settled !== credited)
      this.#world.fail(`I1: the sum in ${projectId}: ${JSON.stringify(balance)}`)
    if (this.hasArchived) return
    const says = (what: string) => this.#world.fail(`${what} in ${projectId}: ${JSON.stringify(balance)}`)
    const compare = (what: string, recorded: number, counted: number) => {
      if (recorded !== counted) says(`${what}, which are ${counted},`)
    }
    compare('I1: the lots', credited, this.#sums.of(`lots ${projectId}`))
    compare('I1: the reserved charges and refunds', reserved, this.#sums.of(`held ${projectId}`))
    compare('I1: the settled charges', settled, this.#sums.of(`spent ${projectId}`))
    if (lastAvailable !== null && (lastAvailable !== available || lastReserved !== reserved)) says('I6: the last entry')
    for (const { budgetId, period, spent } of db.all<Budget>(selectBudgets, [projectId])) {
      const counted = this.#sums.of(`budget ${budgetId} ${period}`)
      if (spent !== counted) this.#world.fail(`I8: the budget ${budgetId} counts ${spent}, not ${counted}`)
    }
  }

  /** Calls admitted within a budget must fit into it. A budget that is lowered later may be below what was spent. */
  #checkFits(chargeId: string): void {
    const budget = this.#store.db.get<{ budgetId: string; credits: number | null; spent: number }>(
      `SELECT b.budget_id AS "budgetId", b.credits, b.spent FROM charges c JOIN key_budgets b ON b.budget_id = c.budget_id
        AND b.period_from = c.budget_period WHERE c.charge_id = $1`,
      [chargeId],
    )
    if (budget && budget.credits !== null && budget.spent > budget.credits)
      this.#world.fail(`the budget ${budget.budgetId} was exceeded: ${budget.spent} of ${budget.credits}`)
  }

  /** The commit that reserves credits locks the key, so that no revocation comes in between. */
  #checkKey(chargeId: string): void {
    const blocked = `SELECT k.key_id AS "keyId" FROM charges c JOIN api_keys k ON k.key_id = c.key_id
      WHERE c.charge_id = $1 AND COALESCE(k.revoked_at, k.suspended_at) IS NOT NULL`
    const key = this.#store.db.get<{ keyId: string }>(blocked, [chargeId])
    if (key) this.#world.fail(`${chargeId} was reserved with the key ${key.keyId} after its revocation`)
  }

  #checkTransition(charge: ChargeState): void {
    const { chargeId, state } = charge
    const before = this.states.get(chargeId) ?? 'none'
    this.states.set(chargeId, state)
    if (state !== before) {
      this.#world.trace(`${chargeId} ${before} -> ${state}`)
      this.#world.reach(`charge: ${before} -> ${state}`)
      if (before === 'none') this.#checkFits(chargeId)
      if (before === 'none') this.#checkKey(chargeId)
      if (before === 'reserved' && charge.reason?.startsWith('INSTANCE_STOPPED')) this.#checkStopped(charge)
      if (charge.reason) this.#world.reach(`reason: ${charge.reason}`)
      // A charge may be reserved and ended in one batch.
      if (before !== 'none' && !allowed[state]!.includes(before))
        this.#world.fail(`I2: ${chargeId} went from ${before} to ${state}`)
    }
    if (state === before) return
    const keepsResponse =
      state === 'settled' || state === 'manual_review' || (state === 'released' && !charge.isKeyFree)
    if (keepsResponse && charge.hasResponse === 0) this.#world.fail(`I3: ${chargeId} is ${state} and has no response`)
  }

  /** After an outage in which all leases ran out, every instance gets time to come back before others take its charges. */
  #checkStopped({ chargeId, instanceId }: ChargeState): void {
    const owner = this.#store.instances.get(instanceId)
    const { backAt, lastOutageMs, committer } = this.#store
    if (!owner?.isAlive || owner.isFrozen || lastOutageMs < leaseLengthMs + 6000) return
    // It ended a charge of its own that belongs to no call: a failover had lost the end.
    if (owner === (committer ?? this.#world.current)) return
    // Skipped time goes by for no gateway.
    if (this.#world.skippedAt >= backAt - lastOutageMs) return
    if (this.#world.time < backAt + leaseLengthMs / 2)
      this.#world.fail(`${chargeId} was taken from ${owner.name}, which had no time to come back after an outage`)
  }

  /** What a confirmed commit wrote was lost, so the gateways are not held to it. */
  #afterLoss(lose: () => void, written: Written): void {
    const { db } = this.#store
    const ids = keysIn(written, 'charges').map(([id]) => id)
    const charges = () =>
      this.readsAllRows
        ? db.all<ChargeState>(selectCharges('1 = 1'))
        : ids.flatMap((id) => db.get<ChargeState>(selectCharges('c.charge_id = $1'), [id]) ?? [])
    const read = () => new Map(charges().map((charge) => [charge.chargeId, charge]))
    const before = read()
    lose()
    // Only what was not replicated can be lost; reading all rows took a tenth of a large world with many failovers.
    if (this.readsAllRows) this.#sums.readAll()
    else this.#sums.refresh(written)
    const after = read()
    for (const [chargeId, charge] of before) {
      const now = after.get(chargeId)
      if (now?.state === charge.state) continue
      this.lost.add(chargeId).add(charge.requestId)
      if (now) this.states.set(chargeId, now.state)
      else this.states.delete(chargeId)
    }
    this.#truth.hasLostCommits = true
    this.#truth.lostCommitsAt = this.#world.time
    this.#world.reach('failover: commits were lost')
  }

  #compareWithTruth(charge: ChargeState): void {
    const { chargeId, state, operation } = charge
    if (this.lost.has(chargeId)) return
    if (state === 'reserved') this.#world.fail(`${chargeId} is still reserved`)
    if (operation === 'media.video') this.#compareJob(charge)
    else this.#compareCall(charge)
  }

  #compareCall(charge: ChargeState): void {
    const { chargeId, requestId, state } = charge
    const { arrivals, executions } = this.#truth
    const executed = executions.get(requestId) ?? 0
    if (executed > 1) this.#world.fail(`${chargeId} was carried out ${executed} times`)
    const isOurs = charge.decision === null && charge.leavesProcess === 1
    if (isOurs && state === 'settled' && executed === 0)
      this.#world.fail(`${chargeId} is settled and was never carried out`)
    // Its key is free again, so its caller may repeat it: then nothing may have been sent.
    if (state === 'released' && charge.isKeyFree === 1 && arrivals.has(requestId) && charge.decision === null)
      this.#world.fail(`${chargeId} was sent, and released as if it was not (${charge.reason})`)
  }

  #compareJob({ chargeId, state, decision }: ChargeState): void {
    const job = this.#store.db.get<{ jobId: string; status: string; providerId: string | null }>(
      'SELECT job_id AS "jobId", status, provider_id AS "providerId" FROM media_jobs WHERE charge_id = $1',
      [chargeId],
    )
    if (!job) return
    const real = [...this.#truth.jobs.values()].find(({ reference }) => reference === job.jobId)
    if (state === 'settled' && decision === null && (real?.ending !== 'completed' || real.isCancelled))
      this.#world.fail(`the media job ${job.jobId} is settled, and its provider has not made it`)
    // A failover may have lost the id after a gateway had read it.
    const isIdLost = job.providerId === null && this.#truth.hasLostCommits
    if (state === 'settled' && decision === null && real?.id !== job.providerId && !isIdLost)
      this.#world.fail(`the media job ${job.jobId} has the clip of another one: ${job.providerId}, not ${real?.id}`)
  }
}
