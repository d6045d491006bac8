import type { Reader, Value, Writer } from './engine.ts'
import type { OpenedEngine } from './open-store.ts'
import { databaseMs, placeholders } from './sql-text.ts'

/** True for rows whose column names an instance that is alive. */
export const hasLease = ({ isShared, kind }: Pick<OpenedEngine, 'isShared' | 'kind'>, column: string): string =>
  isShared
    ? `EXISTS (SELECT 1 FROM instances i WHERE i.instance_id = ${column} AND i.lease_until > ${databaseMs[kind]})`
    : // In a store that belongs to one instance, every other one is from an earlier run.
      '(1 = 0)'

interface ClaimTable {
  readonly table: string
  readonly id: string
  /** The column with the time at which a row is due; null if nothing is to be done about it. */
  readonly dueAt: string
  /** Rows that it does not hold for are never due. */
  readonly condition?: string
}

interface ClaimStatement {
  /** Selects the ids of the rows to claim. `$1` is the time, here and in `set`; the other placeholders are its own. */
  readonly candidates: string
  readonly set: string
  readonly returning: string
}

interface Adoption {
  readonly by: string
  readonly now: number
  /** The rows that this instance works on. */
  readonly underWay: readonly string[]
  /** Whether instances without a lease count as gone. */
  readonly includesOthers: boolean
}

/**
 * A table whose rows are worked on when they are due, by one instance at a time: `claimed_by` names it. A claim expires,
 * so that the rows of an instance that died are claimed by another.
 */
export function claimQueue({ table, id, dueAt, condition }: ClaimTable) {
  const isDue = `${condition ? `${condition} AND ` : ''}${dueAt} <= $1`
  return {
    /** True for rows that may be claimed at the time `$1`. */
    isDue,
    /** Cheap, so that an idle gateway writes nothing. */
    hasDue: async (tx: Reader, now: number): Promise<boolean> =>
      (await tx.get(`SELECT 1 AS found FROM ${table} WHERE ${isDue} LIMIT 1`, [now])) !== undefined,
    countDue: async (tx: Reader, now: number): Promise<number> =>
      (await tx.get<{ due: number }>(`SELECT COUNT(*) AS due FROM ${table} WHERE ${isDue}`, [now]))!.due,
    /** Of two instances at most one gets a row. For a row claimed at the same time, PostgreSQL rechecks only the outer condition. */
    claim: ({ candidates, set, returning }: ClaimStatement): string =>
      `UPDATE ${table} SET ${set} WHERE ${id} IN (${candidates}) AND ${isDue} RETURNING ${returning}`,
    /** Changes claimed rows; leaves those that another instance has claimed since. Returns how many it changed. */
    change: (tx: Writer, set: string, claimedBy: string, ids: readonly Value[]): Promise<number> =>
      tx.run(`UPDATE ${table} SET ${set} WHERE claimed_by = $1 AND ${id} IN (${placeholders(ids, 2)})`, [
        claimedBy,
        ...ids,
      ]),
    /**
     * Makes the rows due that were claimed and that no one works on, where a claim is a later `dueAt`: those of this instance
     * that are not in `underWay`, because the store failed, and those of instances that are gone.
     */
    async adopt(engine: OpenedEngine, { by, now, underWay, includesOthers }: Adoption): Promise<void> {
      const isOwn = `claimed_by = $2${underWay.length === 0 ? '' : ` AND ${id} NOT IN (${placeholders(underWay, 3)})`}`
      const isOfOthers = includesOthers ? ` OR (claimed_by <> $2 AND NOT ${hasLease(engine, 'claimed_by')})` : ''
      const isLeft = `${dueAt} > $1 AND (${isOwn}${isOfOthers})`
      const params = [now, by, ...underWay]
      const find = `SELECT 1 AS found FROM ${table} WHERE ${isLeft} LIMIT 1`
      if (!(await engine.read((tx) => tx.get(find, params)))) return
      const free = `UPDATE ${table} SET claimed_by = NULL, ${dueAt} = $1 WHERE ${isLeft}`
      await engine.write((tx) => tx.run(free, params))
    },
    /** Ends a claim; the row is due again at that time. */
    async postpone(tx: Writer, claimedBy: string, rowId: string, at: number): Promise<void> {
      const postpone = `UPDATE ${table} SET claimed_by = NULL, ${dueAt} = $3 WHERE claimed_by = $1 AND ${id} = $2`
      await tx.run(postpone, [claimedBy, rowId, at])
    },
    async remove(tx: Writer, claimedBy: string, rowId: string): Promise<void> {
      await tx.run(`DELETE FROM ${table} WHERE claimed_by = $1 AND ${id} = $2`, [claimedBy, rowId])
    },
  }
}
