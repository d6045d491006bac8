import type { Migration } from './migration.ts'

const chain = `SELECT project_id, seq, ROW_NUMBER() OVER (ORDER BY project_id, seq) AS entry_id FROM ledger_entries`
const linked = `SELECT project_id, seq, entry_id,
    LAG(entry_id) OVER (PARTITION BY project_id ORDER BY seq) AS previous_id FROM (${chain}) chain`

const columns = 'project_id, seq, kind, amount, available, reserved, charge_id, lot_id, entered_at'

/** For both engines, once the entries have their ids. */
const ends = [
  `UPDATE balances SET last_entry_id = ends.entry_id
    FROM (SELECT project_id, MAX(entry_id) AS entry_id FROM ledger_entries GROUP BY project_id) ends
    WHERE ends.project_id = balances.project_id`,
  'CREATE INDEX ledger_entries_by_number ON ledger_entries (project_id, seq) WHERE seq % 32 = 0',
  'CREATE INDEX ledger_entries_by_lot ON ledger_entries (lot_id) WHERE lot_id IS NOT NULL',
]

/**
 * An entry names the one before it in its project, and the balance names the last. That is the order of a ledger; an index
 * of all its numbers, in which every call changed two far-off pages, said it once more. Every 32nd entry is still in it,
 * so that any place of a long ledger is found. `reconcile` follows the chain from end to end. A gateway of an
 * earlier version, which names no entry before its own, is refused by the last check.
 */
export const ledgerChain: Migration = {
  version: 6,
  name: 'ledger-chain',
  statements: ['ALTER TABLE balances ADD COLUMN last_entry_id BIGINT'],
  own: {
    sqlite: [
      `CREATE TABLE chained_entries (
        entry_id INTEGER NOT NULL PRIMARY KEY,
        previous_id INTEGER,
        project_id TEXT NOT NULL REFERENCES projects (project_id),
        seq INTEGER NOT NULL CHECK (seq > 0),
        kind TEXT NOT NULL CHECK (kind = 'credit' OR kind = 'reserve' OR kind = 'settle' OR kind = 'release' OR kind = 'review'),
        amount INTEGER NOT NULL CHECK (amount > 0),
        available INTEGER NOT NULL CHECK (available >= 0),
        reserved INTEGER NOT NULL CHECK (reserved >= 0),
        charge_id TEXT REFERENCES charges (charge_id),
        lot_id TEXT REFERENCES credit_lots (lot_id),
        entered_at INTEGER NOT NULL,
        CHECK ((seq = 1) = (previous_id IS NULL))
      ) STRICT`,
      `INSERT INTO chained_entries (entry_id, previous_id, ${columns})
        SELECT entry_id, previous_id, ${columns} FROM (${linked}) linked JOIN ledger_entries USING (project_id, seq)
        ORDER BY entry_id`,
      'DROP TABLE ledger_entries',
      'ALTER TABLE chained_entries RENAME TO ledger_entries',
      'CREATE INDEX ledger_entries_by_charge ON ledger_entries (charge_id)',
      ...ends,
    ],
    postgres: [
      // A batch draws one number and uses it and the 255 that follow.
      'CREATE SEQUENCE ledger_entry_ids INCREMENT BY 256',
      'ALTER TABLE ledger_entries ADD COLUMN entry_id BIGINT, ADD COLUMN previous_id BIGINT',
      `UPDATE ledger_entries e SET entry_id = linked.entry_id, previous_id = linked.previous_id
        FROM (${linked}) linked WHERE e.project_id = linked.project_id AND e.seq = linked.seq`,
      `ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_pkey,
        ALTER COLUMN entry_id SET DEFAULT nextval('ledger_entry_ids'), ADD PRIMARY KEY (entry_id),
        ADD CHECK ((seq = 1) = (previous_id IS NULL))`,
      'ALTER SEQUENCE ledger_entry_ids OWNED BY ledger_entries.entry_id',
      "SELECT setval('ledger_entry_ids', (SELECT COALESCE(MAX(entry_id), 0) + 256 FROM ledger_entries))",
      ...ends,
    ],
  },
}
