import type { Reader } from '../engine.ts'

/** What would survive the loss of the database's machine. */
export interface Replication {
  /** Whether commits wait for a standby (`synchronous_standby_names`). */
  readonly isRequired: boolean
  /** Standbys that commits wait for and that are connected; null if the user may not see them. */
  readonly synchronous: number | null
  /** All connected standbys. */
  readonly standbys: number
  /** How far the slowest synchronous standby is behind; null if there is none. */
  readonly lagBytes: number | null
}

export async function readReplication(tx: Reader): Promise<Replication> {
  const row = (await tx.get<
    Record<'isRequired' | 'synchronous' | 'hidden' | 'standbys', number> & Pick<Replication, 'lagBytes'>
  >(selectReplication))!
  const { isRequired, synchronous, hidden, standbys, lagBytes } = row
  return { isRequired: isRequired === 1, synchronous: hidden > 0 ? null : synchronous, standbys, lagBytes }
}

/** Only members of pg_monitor see the state of a standby. */
const selectReplication = `
  SELECT current_setting('synchronous_standby_names') <> '' AS "isRequired",
    count(pid) FILTER (WHERE sync_state IN ('sync', 'quorum')) AS synchronous,
    count(pid) FILTER (WHERE sync_state IS NULL) AS hidden,
    count(pid) AS standbys,
    max(CASE WHEN sync_state IN ('sync', 'quorum') AND NOT pg_is_in_recovery()
      THEN pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) END) AS "lagBytes"
  FROM pg_stat_replication`
