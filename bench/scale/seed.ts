import { sortableIdFloor } from '../../src/base/ids.ts'
import { tokenDigest } from '../../src/base/signatures.ts'
import { pricingVersion } from '../../src/contract/prices.ts'
import type { Writer } from '../../src/storage/engine.ts'
import { creditsPerOrder, type Store, withStore } from '../contestants/store.ts'
import { chatResponse, creditsPerCall, echoOutput, prompt } from '../workload.ts'

export interface Size {
  readonly projects: number
  readonly charges: number
}

const days = 20
const dayMs = 86_400_000
const rowsPerCommit = 20_000
const keysPerStatement = 500

/**
 * Fills an empty store with projects that paid for one order each and with the calls they settled since, spread over
 * the last days in turn: the rows that the gateway itself would have written. Returns one key per project.
 */
export function seedStore(store: Store, { projects, charges }: Size): Promise<string[]> {
  const keys = Array.from({ length: projects }, (_, place) => `gk_live_${String(place).padStart(43, '0')}`)
  const start = Date.now() - days * dayMs
  const spacingMs = Math.max(1, Math.floor((days * dayMs) / Math.max(charges, 1)))
  return withStore(store, async ({ engine }) => {
    await engine.write((tx) => insertProjects(tx, { projects, start }))
    await engine.write((tx) => insertKeys(tx, keys, start))
    for (let from = 1; from <= charges; from += rowsPerCommit) {
      const until = Math.min(from + rowsPerCommit - 1, charges)
      await engine.write(async (tx) => {
        // Skips seven million foreign key checks: the rows are correct by construction, and reconcile checks them.
        if (engine.kind === 'postgres') await tx.run('SET LOCAL session_replication_role = replica')
        await insertCharges(tx, { from, until, projects, start, spacingMs })
      })
    }
    await engine.write((tx) => closeLedgers(tx, { projects, charges }))
    if (engine.kind === 'postgres') {
      await engine.write((tx) => tx.get("SELECT setval('ledger_entry_ids', $1)", [projects + 2 * charges + 256]))
    }
    // Shuffled, so that the calls of one batch touch distant pages.
    return keys.toSorted((a, b) => (tokenDigest('api-key', a) < tokenDigest('api-key', b) ? -1 : 1))
  })
}

/** The integers from $1 to $2. */
const series = `WITH RECURSIVE series (i) AS (
  SELECT CAST($1 AS BIGINT) UNION ALL SELECT i + 1 FROM series WHERE i < CAST($2 AS BIGINT))`
/** Twelve digits, so that the text sorts like the number; the expression works on both engines. */
const digits = (expression: string) => `substr(CAST(1000000000000 + ${expression} AS TEXT), 2)`
const id = (prefix: string, expression: string) => `'${prefix}_seed' || ${digits(expression)}`
/** As long as a real digest. */
const digest = (kind: string, expression: string) => `'${kind.padEnd(31, '0')}' || ${digits(expression)}`
/**
 * Unordered, like real digests of Idempotency-Keys: ascending values would fill the index pages
 * completely, and the first calls would split every page. No two numbers share one.
 */
const scattered = (kind: string, expression: string) =>
  `${digits(`${expression} * 61803398879 % 1000000000000`)} || '${kind.padEnd(31, '0')}'`

async function insertProjects(tx: Writer, { projects, start }: { projects: number; start: number }): Promise<void> {
  const range = [0, projects - 1]
  const at = String(start)
  await tx.run(
    `INSERT INTO accounts (account_id, name, recovery_email_digest, recovery_email_masked, recovery_email_state,
      password_digest, created_at)
    ${series} SELECT ${id('acc', 'i')}, 'Personal account', ${digest('email', 'i')}, 'b***@example.com',
      'pending_verification', ${digest('password', 'i')}, ${at} FROM series`,
    range,
  )
  await tx.run(
    `INSERT INTO identities (identity_subject, account_id, phone_digest, phone_masked, verified_at)
    ${series} SELECT ${digest('subject', 'i')}, ${id('acc', 'i')}, ${digest('phone', 'i')}, '138****5678', ${at} FROM series`,
    range,
  )
  await tx.run(
    `INSERT INTO projects (project_id, account_id, name, created_at)
    ${series} SELECT ${id('prj', 'i')}, ${id('acc', 'i')}, 'Personal project', ${at} FROM series`,
    range,
  )
  await tx.run(
    `INSERT INTO orders (order_id, project_id, idempotency_digest, amount_fen, credit_amount, pricing_version, state,
      created_at, simulated_paid_at, credited_at)
    ${series} SELECT ${id('ord', 'i')}, ${id('prj', 'i')}, ${digest('order', 'i')}, ${creditsPerOrder * 10},
      ${creditsPerOrder}, '${pricingVersion}', 'credited', ${at}, ${at}, ${at} FROM series`,
    range,
  )
  await tx.run(
    `INSERT INTO credit_lots (lot_id, project_id, order_id, kind, amount, created_at)
    ${series} SELECT ${id('lot', 'i')}, ${id('prj', 'i')}, ${id('ord', 'i')}, 'simulated_prepaid', ${creditsPerOrder},
      ${at} FROM series`,
    range,
  )
  await tx.run(
    `INSERT INTO ledger_entries (entry_id, project_id, seq, kind, amount, available, reserved, charge_id, lot_id, entered_at)
    ${series} SELECT i + 1, ${id('prj', 'i')}, 1, 'credit', ${creditsPerOrder}, ${creditsPerOrder}, 0, NULL, ${id('lot', 'i')},
      ${at} FROM series`,
    range,
  )
}

