import { expect, test } from 'vitest'
import { newSortableId } from '../../../../src/base/ids.ts'
import { createRefusalStore } from '../../../../src/features/calls/refused-calls/store.ts'
import { findAnything } from '../../../../src/features/operators/lookup/search.ts'
import { engines, freshStore } from '../../../../testkit/store/engines.ts'
import { createCustomer, createRig } from '../../../../testkit/store/rig.ts'

test.each(engines)('a request that was refused without a charge leads to its account on %s', async (engine) => {
  const { store, remove } = await freshStore(engine)
  try {
    const { projectId, keyId } = await createCustomer(createRig(store))
    const at = Date.now()
    const requestId = newSortableId('req', at)
    const refused = { projectId, keyId, requestId, operation: 'model.chat', code: 'INVALID_PROMPT' }
    await createRefusalStore(store, () => at).write({ counts: [], calls: [refused] })
    const archives = { ownerOf: async () => null }
    const readKeyring = () => Promise.reject(new Error('no contact is looked for'))
    for (const wanted of [requestId, requestId.slice(0, 14)]) {
      const [item] = await findAnything({ engine: store, archives, readKeyring }, wanted)
      expect(item).toMatchObject({ kind: 'request', id: requestId, projectId, label: 'INVALID_PROMPT' })
      expect(item!.path).toBe(`/accounts/${item!.accountId}`)
    }
  } finally {
    await remove()
  }
})
