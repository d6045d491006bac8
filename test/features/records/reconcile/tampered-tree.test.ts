import { describe, expect, test } from 'vitest'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { engines } from '../../../../testkit/store/engines.ts'
import { freshTree } from './fresh-tree.ts'
import { tamperedTrees } from './tampered-trees.ts'

describe.each(engines)('a tampered tree on %s', (engine) => {
  test.each(tamperedTrees)('%s is found by reconcile', async (_, tamper) => {
    const { store, tree, grow } = await freshTree(engine)
    await grow(5)
    await store.write(tamper)
    const { differences } = await reconcile(store, { kept: tree.publisher.current() })
    expect(differences.filter(({ invariant }) => invariant === 'I10')).not.toEqual([])
  })
})