async function insertKeys(tx: Writer, keys: readonly string[], start: number): Promise<void> {
  for (let from = 0; from < keys.length; from += keysPerStatement) {
    const rows = keys.slice(from, from + keysPerStatement).map((key, place) => {
      const number = String(from + place)
      return `(${id('key', number)}, ${id('prj', number)}, '${tokenDigest('api-key', key)}', 'gk_live_0000...0000',
        'models:invoke', ${start})`
    })
    await tx.run(
      `INSERT INTO api_keys (key_id, project_id, key_digest, display_prefix, scopes, created_at) VALUES ${rows.join(', ')}`,
    )
  }
}

interface ChargeRange {
  readonly from: number
  readonly until: number
  readonly projects: number
  readonly start: number
  readonly spacingMs: number
}

const response = JSON.stringify(chatResponse(echoOutput(prompt)))
const usage = JSON.stringify(chatResponse('').usage)

/** Charge i belongs to project (i - 1) % projects and is its call number (i - 1) / projects + 1. */
async function insertCharges(tx: Writer, { from, until, projects, start, spacingMs }: ChargeRange): Promise<void> {
  const range = [from, until]
  const project = `((i - 1) % ${projects})`
  const call = `((i - 1) / ${projects} + 1)`
  const at = `(${start} + i * ${spacingMs})`
  const chargeId = `'${sortableIdFloor('chg', start)}' || ${digits('i')}`
  await tx.run(
    `INSERT INTO charges (charge_id, project_id, key_id, operation, credits, pricing_version, state, idempotency_digest,
      fingerprint, isolation_version, leaves_process, instance_id, request_id, reserved_at, ended_at, usage)
    ${series} SELECT ${chargeId}, ${id('prj', project)}, ${id('key', project)}, 'model.chat', ${creditsPerCall},
      '${pricingVersion}', 'settled', ${scattered('intent', 'i')}, ${digest('fingerprint', 'i')}, 1, 0, 'ins_seed',
      ${id('req', 'i')}, ${at}, ${at}, '${usage}' FROM series`,
    range,
  )
  await tx.run(
    `INSERT INTO charge_responses (charge_id, status, body, stored_at)
    ${series} SELECT ${chargeId}, 200, CAST($3 AS TEXT), ${at} FROM series`,
    [...range, response],
  )
  // Follows the credit of its project, or the settlement of its previous charge.
  const before = `CASE WHEN i <= ${projects} THEN i ELSE ${projects} + 2 * (i - ${projects}) END`
  const reserve = `${projects} + 2 * i - 1`
  for (const [kind, seq, entry, previous, reserved] of [
    ['reserve', `2 * ${call}`, reserve, before, creditsPerCall],
    ['settle', `2 * ${call} + 1`, `${projects} + 2 * i`, reserve, 0],
  ] as const) {
    await tx.run(
      `INSERT INTO ledger_entries (entry_id, previous_id, project_id, seq, kind, amount, available, reserved, charge_id,
        lot_id, entered_at)
      ${series} SELECT ${entry}, ${previous}, ${id('prj', project)}, ${seq}, '${kind}', ${creditsPerCall},
        ${creditsPerOrder} - ${creditsPerCall} * ${call}, ${reserved}, ${chargeId}, NULL, ${at} FROM series`,
      range,
    )
  }
}

/** The sums: remaining credits, usage per key, usage per day. */
async function closeLedgers(tx: Writer, { projects, charges }: Size): Promise<void> {
  const calls = `(${Math.floor(charges / projects)} + CASE WHEN i < ${charges % projects} THEN 1 ELSE 0 END)`
  await tx.run(
    `INSERT INTO balances (project_id, available, reserved, settled, credited, entries, last_entry_id)
    ${series} SELECT ${id('prj', 'i')}, ${creditsPerOrder} - ${creditsPerCall} * ${calls}, 0,
      ${creditsPerCall} * ${calls}, ${creditsPerOrder}, 1 + 2 * ${calls}, CASE WHEN ${calls} = 0 THEN i + 1
      ELSE ${projects} + 2 * (i + 1 + (${calls} - 1) * ${projects}) END FROM series`,
    [0, projects - 1],
  )
  await tx.run(`UPDATE api_keys SET calls = (SELECT COUNT(*) FROM charges c WHERE c.project_id = api_keys.project_id)`)
  await tx.run(
    `INSERT INTO usage_days (project_id, day, operation, calls, credits)
    SELECT project_id, (ended_at + 28800000) / 86400000, operation, COUNT(*), SUM(credits) FROM charges
    GROUP BY project_id, (ended_at + 28800000) / 86400000, operation`,
  )
}
