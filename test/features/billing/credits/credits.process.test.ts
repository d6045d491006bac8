import { expect, onTestFinished, test } from 'vitest'
import { reconcile } from '../../../../src/features/records/reconcile/reconcile.ts'
import { spawnCommand } from '../../../../testkit/gateway/run-command.ts'
import { freshStore, httpEngines } from '../../../../testkit/store/engines.ts'
import { createCustomer, createRig } from '../../../../testkit/store/rig.ts'

test.each(httpEngines)('on %s the same reference granted by several processes at once counts once', async (engine) => {
  const fresh = await freshStore(engine)
  onTestFinished(() => fresh.remove())
  const rig = createRig(fresh.store)
  const { projectId } = await createCustomer(rig)
  const argv = ['credits', 'grant', projectId, '7', '--reference', 'at once', '--reason', 'paid', '--json']
  const before = await rig.stores.creditsOf(projectId)
  const ran = await Promise.all([1, 2, 3].map(() => spawnCommand(fresh.database, argv)))
  expect(ran.map(({ stderr, exitCode }) => ({ stderr, exitCode }))).toEqual(Array(3).fill({ stderr: '', exitCode: 0 }))
  const results = ran.map(({ stdout }) => JSON.parse(stdout))
  expect(results.filter(({ replayed }) => !replayed)).toHaveLength(1)
  expect(new Set(results.map(({ balance }) => balance.available))).toEqual(new Set([before.available + 7]))
  expect((await reconcile(fresh.store)).differences).toEqual([])
})
