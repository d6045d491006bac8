import { expect, test } from 'vitest'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import type { Engine, Reader } from '../../../../src/storage/engine.ts'
import { engines } from '../../../../testkit/store/engines.ts'
import { freshTree } from './fresh-tree.ts'

test.each(engines)(
  'reconcile reads the runs of a project together on %s, however many steps made them',
  async (engine) => {
    const { store, grow } = await freshTree(engine)
    const reads: number[] = []
    for (let steps = 1; steps <= 8; steps += 1) {
      await grow(1)
      const counted = countedReads(store)
      expect((await reconcile(counted.engine)).differences).toEqual([])
      reads.push(counted.statements())
    }
    expect(reads.at(-1)).toBe(reads[0])
  },
)

/** The store, and how many statements its reads have run. */
function countedReads(store: Pick<Engine, 'read'>) {
  let statements = 0
  const counted = (tx: Reader): Reader => ({
    all: (...statement) => {
      statements += 1
      return tx.all(...statement)
    },
    get: (...statement) => {
      statements += 1
      return tx.get(...statement)
    },
  })
  const engine: Pick<Engine, 'read'> = { read: (work) => store.read((tx) => work(counted(tx))) }
  return { engine, statements: () => statements }
}
