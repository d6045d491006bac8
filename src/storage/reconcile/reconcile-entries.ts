import type { EntryRecord } from '../../ledger/commands.ts'
import type { Reader } from '../engine.ts'
import type { Range } from './range.ts'

export interface EntryPage {
  readonly pastEntryId: number
  readonly untilEntryId: number
  readonly limit: number
}

/** The newest entry of all projects; 0 if there is none. */
export const lastEntryId = async (tx: Reader): Promise<number> =>
  (await tx.get<{ last: number }>('SELECT COALESCE(MAX(entry_id), 0) AS last FROM ledger_entries'))!.last

/** The ledger entries of a range of projects, in the order of their ids. */
export const entryPage = (
  tx: Reader,
  { after, until }: Range,
  { pastEntryId, untilEntryId, limit }: EntryPage,
): Promise<EntryRecord[]> =>
  tx.all<EntryRecord>(
    `SELECT ${columns} FROM ledger_entries e
    WHERE entry_id > $1 AND entry_id <= $2 AND project_id > $3 AND project_id <= $4 ORDER BY entry_id LIMIT $5`,
    [pastEntryId, untilEntryId, after, until, limit],
  )

/** The entries of one project past `pastEntryId`, in the order of their ids. */
export const entriesOf = (
  tx: Reader,
  projectId: string,
  { pastEntryId, limit }: Omit<EntryPage, 'untilEntryId'>,
): Promise<EntryRecord[]> =>
  tx.all<EntryRecord>(
    `SELECT ${columns} FROM ledger_entries e WHERE entry_id > $1 AND project_id = $2 ORDER BY entry_id LIMIT $3`,
    [pastEntryId, projectId, limit],
  )

/** The chain of entries from `lastEntryId` back to `pastEntryId`, which is excluded, in the order of their ids. */
export const entriesBack = (
  tx: Reader,
  { lastEntryId, pastEntryId }: { lastEntryId: number; pastEntryId: number },
): Promise<EntryRecord[]> =>
  tx.all<EntryRecord>(
    // Ids fall from each entry to the one before, so that damaged links cannot form a circle.
    `WITH RECURSIVE back (entry_id, previous_id) AS (
      SELECT entry_id, previous_id FROM ledger_entries WHERE entry_id = $1
      UNION ALL
      SELECT e.entry_id, e.previous_id FROM back JOIN ledger_entries e ON e.entry_id = back.previous_id
      WHERE e.entry_id > $2 AND e.entry_id < back.entry_id
    ) SELECT ${columns} FROM back JOIN ledger_entries e ON e.entry_id = back.entry_id ORDER BY e.entry_id`,
    [lastEntryId, pastEntryId],
  )

const columns = `e.entry_id AS "entryId", e.previous_id AS "previousId",
  e.project_id AS "projectId", e.seq, e.kind, e.amount, e.available, e.reserved,
  e.charge_id AS "chargeId", e.lot_id AS "lotId", e.entered_at AS at`
