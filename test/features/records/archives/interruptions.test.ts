import { appendFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ArchiveConflict } from '../../../../src/features/records/archives/records.ts'
import { engines, isFullMatrix } from '../../../../testkit/store/engines.ts'
import { type ArchiveRig, openArchiveRig } from './archive-rig.ts'
import { dayMs } from './history.ts'

const pageEntries = 6
/** The first, one in the middle, and the last. */
const pages = isFullMatrix ? [1, 2, 4] : [1, 4]
const stopped = new Error('stopped here')

describe.each(engines)('archiving that is interrupted on %s', (engine) => {
  let rig: ArchiveRig
  let before: unknown

  const statements = () => Promise.all(rig.history.customers.map(({ projectId }) => rig.statement(projectId)))
  beforeEach(async () => {
    rig = await openArchiveRig(engine, 5)
    await rig.history.addCustomers(2)
    for (let call = 0; call < 9; call += 1) {
      for (const customer of rig.history.customers) await rig.history.settledCall(customer)
      rig.history.now += dayMs
    }
    rig.history.now += 60 * dayMs
    before = await statements()
  })
  afterEach(() => rig.remove())

  /** Nothing lost, nothing twice, and the next run moves the rest. */
  async function expectWhole(): Promise<void> {
    expect(await statements()).toEqual(before)
    expect((await rig.reconcile()).differences).toEqual([])
    await rig.archive({ pageEntries })
    expect(await rig.rows('ledger_entries')).toBe(rig.history.customers.length)
    expect(await statements()).toEqual(before)
    expect(await rig.reconcile()).toMatchObject({ differences: [], archives: { missing: [] } })
  }

  test.each(pages)('archiving that is interrupted before a page is written: page %d', async (page) => {
    const directory = rig.directory()
    let appended = 0
    const append: typeof directory.append = (...file) => {
      appended += 1
      return appended === page ? Promise.reject(stopped) : directory.append(...file)
    }
    await expect(rig.archive({ pageEntries, directory: { ...directory, append } })).rejects.toBe(stopped)
    await expectWhole()
  })

  test.each(pages)(
    'archiving that is interrupted after a page was written and before the store knows of it: page %d',
    async (page) => {
      let committed = 0
      const commit: typeof rig.archiveStore.commit = (...parts) => {
        committed += 1
        return committed === page ? Promise.reject(stopped) : rig.archiveStore.commit(...parts)
      }
      await expect(rig.archive({ pageEntries, store: { ...rig.archiveStore, commit } })).rejects.toBe(stopped)
      await expectWhole()
    },
  )

  test('archiving that is interrupted in the middle of a write, with half a page behind the recorded bytes', async () => {
    await rig
      .archive({ pageEntries, store: { ...rig.archiveStore, commit: onlyFirst(rig.archiveStore.commit) } })
      .catch((error) => expect(error).toBe(stopped))
    const [name] = await readdir(rig.path)
    await appendFile(join(rig.path, name!), 'half a page')
    await expectWhole()
  })

  test('archiving that is interrupted by another program that took over: its page is refused as a whole', async () => {
    const commit: typeof rig.archiveStore.commit = async (page, claim) => {
      await rig.archiveStore.unclaim(claim.holder)
      expect(await rig.archiveStore.claim('another')).toBe(true)
      return rig.archiveStore.commit(page, claim)
    }
    const entries = await rig.rows('ledger_entries')
    const run = rig.archive({ pageEntries, store: { ...rig.archiveStore, commit } })
    await expect(run).rejects.toBeInstanceOf(ArchiveConflict)
    expect(await rig.rows('ledger_entries')).toBe(entries)
    expect(await rig.archive({ pageEntries })).toMatchObject({ refusal: { because: 'busy' }, entries: 0 })
    await rig.archiveStore.unclaim('another')
    await expectWhole()
  })

  test('a claim by a clock that was ahead stops no other program', async () => {
    const claimUntil = (ms: number) =>
      rig.store.write((tx) => tx.run("UPDATE archive_claim SET claimed_by = 'dead', claim_until = $1", [ms]))
    await claimUntil(Date.now() + 30_000)
    expect(await rig.archive({ pageEntries })).toMatchObject({ refusal: { because: 'busy' } })
    await claimUntil(Date.now() + 3_600_000)
    expect(await rig.archive({ pageEntries })).toMatchObject({ refusal: null })
  })

  test('archiving that is interrupted by a signal: the page under way is finished, and no other is begun', async () => {
    const stopping = new AbortController()
    const commit: typeof rig.archiveStore.commit = (...parts) => {
      stopping.abort()
      return rig.archiveStore.commit(...parts)
    }
    const done = await rig.archiver({ pageEntries, store: { ...rig.archiveStore, commit } }).run(stopping.signal)
    expect(done.pages).toBe(1)
    await expectWhole()
  })
})

function onlyFirst<Args extends unknown[]>(work: (...args: Args) => Promise<void>) {
  let calls = 0
  return (...args: Args): Promise<void> => {
    calls += 1
    return calls === 1 ? work(...args) : Promise.reject(stopped)
  }
}
