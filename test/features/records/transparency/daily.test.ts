import { expect, onTestFinished, test, vi } from 'vitest'
import { dayOf, minuteMs } from '../../../../src/base/time.ts'
import { createDailyCheckpoints } from '../../../../src/features/records/transparency/daily.ts'
import { ensureFirstLog, upsertProgress } from '../../../../src/features/records/transparency/log-store.ts'
import { writeScript } from '../../../../src/storage/engine.ts'
import { engines, freshStore } from '../../../../testkit/store/engines.ts'
import { createCustomer, createRig } from '../../../../testkit/store/rig.ts'

test.each(engines)(
  'every project is sent the checkpoint once a day, and the search for them rests, on %s',
  async (kind) => {
    const { store, remove } = await freshStore(kind)
    onTestFinished(remove)
    let now = Date.UTC(2026, 8, 3, 8)
    const rig = createRig(store, { clock: () => now })
    const [one, other] = [await createCustomer(rig), await createCustomer(rig)]
    await store.write(ensureFirstLog)
    const progress = (projectId: string, day: number) =>
      writeScript(store, upsertProgress(1, [{ projectId, from: 1, to: 1 }], day))
    for (const { projectId } of [one, other]) await progress(projectId, dayOf(now) - 1)

    const reads = vi.spyOn(store, 'read')
    const send = createDailyCheckpoints({
      engine: store,
      publisher: { current: () => ({ logNumber: 1, note: 'a checkpoint', size: 2 }) as never, isSound: () => true },
      clock: () => now,
      onEvents: () => {},
    })
    const countSent = async () => {
      const sql = "SELECT COUNT(*) AS count FROM events WHERE type = 'transparency.checkpoint'"
      return (await store.read((tx) => tx.get<{ count: number }>(sql)))!.count
    }
    await send()
    expect(await countSent()).toBe(2)
    reads.mockClear()
    for (let second = 0; second < 60; second += 1) {
      now += 1000
      await send()
    }
    expect(reads).not.toHaveBeenCalled()

    // What a failover has lost is sent again, and a new project gets its first on the next day.
    await store.write((tx) =>
      tx.run('UPDATE transparency_progress SET told_day = $1 WHERE project_id = $2', [dayOf(now) - 1, one.projectId]),
    )
    await progress((await createCustomer(rig)).projectId, dayOf(now))
    now += 10 * minuteMs
    await send()
    expect(await countSent()).toBe(3)
    now += 24 * 60 * minuteMs
    await send()
    expect(await countSent()).toBe(6)
  },
)
