import { expect } from 'vitest'
import type { Difference } from '../../../../src/features/records/reconcile/differences.ts'
import { type ReconcileOptions, type Report, reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import type { Value, Writer } from '../../../../src/storage/engine.ts'
import { type EngineName, freshStore } from '../../../../testkit/store/engines.ts'
import { writeGoodHistory } from './good-history.ts'

export type Tamper = (tx: Writer) => Promise<unknown>
export type Found = [Difference['invariant'], string, string, Difference['expected'], Difference['found']]

export const run =
  (sql: string, params: readonly Value[] = []): Tamper =>
  (tx) =>
    tx.run(sql, params)

/** Good books, and what reconcile finds after rows were tampered with. */
export async function openTamperedStore(engine: EngineName) {
  const { store, remove } = await freshStore(engine)
  const history = await writeGoodHistory(store)

  /** Reconciles inside the tampering transaction, and rolls it back. */
  async function reportOn(tamper: Tamper, options?: ReconcileOptions): Promise<Report> {
    const undo = new Error('undo')
    let report: Report | undefined
    const work = store.write(async (tx) => {
      await tamper(tx)
      report = await reconcile({ read: (look) => look(tx) }, options)
      throw undo
    })
    await expect(work).rejects.toBe(undo)
    return report!
  }

  async function found(tamper: Tamper, options?: ReconcileOptions): Promise<Found[]> {
    const { isSound, differenceCount, differences } = await reportOn(tamper, options)
    expect(isSound).toBe(differenceCount === 0)
    expect(differenceCount).toBe(differences.length)
    return differences.map(({ invariant, at, what, expected, found }) => [invariant, at, what, expected, found])
  }

  return { store, history, project: history.customer.projectId, charges: history.charges, reportOn, found, remove }
}
