import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSortableId } from '../../src/contract/ids.ts'
import { chargedCall } from '../../src/operator/lost-calls.ts'
import { engines, freshStore } from '../support/store/engines.ts'
import { type GoodBooks, startedAt, writeGoodBooks } from './good-books.ts'
import { runCommand } from './run-command.ts'

describe.each(engines)('restore-check on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let books: GoodBooks
  beforeAll(async () => {
    fresh = await freshStore(engine)
    books = await writeGoodBooks(fresh.store)
  })
  afterAll(() => fresh.remove())

  const check = async () => {
    const { exitCode, stdout } = await runCommand(fresh.database, ['restore-check', '--json'])
    return { exitCode, ...JSON.parse(stdout) }
  }

  test('names the newest record of each kind and the open charges by state and age', async () => {
    const report = await check()
    expect(report).toMatchObject({ exitCode: 0, gaps: [], gapCount: 0, log: null })
    const { newest } = report as { newest: { what: string; at: string | null }[] }
    const at = Object.fromEntries(newest.map(({ what, at }) => [what, at]))
    expect(at['call admitted']).toBe(new Date(startedAt + 16_000).toISOString())
    expect(at['ledger entry']).toBe(new Date(startedAt + 17_000).toISOString())
    expect(at['order credited']).toBe(new Date(startedAt).toISOString())
    expect(at['operator action']).not.toBeNull()
    expect(report.openCharges).toEqual([
      {
        ...{ state: 'reserved', age: 'under a minute', forwards: true, charges: 1, credits: 3 },
        oldestAt: new Date(startedAt + 1000).toISOString(),
      },
      expect.objectContaining({ state: 'manual_review', charges: 1, credits: 3 }),
    ])
    const { stdout } = await runCommand(fresh.database, ['restore-check'])
    expect(stdout).toContain('No ledger has a gap.')
    expect(stdout).toMatch(/^manual_review +under a minute +1 .*waits for an operator$/m)
  })

  test('finds a ledger that has lost an entry in the middle or at its end, and exits with 1', async () => {
    const { projectId } = books.customer
    const entryOf = (seq: string) =>
      `SELECT entry_id FROM ledger_entries WHERE project_id = '${projectId}' AND seq = ${seq}`
    const last = `(SELECT entries FROM balances WHERE project_id = '${projectId}')`
    for (const seq of ['5', last]) {
      await fresh.store.write((tx) =>
        tx.run(`UPDATE ledger_entries SET seq = seq + 1000000 WHERE entry_id = (${entryOf(seq)})`),
      )
      expect(await check()).toMatchObject({ exitCode: 1, gapCount: 1, gaps: [{ projectId }] })
      await fresh.store.write((tx) => tx.run('UPDATE ledger_entries SET seq = seq - 1000000 WHERE seq > 1000000'))
    }
    expect(await check()).toMatchObject({ exitCode: 0, gapCount: 0 })
  })
})

test('only lines of calls that were charged or reserved count, and no replays', () => {
  const requestId = newSortableId('req', startedAt)
  const line = (changes: object) =>
    JSON.stringify({ msg: 'request', operationId: 'model.chat', requestId, status: 200, ...changes })
  const call = { requestId, at: new Date(startedAt).toISOString(), operation: 'model.chat', status: 200 }
  expect(chargedCall(line({}))).toEqual(call)
  expect(chargedCall(line({ status: 202 }))).toEqual({ ...call, status: 202 })
  expect(chargedCall(line({ operationId: 'media.jobs.create', status: 202 }))).toMatchObject({
    operation: 'media.video',
  })
  for (const other of [{ status: 502 }, { isReplay: true }, { operationId: 'me' }, { msg: 'request failed' }]) {
    expect(chargedCall(line(other))).toBeNull()
  }
  for (const text of ['', 'not JSON "request"', line({}).slice(0, -5), line({ requestId: 'req_1' })]) {
    expect(chargedCall(text)).toBeNull()
  }
})
