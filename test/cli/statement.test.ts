import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArchiveDirectory } from '../../src/features/records/archives/directory.ts'
import { csvLine } from '../../src/features/records/reports/exports.ts'
import { openStatement } from '../../src/features/records/reports/statement-store.ts'
import { runCommand } from '../../testkit/gateway/run-command.ts'
import { freshStore, httpEngines } from '../../testkit/store/engines.ts'
import { type GoodHistory, writeGoodHistory } from '../features/records/reconcile/good-history.ts'

const archives = createArchiveDirectory('no archives')

describe.each(httpEngines)('statements on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  let history: GoodHistory
  beforeAll(async () => {
    fresh = await freshStore(engine)
    history = await writeGoodHistory(fresh.store)
  })
  afterAll(() => fresh.remove())

  const run = (...argv: string[]) => runCommand(fresh.database, ['statement', ...argv])

  test('the CSV of a project is exact', async () => {
    const { projectId } = history.other
    const rows = await fresh.store.read((tx) =>
      tx.all<{ id: string }>('SELECT charge_id AS id FROM charges WHERE project_id = $1', [projectId]),
    )
    const orders = await fresh.store.read((tx) =>
      tx.all<{ id: string }>("SELECT order_id AS id FROM orders WHERE project_id = $1 AND state = 'credited'", [
        projectId,
      ]),
    )
    const lines = [
      'seq,time,kind,credits,available,reserved,operation,charge,order,reference',
      `1,2026-01-02T03:04:05.006Z,credit,50,50,0,,,${orders[0]!.id},`,
      `2,2026-01-02T03:04:21.006Z,reserve,3,47,3,model.chat,${rows[0]!.id},,`,
      `3,2026-01-02T03:04:22.006Z,settle,3,47,0,model.chat,${rows[0]!.id},,`,
    ]
    expect(await run(projectId, '--csv')).toEqual({
      exitCode: 0,
      stdout: lines.map((line) => `${line}\r\n`).join(''),
      stderr: '',
    })
  })

  test('the JSON has every entry in order', async () => {
    const { entries, ...rest } = JSON.parse((await run(history.customer.projectId, '--json')).stdout)
    expect(rest).toEqual({ projectId: history.customer.projectId })
    expect(entries.map(({ seq }: { seq: number }) => seq)).toEqual(Array.from({ length: 17 }, (_, index) => index + 1))
    expect(entries[2]).toEqual({
      seq: 3,
      time: '2026-01-02T03:04:06.006Z',
      kind: 'reserve',
      credits: 3,
      available: 117,
      reserved: 3,
      operation: 'model.chat',
      charge: history.charges.reserved,
      order: null,
      reference: null,
    })
  })

  test('the table has one line per entry', async () => {
    const { stdout } = await run(history.customer.projectId)
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(18)
    expect(lines[0]).toMatch(/^seq +time +kind +credits +available +reserved +operation +charge +order +reference$/)
    expect(lines[1]).toMatch(/^ +1 {2}2026-01-02T03:04:05\.006Z {2}credit +100 +100 +0 {2}- +- +ord_\w+ +-$/)
  })

  test('a time range includes its start and not its end', async () => {
    const seqs = async (...range: string[]) =>
      JSON.parse((await run(history.other.projectId, '--json', ...range)).stdout).entries.map(
        ({ seq }: { seq: number }) => seq,
      )
    expect(await seqs('--from', '2026-01-02T03:04:21.006Z')).toEqual([2, 3])
    expect(await seqs('--to', '2026-01-02T03:04:21.006Z')).toEqual([1])
    expect(await seqs('--from', '2026-01-02T11:04:21+08:00', '--to', '2026-01-02T11:04:22+08:00')).toEqual([2])
    expect(await seqs('--from', '2026-01-02', '--to', '2026-01-03')).toEqual([1, 2, 3])
  })

  test('a ledger of many pages is complete, without entries added while it is read', async () => {
    const { projectId } = history.customer
    const pages = await openStatement(
      fresh.store,
      { projectId, from: 0, to: Number.MAX_SAFE_INTEGER },
      { archives, pageRows: 4 },
    )
    const seqs: number[] = []
    for await (const page of pages!) {
      expect(page.length).toBeLessThanOrEqual(4)
      seqs.push(...page.map(({ seq }) => seq))
      if (seqs.length === 4)
        await history.rig.orders.confirm(projectId, (await history.rig.orders.create(projectId, 100, 'late')).orderId)
    }
    expect(seqs).toEqual(Array.from({ length: 17 }, (_, index) => index + 1))
  })

  test('a bad request prints one line', async () => {
    expect(await run('prj_nobody', '--csv')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'there is no project prj_nobody\n',
    })
    expect(await run(history.other.projectId, '--csv', '--json')).toMatchObject({ exitCode: 2, stdout: '' })
    for (const time of ['yesterday', '2026-02-30', '2026-13-01', '2026-01-02T03:04', '']) {
      expect(await run(history.other.projectId, '--from', time)).toMatchObject({ exitCode: 2, stdout: '' })
    }
  })
})

test('a CSV field is quoted only where necessary', () => {
  expect(csvLine(['plain', 'a,b', 'say "x"', 'two\nlines', 'cr\r', null, 7, ''])).toBe(
    'plain,"a,b","say ""x""","two\nlines","cr\r",,7,\r\n',
  )
})
