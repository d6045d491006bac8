import type { Writer } from '../../src/storage/engine.ts'
import type { Store } from './engines.ts'
import { type Customer, createCustomer, createRig } from './rig.ts'

export interface BusyProjects {
  /** Has the requested number of charges, newer than all others. */
  readonly busy: Customer
  /** Has a fifth as many, all older than those of the busy one. */
  readonly quiet: Customer
}

const at = 1_700_000_000_000
const part = 20_000

/** Two projects with charges, entries and orders, generated in SQL: 100,000 take a few seconds. */
export async function seedBusyProjects(store: Store, count: number): Promise<BusyProjects> {
  const rig = createRig(store)
  const [busy, quiet] = [await createCustomer(rig), await createCustomer(rig)]
  await store.write((tx) => seedLot(tx, busy))
  const fifth = { first: 1, last: count / 5 }
  await store.write((tx) => seedCharges(tx, quiet, 'chg_0A', fifth))
  await store.write((tx) => seedEntries(tx, quiet, 'chg_0A', { ...fifth, past: 0 }))
  for (let first = 1; first <= count; first += part) {
    const range = { first, last: Math.min(first + part - 1, count) }
    await store.write((tx) => seedCharges(tx, busy, 'chg_0V', range))
    await store.write((tx) => seedEntries(tx, busy, 'chg_0V', { ...range, past: 2 * fifth.last }))
  }
  await store.write((tx) => seedOrders(tx, busy, fifth))
  if (store.kind === 'postgres') {
    // What autovacuum would do after so many inserts.
    for (const table of ['charges', 'ledger_entries', 'orders', 'api_keys']) {
      await store.write((tx) => tx.run(`ANALYZE ${table}`))
    }
  }
  return { busy, quiet }
}

const numbers = ({ first, last }: Range) =>
  `WITH RECURSIVE n (i) AS (SELECT ${first} UNION ALL SELECT i + 1 FROM n WHERE i < ${last})`

interface Range {
  readonly first: number
  readonly last: number
}

/** Every 500th call is in review, and one failed. */
const stateOf = (inReview: string, released: string, settled: string) =>
  `WHEN i % 500 = 0 THEN '${inReview}' WHEN i = 7 THEN '${released}' ELSE '${settled}'`

const digits = 'substr(CAST(1000000000 + i AS TEXT), 2)'

async function seedCharges(tx: Writer, { projectId, keyId }: Customer, prefix: string, range: Range): Promise<void> {
  await tx.run(
    `${numbers(range)} INSERT INTO charges (charge_id, project_id, key_id, operation, credits, pricing_version, state,
      fingerprint, isolation_version, leaves_process, instance_id, request_id, reserved_at, ended_at)
    SELECT '${prefix}' || ${digits}, $1, $2, CASE WHEN i % 3 = 0 THEN 'model.chat' ELSE 'pick.search' END, 3, 'v1',
      CASE ${stateOf('manual_review', 'released', 'settled')} END,
      'f', 1, 0, 'ins_1', 'req_1', ${at} + i, ${at} + i FROM n`,
    [projectId, keyId],
  )
}

/** Two per charge, as if calls never overlapped; ids continue after the existing ones. */
async function seedEntries(
  tx: Writer,
  { projectId }: Customer,
  prefix: string,
  { past, ...range }: Range & { past: number },
): Promise<void> {
  for (const [kind, seq] of [
    ["'reserve'", '2 * i - 1'],
    [`CASE ${stateOf('review', 'release', 'settle')} END`, '2 * i'],
  ]) {
    await tx.run(
      `${numbers(range)} INSERT INTO ledger_entries (entry_id, previous_id, project_id, seq, kind, amount, available,
        reserved, charge_id, entered_at)
      SELECT ${past} + ${seq}, CASE WHEN ${seq} > 1 THEN ${past} + ${seq} - 1 END, $1, ${seq}, ${kind}, 3, 0, 0,
        '${prefix}' || ${digits}, ${at} + i FROM n`,
      [projectId],
    )
  }
  const last = 2 * range.last
  const held = 3 * Math.floor(range.last / 500)
  await tx.run(
    'UPDATE balances SET entries = $2, last_entry_id = $3, reserved = $4, credited = $4 WHERE project_id = $1',
    [projectId, last, past + last, held],
  )
}

async function seedOrders(tx: Writer, { projectId }: Customer, range: Range): Promise<void> {
  await tx.run(
    `${numbers(range)} INSERT INTO orders (order_id, project_id, idempotency_digest, amount_fen, credit_amount,
      pricing_version, state, created_at)
    SELECT 'ord_' || $1 || ${digits}, $2, ${digits}, 100, 10, 'v1', 'pending', ${at} + i FROM n`,
    [projectId.replace('_', ''), projectId],
  )
}

async function seedLot(tx: Writer, { projectId }: Customer): Promise<void> {
  for (let day = 0; day < 90; day += 1) {
    await tx.run(
      `INSERT INTO usage_days (project_id, day, operation, calls, credits)
      VALUES ($1, $2, 'model.chat', 500, 1500), ($1, $2, 'pick.search', 500, 1500)`,
      [projectId, 19_700 + day],
    )
  }
}
