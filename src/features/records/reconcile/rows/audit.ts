import type { ActionsWith, AuditAction, AuditedEffect } from '../../../../contract/audit-actions.ts'
import type { AuditHead, AuditSource, ChainFault } from '../../../../ledger/audit.ts'
import type { ApprovalSubject } from '../../../../operator-kit/approvals.ts'
import { auditReads } from '../../../../storage/audit-rows.ts'
import type { Read } from '../differences.ts'

const pageRows = 1000

/** The whole audit log, a page at a time. Each page is read with the head of that moment, which must match the last one. */
export function auditSource(read: Read): AuditSource {
  const all = { by: null, action: null, object: null, fromAt: 0, toAt: Number.MAX_SAFE_INTEGER }
  let head: AuditHead | undefined
  return {
    head: async () => head,
    entriesAfter: (pastSeq, limit) =>
      read(async (tx) => {
        const { auditHead, auditEntries } = auditReads(tx)
        head = await auditHead()
        return auditEntries(all, { order: 'oldest first', pastSeq, limit })
      }),
  }
}

/** Rows that an operator's action left, and how their audit entry is found. `r` is the row, `e` the entry. */
interface EffectCheck<A extends string = string> {
  readonly name: string
  readonly table: string
  readonly id: string
  readonly where?: string
  readonly projectId?: string
  /** Which rows each action left. Where actions share a condition, the entry of either will do. */
  readonly actions: Readonly<Record<A, string>>
  readonly entry: string
}

/** An action is recorded with its own time and name. */
const entryOf = (object: string, at: string, by?: string) =>
  `e.object = ${object} AND e.acted_at = ${at}${by === undefined ? '' : ` AND e.acted_by = ${by}`}`

const isAbout = (subject: ApprovalSubject) => `r.subject = '${subject}'`

const isAny = '1 = 1'
const isGrant = "r.kind = 'grant'"
const isWithdrawal = "r.kind = 'withdraw'"

const effects: { readonly [E in AuditedEffect]: EffectCheck<ActionsWith<E>> } = {
  movement: {
    name: 'movement',
    table: 'operator_movements',
    id: 'r.movement_id',
    projectId: 'r.project_id',
    actions: {
      'credits.grant': `${isGrant} AND r.approval_id IS NULL`,
      'credits.grant.approve': `${isGrant} AND r.approval_id IS NOT NULL`,
      'credits.withdraw': `${isWithdrawal} AND r.approval_id IS NULL`,
      'credits.withdraw.approve': `${isWithdrawal} AND r.approval_id IS NOT NULL`,
    },
    entry: `e.audit_id = r.audit_id AND ${entryOf('r.project_id', 'r.moved_at')}`,
  },
  'approval requested': {
    name: 'approval',
    table: 'approvals',
    id: 'r.approval_id',
    projectId: 'r.project_id',
    actions: {
      'payments.refund.done.request': `${isAbout('refund_decision')} AND ${isWithdrawal}`,
      'payments.refund.failed.request': `${isAbout('refund_decision')} AND ${isGrant}`,
      'payments.refund.request': isAbout('refund'),
      'payments.end.credit.request': `${isAbout('payment_end')} AND ${isGrant}`,
      'payments.end.refund.request': `${isAbout('payment_end')} AND ${isWithdrawal}`,
      'credits.grant.request': `${isAbout('movement')} AND ${isGrant}`,
      'credits.withdraw.request': `${isAbout('movement')} AND ${isWithdrawal}`,
    },
    entry: entryOf('r.project_id', 'r.requested_at', 'r.requested_by'),
  },
  'approval rejected': {
    name: 'approval',
    table: 'approvals',
    id: 'r.approval_id',
    where: "r.state = 'rejected'",
    projectId: 'r.project_id',
    actions: { 'credits.grant.reject': isGrant, 'credits.withdraw.reject': isWithdrawal },
    entry: entryOf('r.project_id', 'r.decided_at', 'r.decided_by'),
  },
  'review decided': {
    name: 'charge',
    table: 'review_decisions',
    id: 'r.charge_id',
    actions: { 'review.settle': "r.decision = 'settled'", 'review.release': "r.decision <> 'settled'" },
    entry: entryOf('r.charge_id', 'r.decided_at', 'r.decided_by'),
  },
  'account suspended': {
    name: 'account',
    table: 'accounts',
    id: 'r.account_id',
    where: 'r.suspended_at IS NOT NULL',
    actions: { 'account.suspend': isAny },
    entry: entryOf('r.account_id', 'r.suspended_at'),
  },
  'provider switched': {
    name: 'provider',
    table: 'provider_switches',
    id: 'r.provider',
    actions: { 'provider.take_out': 'r.is_out = 1', 'provider.put_back': 'r.is_out <> 1' },
    entry: entryOf('r.provider', 'r.changed_at', 'r.changed_by'),
  },
  'operator added': {
    name: 'operator',
    table: 'operators',
    id: 'r.name',
    actions: { 'operator.add': isAny },
    entry: entryOf('r.name', 'r.created_at'),
  },
  'operator reset': {
    name: 'operator',
    table: 'operators',
    id: 'r.name',
    where: 'r.credentials_at <> r.created_at',
    actions: { 'operator.reset': isAny },
    entry: entryOf('r.name', 'r.credentials_at'),
  },
  'operator disabled': {
    name: 'operator',
    table: 'operators',
    id: 'r.name',
    where: 'r.disabled_at IS NOT NULL',
    actions: { 'operator.disable': isAny, 'operator.reject': isAny },
    entry: entryOf('r.name', 'r.disabled_at'),
  },
}

