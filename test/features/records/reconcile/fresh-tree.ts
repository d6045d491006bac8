import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createTree } from '../../../../testkit/receipts/tree-rig.ts'
import { type EngineName, freshStore } from '../../../../testkit/store/engines.ts'
import { addCredits, createCustomer, createRig } from '../../../../testkit/store/rig.ts'

/** A store of one project, and its tree. `grow` adds entries to both. */
export async function freshTree(engine: EngineName) {
  const fresh = await freshStore(engine)
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-tree-'))
  onTestFinished(async () => {
    await fresh.remove()
    await rm(dataDir, { recursive: true, force: true })
  })
  const rig = createRig(fresh.store)
  const { projectId } = await createCustomer(rig)
  const tree = await createTree({ engine: fresh.store, dataDir, instanceId: 'ins_1' })
  const grow = async (entries: number) => {
    for (let entry = 0; entry < entries; entry += 1) await addCredits(rig, projectId, 10)
    await tree.settle()
  }
  return { store: fresh.store, tree, grow }
}
