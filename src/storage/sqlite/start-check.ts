import { statSync } from 'node:fs'
import { StoreUnusable } from '../engine.ts'
import { Connection } from './connection.ts'

/** Reading every page of a larger file would delay the start; the doctor does it. */
const largestCheckedBytes = 256 * 1024 * 1024
/** Comparing indexes with their tables is quick only while the cache holds all pages. */
const largestComparedBytes = 64 * 1024 * 1024

/**
 * After a crash, SQLite replays the log over the database, whatever they are: a log that is older than the database, or belongs to
 * another, gives pages that never were together. Reads through a connection that cannot write, so that a refused store stays as it is.
 */
export function refuseInconsistent(file: string, busyTimeoutMs: number): void {
  const reader = new Connection(file, { busyTimeoutMs, readOnly: true })
  try {
    const fault = pagesFault(reader, file) ?? booksFault(reader)
    if (fault === null) return
    throw new StoreUnusable(
      `${file} is damaged, or its log belongs to another state of it (${fault}): restore both from a backup`,
    )
  } finally {
    reader.close()
  }
}

function pagesFault(reader: Connection, file: string): string | null {
  const { size } = statSync(file)
  if (size > largestCheckedBytes) return null
  reader.exec('PRAGMA cache_size = -65536')
  const check = size > largestComparedBytes ? 'quick_check' : 'integrity_check'
  const finding = reader.get<Record<string, string>>(`PRAGMA ${check}(1)`)![check]!
  return finding === 'ok' ? null : finding.replace('*** in database main ***', '').trim().replaceAll(/\s+/g, ' ')
}

/** The newest entries, charges and balances must agree: each commit changes several of these tables. */
function booksFault(reader: Connection): string | null {
  const { found } = reader.get<{ found: number }>(countTables)!
  // An older schema, or none yet.
  if (found < 6) return null
  for (const [what, sql] of rules) {
    const row = reader.get<{ id: string | number }>(sql)
    if (row) return `${what} ${row.id}`
  }
  return null
}

const countTables = `SELECT count(*) AS found FROM sqlite_master WHERE type = 'table' AND name IN
  ('balances', 'closing_balances', 'ledger_entries', 'charges', 'audit_entries', 'audit_head')`

const recent = '(SELECT * FROM ledger_entries ORDER BY entry_id DESC LIMIT 1000)'

const rules: readonly (readonly [what: string, sql: string])[] = [
  [
    'the balance is not that of the last entry of',
    `SELECT b.project_id AS id FROM balances b LEFT JOIN ledger_entries e ON e.entry_id = b.last_entry_id
       LEFT JOIN closing_balances k ON k.project_id = b.project_id
      WHERE b.entries > COALESCE(k.entries, 0) AND (e.entry_id IS NULL OR e.project_id <> b.project_id
        OR e.seq <> b.entries OR e.available <> b.available OR e.reserved <> b.reserved) LIMIT 1`,
  ],
  [
    'no balance counts the ledger entry',
    `SELECT e.entry_id AS id FROM ${recent} e LEFT JOIN balances b ON b.project_id = e.project_id
      WHERE b.project_id IS NULL OR b.last_entry_id IS NULL OR b.last_entry_id < e.entry_id LIMIT 1`,
  ],
  [
    'the ledger has a gap before the entry',
    `SELECT e.entry_id AS id FROM ${recent} e LEFT JOIN ledger_entries p ON p.entry_id = e.previous_id
       LEFT JOIN closing_balances k ON k.project_id = e.project_id
      WHERE e.seq > COALESCE(k.entries, 0) + 1
        AND (p.entry_id IS NULL OR p.project_id <> e.project_id OR p.seq <> e.seq - 1) LIMIT 1`,
  ],
  [
    'the ledger does not have the state of the charge',
    `SELECT e.charge_id AS id FROM ${recent} e LEFT JOIN charges c ON c.charge_id = e.charge_id
      WHERE e.charge_id IS NOT NULL AND (c.charge_id IS NULL OR (c.state <> CASE e.kind WHEN 'reserve' THEN 'reserved'
          WHEN 'settle' THEN 'settled' WHEN 'release' THEN 'released' ELSE 'manual_review' END
        AND NOT EXISTS (SELECT 1 FROM ledger_entries f WHERE f.charge_id = e.charge_id AND f.entry_id > e.entry_id)))
      LIMIT 1`,
  ],
  [
    'the ledger has nothing about the charge',
    `SELECT c.charge_id AS id FROM (SELECT charge_id FROM charges ORDER BY charge_id DESC LIMIT 1000) c
      WHERE NOT EXISTS (SELECT 1 FROM ledger_entries e WHERE e.charge_id = c.charge_id) LIMIT 1`,
  ],
  [
    'the audit log does not end with the entry',
    `SELECT h.entries AS id FROM audit_head h LEFT JOIN audit_entries a ON a.seq = h.entries
      WHERE h.entries <> (SELECT COALESCE(MAX(seq), 0) FROM audit_entries)
        OR (h.entries > 0 AND (a.seq IS NULL OR a.entry_hash <> h.last_hash)) LIMIT 1`,
  ],
]