interface MissingEntry extends ChainFault {
  readonly projectId: string
}

/** What operators did according to the books, but not according to the audit log. Shows a log whose end was cut off. */
export async function* missingEntries(read: Read): AsyncGenerator<MissingEntry> {
  for (const effect of Object.values<EffectCheck>(effects)) yield* missingOf(read, effect)
  const { entries, movements } = (await read((tx) => tx.get<{ entries: number; movements: number }>(countMovements)))!
  if (movements < entries) {
    const what = 'number of grants and withdrawals'
    yield { projectId: 'none', at: 'audit log', what, expected: entries, found: movements }
  }
}

/** The role and state of an operator, and what the audit log says last about them. */
interface OperatorStanding {
  readonly name: string
  readonly role: string
  readonly state: string
  readonly added: string | null
  readonly last: string | null
}

const lastAfter = (actions: readonly AuditAction[]) =>
  `(SELECT e.state_after FROM audit_entries e WHERE e.object = r.name
    AND e.action IN (${actions.map((action) => `'${action}'`).join(', ')}) ORDER BY e.seq DESC LIMIT 1)`

/** Locks are left out: an operator is locked before the entry that says so. */
const operatorPage = `SELECT r.name, r.role,
    CASE WHEN r.disabled_at IS NOT NULL THEN 'disabled' WHEN r.awaits_approval = 1 THEN 'pending' ELSE 'active' END AS state,
    ${lastAfter(['operator.add'])} AS added,
    ${lastAfter(['operator.add', 'operator.disable', 'operator.reset', 'operator.approve', 'operator.reject'])} AS last
  FROM operators r WHERE r.name > $1 ORDER BY r.name LIMIT $2`

/** Operators who have another role or state than the audit log says. Those without an entry are found as missing. */
export async function* changedOperators(read: Read): AsyncGenerator<MissingEntry> {
  for (let after = ''; ; ) {
    const page = await read((tx) => tx.all<OperatorStanding>(operatorPage, [after, pageRows]))
    for (const { name, role, state, added, last } of page) {
      const recorded = { ...recordedIn(last), role: recordedIn(added).role }
      const facts = { role, state }
      for (const what of ['role', 'state'] as const) {
        const expected = recorded[what]
        if (expected === undefined || expected === facts[what]) continue
        yield { projectId: 'none', at: `operator ${name}`, what, expected, found: facts[what] }
      }
    }
    if (page.length < pageRows) return
    after = page.at(-1)!.name
  }
}

const recordedIn = (text: string | null) => JSON.parse(text ?? '{}') as { role?: string; state?: string }

const movementActions = Object.keys(effects.movement.actions).map((action) => `'${action}'`)
const countMovements = `SELECT
  (SELECT COUNT(*) FROM audit_entries WHERE action IN (${movementActions.join(', ')})) AS entries,
  (SELECT COUNT(*) FROM operator_movements) AS movements`

interface EffectRow {
  readonly id: string
  readonly projectId: string
  readonly action: string
  readonly after: string | null
  readonly seq: number | null
  readonly amount?: number
  readonly reference?: string
}

async function* missingOf(read: Read, effect: EffectCheck): AsyncGenerator<MissingEntry> {
  const sql = effectPage(effect)
  for (let after = ''; ; ) {
    const page = await read((tx) => tx.all<EffectRow>(sql, [after, pageRows]))
    for (const row of page) {
      if (isRecorded(row)) continue
      const at = `${effect.name} ${row.id}`
      yield { projectId: row.projectId, at, what: `entry ${row.action}`, expected: 'one', found: 'none' }
    }
    if (page.length < pageRows) return
    after = page.at(-1)!.id
  }
}

/** The entry of a movement must also name its credits and its reference. */
function isRecorded({ seq, after, amount, reference }: EffectRow): boolean {
  if (seq === null || amount === undefined) return seq !== null
  const recorded = JSON.parse(after ?? '{}') as { credits?: number; reference?: string }
  return recorded.credits === amount && recorded.reference === reference
}

function effectPage({ table, id, where = isAny, projectId = "'none'", actions, entry }: EffectCheck): string {
  const isMovement = table === 'operator_movements'
  const cases = Object.entries(actions)
  const action = `CASE ${cases.map(([name, condition]) => `WHEN ${condition} THEN '${name}'`).join(' ')} END`
  // A CASE, not an OR: the entry is looked up by its object, never by its action.
  const isItsEntry = `CASE e.action ${cases.map(([name, condition]) => `WHEN '${name}' THEN ${condition}`).join(' ')} END`
  return `SELECT ${id} AS id, ${projectId} AS "projectId", ${action} AS action, e.seq, e.state_after AS after
      ${isMovement ? ', r.amount, r.reference' : ''}
    FROM ${table} r LEFT JOIN audit_entries e ON ${entry} AND ${isItsEntry}
    WHERE ${id} > $1 AND ${where} ORDER BY ${id} LIMIT $2`
}
