import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshStore } from '../../testkit/store/engines.ts'
import { tableUses } from './sql.ts'

const src = resolve(import.meta.dirname, '../../src')

/** The folder of src that each table and view belongs to. Only its SQL writes them, but for `otherWrites`. */
const owned: Record<string, readonly string[]> = {
  storage: [
    ...['balances', 'charges', 'reserved_charges', 'reviewable_charges', 'charge_responses', 'review_decisions'],
    ...['credit_lots', 'ledger_entries', 'operator_movements', 'usage_days'],
    ...['audit_entries', 'audit_head', 'instances', 'schema_migrations'],
  ],
  ops: ['secret_versions'],
  'operator-kit': ['approvals'],
  relay: ['snapshots'],
  'features/identity/accounts': [
    ...['accounts', 'account_requesters', 'identities', 'projects', 'sessions', 'challenges', 'rate_windows'],
    ...['totp_factors', 'passkeys', 'recovery_codes', 'factor_removals', 'pending_sign_ins', 'used_passkey_challenges'],
    'project_spending',
  ],
  'features/identity/keys': ['api_keys', 'key_budgets'],
  'features/identity/messages': ['messages'],
  'features/notifications/events': ['events'],
  'features/notifications/alerts': ['alert_settings'],
  'features/notifications/webhooks': ['webhooks', 'webhook_deliveries'],
  'features/billing/payments': [
    ...['orders', 'payments', 'payment_inbox', 'payment_refunds', 'uncredited_payments', 'payment_comparisons'],
  ],
  'features/billing/payments/simulated': ['simulated_trades', 'simulated_transactions'],
  'features/calls/media': ['media_jobs'],
  'features/calls/openai': ['pending_deliveries'],
  'features/calls/content-log': ['charge_contents'],
  'features/calls/refused-calls': ['refusal_counts', 'refused_calls'],
  'features/records/archives': [
    ...['archive_claim', 'archive_files', 'archive_pages', 'archived_idempotency_keys', 'archived_slices'],
    ...['archived_spending', 'archived_subjects', 'closing_balances'],
  ],
  'features/records/transparency': [
    ...['transparency_leaves', 'transparency_logs', 'transparency_progress', 'transparency_runs', 'transparency_tiles'],
    ...['transparency_contradictions', 'transparency_keepers', 'signing_keys'],
  ],
  'features/records/reconcile': ['reconcile_runs'],
  'features/operators': [
    ...['operators', 'operator_sessions', 'sign_in_failures', 'provider_hours', 'provider_switches'],
    ...['incidents', 'operation_calls'],
  ],
}

/** Tables that another folder writes too, and why. Take lines away, add none. */
const otherWrites: readonly { readonly by: string; readonly why: string; readonly tables: readonly string[] }[] = [
  {
    by: 'storage',
    why: 'a batch writes what commits together with credits',
    tables: [
      ...['api_keys', 'key_budgets', 'orders', 'payments', 'payment_refunds', 'approvals', 'events'],
      ...['media_jobs', 'pending_deliveries', 'charge_contents', 'snapshots', 'uncredited_payments'],
    ],
  },
  {
    by: 'features/records/archives',
    why: 'rows that are in an archive file are removed from the store in one commit with its page',
    tables: ['charges', 'charge_responses', 'review_decisions', 'ledger_entries', 'media_jobs'],
  },
  { by: 'relay', why: 'responses are pruned after their days', tables: ['charge_responses'] },
  { by: 'features/identity/accounts', why: 'suspends an account with its keys', tables: ['api_keys'] },
  { by: 'features/notifications/events', why: 'how far a project has read its events', tables: ['projects'] },
]

/** Tables that another folder reads. Take names away, add none: ask the owner instead. */
const otherReads: Record<string, readonly string[]> = {
  'features/billing/payments': ['approvals', 'credit_lots'],
  'features/calls/media': ['charges'],
  'features/calls/openai': ['charges'],
  'features/calls/reviews': ['charges', 'media_jobs', 'review_decisions', 'reviewable_charges'],
  'features/identity/accounts': ['balances'],
  'features/identity/keys': ['accounts', 'projects'],
  'features/notifications/alerts': ['projects'],
  'features/notifications/webhooks': ['projects'],
  'features/operators': [
    ...['approvals', 'balances', 'instances', 'operator_movements'],
    ...['reviewable_charges', 'usage_days'],
  ],
  'features/programs/key-api': ['api_keys', 'balances', 'charge_responses', 'charges', 'review_decisions'],
  'features/records/archives': [
    ...['balances', 'credit_lots', 'key_budgets', 'operator_movements', 'payment_refunds', 'projects'],
    ...['transparency_logs', 'transparency_progress'],
  ],
  'features/records/reconcile': [
    ...['accounts', 'approvals', 'archived_spending', 'audit_entries', 'balances', 'charge_responses', 'charges'],
    ...['closing_balances', 'credit_lots', 'key_budgets', 'ledger_entries', 'media_jobs', 'operator_movements'],
    ...['operators', 'orders', 'payment_refunds', 'payments', 'projects', 'provider_switches'],
    ...['review_decisions', 'transparency_leaves', 'transparency_progress', 'transparency_runs', 'uncredited_payments'],
    'usage_days',
  ],
  'features/records/reports': [
    ...['api_keys', 'balances', 'charge_contents', 'charges', 'credit_lots', 'events', 'ledger_entries'],
    ...['media_jobs', 'operator_movements', 'orders', 'reserved_charges', 'review_decisions'],
    ...['reviewable_charges', 'usage_days'],
  ],
  'features/records/transparency': [
    ...[
      'api_keys',
      'audit_head',
      'balances',
      'charges',
      'closing_balances',
      'credit_lots',
      'ledger_entries',
      'media_jobs',
    ],
    ...['orders', 'projects'],
  ],
  relay: ['charges', 'reserved_charges', 'reviewable_charges'],
  storage: ['accounts', 'archived_idempotency_keys', 'closing_balances', 'messages', 'projects'],
}

