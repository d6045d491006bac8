import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { engines } from '../../../../testkit/store/engines.ts'
import { type ArchiveRig, openArchiveRig, retentionDays } from './archive-rig.ts'
import { dayMs } from './history.ts'

describe.each(engines)('archive files on %s', (engine) => {
  let rig: ArchiveRig
  let projectId: string

  const customer = () => rig.history.customers[0]!
  const callEvery = async (days: number, calls: number) => {
    for (let call = 0; call < calls; call += 1) {
      await rig.history.settledCall(customer())
      rig.history.now += days * dayMs
    }
  }
  const pathOf = (name: string) => join(rig.path, name)

  beforeEach(async () => {
    rig = await openArchiveRig(engine, 7)
    await rig.history.addCustomers(1)
    projectId = customer().projectId
    // From 1 January on, Beijing time.
    await callEvery(6, 10)
    rig.history.now += retentionDays * dayMs
    await rig.archive({ pageEntries: 5 })
  })
  afterEach(() => rig.remove())

  test('archive files have one month each, readable lines, and modes that keep others out', async () => {
    expect(await readdir(rig.path)).toEqual(['2026-01.jsonl.gz', '2026-02.jsonl.gz'])
    const text = gunzipSync(await readFile(pathOf('2026-01.jsonl.gz'))).toString()
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const charges = lines.filter(({ type }) => type === 'charge')
    expect(charges).toHaveLength(6)
    expect(charges[0]).toMatchObject({ projectId, operation: 'model.chat', credits: 3, state: 'settled' })
    expect(lines.filter(({ type }) => type === 'entry').map(({ seq }) => seq)).toEqual(
      Array.from({ length: 13 }, (_, place) => place + 1),
    )
    expect((await stat(pathOf('2026-01.jsonl.gz'))).mode & 0o077).toBe(0)
    expect((await stat(rig.path)).mode & 0o077).toBe(0)
  })

  test('archive files that were changed are a difference', async () => {
    const file = pathOf('2026-01.jsonl.gz')
    const content = await readFile(file)
    content[content.length >> 1]! ^= 1
    await writeFile(file, content)
    expect((await rig.reconcile()).differences).toMatchObject([{ invariant: 'I6', at: '2026-01.jsonl.gz' }])
    await expect(rig.statement(projectId)).rejects.toThrow(/2026-01\.jsonl\.gz .* is not as it was recorded/)
  })

  test('archive files whose records were changed with them no longer add up to the closing balance', async () => {
    await rig.store.write((tx) => tx.run('UPDATE closing_balances SET settled = settled - 3, credited = credited - 3'))
    expect(await rig.reconcile()).toMatchObject({ isSound: false })
  })

  test('archive files that are missing are a difference, and the ledger is proven from its closing balance', async () => {
    await rename(pathOf('2026-02.jsonl.gz'), pathOf('elsewhere'))
    expect(await rig.reconcile()).toMatchObject({
      isSound: false,
      differences: [{ invariant: 'I6', at: '2026-02.jsonl.gz', expected: 'written by host-a', found: 'missing' }],
      archives: { files: 2, missing: ['2026-02.jsonl.gz'], entries: 0 },
    })
    await expect(rig.statement(projectId)).rejects.toThrow(/2026-02\.jsonl\.gz is not in .*; host-a wrote it/)
    // The other month does not need it.
    const january = { from: Date.UTC(2026, 0, 2), to: Date.UTC(2026, 0, 20) }
    expect((await rig.statement(projectId, january)).length).toBeGreaterThan(0)
  })

  test('archive files of another machine are continued in a new part, and all parts count', async () => {
    const before = await rig.statement(projectId)
    await rename(pathOf('2026-02.jsonl.gz'), pathOf('elsewhere'))
    rig.history.now = Date.UTC(2026, 1, 27)
    await callEvery(0, 2)
    rig.history.now += (retentionDays + 40) * dayMs
    const parts: string[] = []
    await rig.archive({ host: 'host-b', onNewPart: ({ fileName }) => parts.push(fileName) })
    expect(parts).toEqual(['2026-02.jsonl.gz'])
    await rename(pathOf('elsewhere'), pathOf('2026-02.jsonl.gz'))
    expect(await readdir(rig.path)).toContain('2026-02.part-2.jsonl.gz')
    const after = await rig.statement(projectId)
    expect(after.slice(0, before.length)).toEqual(before)
    expect(after).toHaveLength(before.length + 4)
    expect(await rig.reconcile()).toMatchObject({ differences: [], archives: { missing: [] } })
  })

  test('archive files of another store are never overwritten', async () => {
    await writeFile(pathOf('2026-03.jsonl.gz'), 'of another store')
    rig.history.now = Date.UTC(2026, 2, 2)
    await callEvery(1, 2)
    rig.history.now += 80 * dayMs
    await rig.archive()
    expect(await readFile(pathOf('2026-03.jsonl.gz.unrecorded-1'), 'utf8')).toBe('of another store')
    expect((await rig.reconcile()).differences).toEqual([])
  })

  test('archive files wait for a review that was not decided', async () => {
    rig.history.now += dayMs
    const chargeId = await rig.history.reviewedCall(customer())
    rig.history.now += dayMs
    await callEvery(1, 2)
    rig.history.now += 80 * dayMs
    expect((await rig.archive()).heldUp).toMatchObject([{ projectId, because: 'open charge', chargeId }])
    expect(await rig.rows('charges')).toBe(3)
    expect((await rig.reconcile()).differences).toEqual([])
  })
})
