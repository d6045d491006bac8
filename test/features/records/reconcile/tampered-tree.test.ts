import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { createTree } from '../../../../testkit/receipts/tree-rig.ts'
import { engines, freshStore } from '../../../../testkit/store/engines.ts'
import { addCredits, createCustomer, createRig } from '../../../../testkit/store/rig.ts'
import { tamperedTrees } from './tampered-trees.ts'

/** A store whose tree has the entries of one project. */
async function grownTree(engine: (typeof engines)[number]) {
  const fresh = await freshStore(engine)
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-tree-'))
  onTestFinished(async () => {
    await fresh.remove()
    await rm(dataDir, { recursive: true, force: true })
  })
  const rig = createRig(fresh.store)
  const { projectId } = await createCustomer(rig)
  for (let entry = 0; entry < 5; entry += 1) await addCredits(rig, projectId, 10)
  const tree = await createTree({ engine: fresh.store, dataDir, instanceId: 'ins_1' })
  await tree.settle()
  return { store: fresh.store, tree }
}

describe.each(engines)('a tampered tree on %s', (engine) => {
  test.each(tamperedTrees)('%s is found by reconcile', async (_, tamper) => {
    const { store, tree } = await grownTree(engine)
    await store.write(tamper)
    const { differences } = await reconcile(store, { kept: tree.publisher.current() })
    expect(differences.filter(({ invariant }) => invariant === 'I10')).not.toEqual([])
  })
})