const texts = new Map(
  globSync('**/*.ts', { cwd: src })
    .sort()
    .map((file) => [file, readFileSync(join(src, file), 'utf8')] as const),
)
const tables = Object.values(owned).flat()
const uses = tableUses(texts, new Set(tables))

const ownerOf = new Map(Object.entries(owned).flatMap(([folder, names]) => names.map((name) => [name, folder])))

/** A capability of a wing, the operators' wing as a whole, or a folder next to the wings. */
function folderOf(file: string): string {
  const parts = file.split('/')
  const depth = parts[0] !== 'features' ? 1 : parts[1] === 'operators' ? 2 : 3
  return parts.slice(0, depth).join('/')
}

/** `folder table` for each use by a folder that does not own the table. */
const foreign = (kind: 'read' | 'write') =>
  new Set(
    uses
      .filter((use) => use.kind === kind && !use.file.startsWith(`${ownerOf.get(use.table)}/`))
      .map(({ file, table }) => `${folderOf(file)} ${table}`),
  )

const writes = foreign('write')
const permittedWrites = new Set(otherWrites.flatMap(({ by, tables }) => tables.map((table) => `${by} ${table}`)))
const permittedReads = new Set(
  Object.entries(otherReads).flatMap(([folder, names]) => names.map((table) => `${folder} ${table}`)),
)
/** A folder that may write a table may read it. */
const reads = foreign('read').difference(permittedWrites)

describe('every table', () => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  beforeAll(async () => {
    fresh = await freshStore('sqlite')
  })
  afterAll(() => fresh.remove())

  it('every table has one owner', async () => {
    const sql = `SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'`
    const existing = await fresh.store.read((tx) => tx.all<{ name: string }>(sql))
    expect(tables.toSorted()).toEqual(existing.map(({ name }) => name).toSorted())
  })

  it('every table is written by its owner alone, but for the writes that are listed here', () => {
    expect(writes.difference(permittedWrites)).toEqual(new Set())
  })

  it('every table is read by its owner alone, but for the reads that are listed here', () => {
    expect(reads.difference(permittedReads)).toEqual(new Set())
  })

  it('the lists of permitted reads and writes have no unused line', () => {
    expect(permittedWrites.difference(writes)).toEqual(new Set())
    expect(permittedReads.difference(reads)).toEqual(new Set())
  })
})

describe('the reader of SQL', () => {
  const usesIn = (files: Record<string, string>) =>
    tableUses(new Map(Object.entries(files)), new Set(['a', 'b', 'c']))
      .map(({ file, kind, table }) => `${file} ${kind}s ${table}`)
      .sort()

  it.each([
    ["'INSERT INTO a (x) VALUES ($1)'", ['writes a']],
    ["'UPDATE a SET x = 1'", ['writes a']],
    ["'DELETE FROM a WHERE x = 1'", ['writes a']],
    ["'SELECT x FROM a'", ['reads a']],
    ["'SELECT x FROM a y JOIN b z ON z.x = y.x'", ['reads a', 'reads b']],
    ["'SELECT x FROM a y, b, c z'", ['reads a', 'reads b', 'reads c']],
    ["'UPDATE a SET x = (SELECT 1 FROM b)'", ['reads b', 'writes a']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source text of a template.
    ["const t = 'a y JOIN b'; `SELECT ${x} FROM ${t} WHERE ${y}`", ['reads a', 'reads b']],
    ["rowMapper('a', {})", ['reads a']],
    ["const m = rowMapper('a', {}); m.insert(tx, {})", ['reads a', 'writes a']],
    ["write<Row>('upsert', 'a', 'x', {})", ['writes a']],
    ["claimQueue({ table: 'a', id: 'x' })", ['writes a']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source text of a template.
    ["const remove = (t) => `DELETE FROM ${t}`; remove('a')", ['writes a']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source text of a template.
    ["const count = (t) => `SELECT 1 FROM ${t}`; count('a')", ['reads a']],
    ["'from a'; 'a'", []],
  ])('%s %j', (text, expected) => {
    expect(usesIn({ 'f.ts': text })).toEqual(expected.map((use) => `f.ts ${use}`))
  })

  it('the reader of SQL follows a row mapper and a text that another file exports', () => {
    const files = {
      'x/f.ts': "export const rows = rowMapper('a', {}); export const joined = 'b, c'",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the source text of a template.
      'y/g.ts': "import { rows, joined as j } from '../x/f.ts'; rows.update(tx, {}); `SELECT 1 FROM ${j}`",
    }
    expect(usesIn(files)).toEqual(['x/f.ts reads a', 'y/g.ts reads b', 'y/g.ts reads c', 'y/g.ts writes a'])
  })
})
