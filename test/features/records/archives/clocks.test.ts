import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createArchiveDirectory } from '../../../../src/features/records/archives/directory.ts'
import type { ArchiveStore } from '../../../../src/features/records/archives/store.ts'
import { createArchiveStore } from '../../../../src/features/records/archives/store.ts'
import { engines, onDisk } from '../../../../testkit/store/engines.ts'
import { type ArchiveRig, openArchiveRig, retentionDays } from './archive-rig.ts'
import { dayMs } from './history.ts'

const minuteMs = 60_000

describe.each(engines)('the clocks of archiving on %s', (engine) => {
  let rig: ArchiveRig
  /** The clock of this machine, and what the store says of the time. */
  const archive = (own: number, times: Partial<Awaited<ReturnType<ArchiveStore['times']>>> = {}) =>
    rig.archive({
      clock: () => own,
      store: {
        ...rig.archiveStore,
        times: async () => ({ databaseMs: rig.history.now, newestEntryMs: rig.history.now, ...times }),
      },
    })

  beforeEach(async () => {
    rig = await openArchiveRig(engine, 11)
    await rig.history.addCustomers(1)
    rig.history.now += retentionDays * dayMs
    for (let call = 0; call < 3; call += 1) await rig.history.settledCall(rig.history.customers[0]!)
  })
  afterEach(() => rig.remove())

  test('the clocks of archiving stop a run whose clock is ahead of the database, or behind it', async () => {
    const { now } = rig.history
    for (const own of [now + 40 * dayMs, now + 2 * minuteMs, now - 2 * minuteMs]) {
      const { refusal, entries } = await archive(own)
      expect({ refusal, entries }).toMatchObject({ refusal: { because: 'clock' }, entries: 0 })
    }
    expect(await rig.rows('charges')).toBe(3)
  })

  test('the clocks of archiving stop a run if an entry is of the future', async () => {
    const { now } = rig.history
    expect(await archive(now, { newestEntryMs: now + 2 * minuteMs })).toMatchObject({ refusal: { because: 'clock' } })
  })

  test('the clocks of archiving keep what is young by the newest entry, if both clocks are ahead', async () => {
    const ahead = rig.history.now + 40 * dayMs
    const done = await archive(ahead, { databaseMs: ahead })
    // Only the recharge is older than the retention time.
    expect(done).toMatchObject({ refusal: null, charges: 0 })
    expect(await rig.rows('charges')).toBe(3)
  })

  test('the clocks of archiving may differ by a minute, and an idle store is archived up to its own last days', async () => {
    const later = rig.history.now + 100 * dayMs
    expect(await archive(later + minuteMs, { databaseMs: later })).toMatchObject({ refusal: null, charges: 0 })
  })

  test('the clocks of archiving come from the database and its newest entry', async () => {
    const { databaseMs, newestEntryMs } = await createArchiveStore(rig.store).times()
    expect(newestEntryMs).toBe(rig.history.now)
    // The tests run on the machine of the database.
    expect(Math.abs(databaseMs - Date.now())).toBeLessThan(10 * minuteMs)
  })

  test('the clocks of archiving do not matter where files would be lost: in memory nothing is archived', async () => {
    const path = await mkdtemp(join(process.platform === 'linux' ? '/dev/shm' : onDisk, 'gateway-test-'))
    const directory = createArchiveDirectory(join(path, 'not-made-yet', 'archives'))
    expect(await directory.isInMemory()).toBe(process.platform === 'linux')
    expect(await rig.directory().isInMemory()).toBe(false)
    rig.history.now += 100 * dayMs
    const inMemory = { ...rig.directory(), isInMemory: async () => true }
    expect(await rig.archive({ directory: inMemory })).toMatchObject({ refusal: { because: 'memory' }, entries: 0 })
    expect(await rig.rows('charges')).toBe(3)
    await rm(path, { recursive: true })
  })
})
