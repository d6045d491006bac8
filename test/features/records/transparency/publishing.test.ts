import * as files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { systemTimers, type Timer, useTimers } from '../../../../src/base/timers.ts'
import { keepWith, keptCheckpointFile } from '../../../../src/features/records/transparency/publisher.ts'
import type { SequencerDeps } from '../../../../src/features/records/transparency/sequencer.ts'
import { createTree } from '../../../../testkit/receipts/tree-rig.ts'
import { engines, freshStore } from '../../../../testkit/store/engines.ts'
import { addCredits, createCustomer, createRig } from '../../../../testkit/store/rig.ts'

test.each(engines)(
  'checkpoints are signed at the ticks of a timer, not when calls are charged, on %s',
  async (engine) => {
    const fresh = await freshStore(engine)
    const rig = createRig(fresh.store)
    const { projectId } = await createCustomer(rig)
    let reads = 0
    const counted: SequencerDeps['engine'] = {
      kind: fresh.store.kind,
      read: (work) => {
        reads += 1
        return fresh.store.read(work)
      },
      write: (work) => fresh.store.write(work),
    }
    const tree = createTree({ engine: counted, dataDir: fresh.database.dataDir })
    await addCredits(rig, projectId, 10)
    const ticks: (() => void)[] = []
    const timer: Timer = { cancel: () => {}, unref: () => timer }
    useTimers({
      ...systemTimers,
      every(ms, work) {
        expect(ms).toBe(1000)
        ticks.push(work)
        return timer
      },
    })
    tree.start()
    useTimers(systemTimers)
    const served = () => tree.publisher.current()?.size ?? 0
    const signs = (size: number) => vi.waitFor(() => expect(served()).toBe(size), { timeout: 10_000, interval: 10 })
    try {
      // The first leaf of a day is the audit head.
      await signs(2)
      const readBefore = reads
      for (let call = 0; call < 5; call += 1) await addCredits(rig, projectId, 10)
      expect([served(), reads]).toEqual([2, readBefore])
      ticks[0]!()
      await signs(7)
      expect(ticks).toHaveLength(1)
    } finally {
      await tree.stop()
      await fresh.remove()
    }
  },
)

test('the kept checkpoint is on disk under its name before it is served', async () => {
  const dataDir = await files.mkdtemp(join(tmpdir(), 'gateway-kept-'))
  const file = keptCheckpointFile(dataDir)
  const done: string[] = []
  const names = new Map<unknown, string>([
    [file, 'file'],
    [dirname(file), 'directory'],
    [dataDir, 'data directory'],
  ])
  const nameOf = (path: unknown) => names.get(path) ?? 'new file'
  const keep = keepWith({
    mkdir: files.mkdir,
    async open(path, ...more) {
      const handle = await files.open(path, ...more)
      vi.spyOn(handle, 'sync').mockImplementation(async () => void done.push(`sync ${nameOf(path)}`))
      return handle
    },
    async rename(from, to) {
      done.push(`rename ${nameOf(from)} to ${nameOf(to)}`)
      await files.rename(from, to)
    },
  })
  await keep(file, 'a checkpoint')
  const kept = ['sync new file', 'rename new file to file', 'sync directory']
  expect(done).toEqual(['sync data directory', ...kept])
  done.length = 0
  await keep(file, 'a checkpoint')
  expect(done).toEqual(kept)
  expect(await files.readFile(file, 'utf8')).toBe('a checkpoint')
  await files.rm(dataDir, { recursive: true })
})
