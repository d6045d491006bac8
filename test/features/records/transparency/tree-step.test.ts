import { createHmac, createSecretKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { entryText, type LedgerRow, saltedLeaf, saltOf } from '../../../../src/features/records/transparency/leaves.ts'
import { buildStep } from '../../../../src/features/records/transparency/tree-step.ts'

const saltKey = createSecretKey(Buffer.alloc(32, 9))
const row = (projectId: string, seq: number): LedgerRow => ({
  ...{ entryId: 1000 + seq, projectId, seq, kind: 'reserve', amount: 3, available: 97, reserved: 3 },
  ...{ chargeId: seq % 2 === 0 ? `chg_${seq}` : null, lotId: null, at: 1_763_436_000_007 + seq },
})
/** As the store selects it. */
const pageOf = (rows: readonly LedgerRow[]) =>
  rows
    .map(({ entryId, projectId, seq, kind, amount, available, reserved, chargeId, lotId, at }) =>
      [entryId, projectId, seq, kind, amount, available, reserved, chargeId ?? '', lotId ?? '', at].join('\x1f'),
    )
    .join('\x1e')

test('salts are HMACs of the entry, for short and long names', () => {
  for (const text of ['prj_1/1', `prj_${'x'.repeat(200)}/12`, '项目/3']) {
    const hmac = createHmac('sha256', saltKey).update(text).digest().subarray(0, 16).toString('base64')
    expect(saltOf(saltKey, text)).toBe(hmac)
  }
})

test.each(['prj_plain', 'a "quoted" \\ 项目'])(
  'leaves of %s are hashes of the canonical entry and its salt',
  (projectId) => {
    const rows = Array.from({ length: 300 }, (_, index) => row(projectId, index + 1))
    const pages = [pageOf(rows.toReversed())]
    const ranges = [{ projectId, from: 1, to: 300 }]
    const { size, tiles, runs } = buildStep({ size: 0, edge: [], saltKey, own: null, pages, ranges })
    expect([size, runs.map(({ from, to }) => [from, to])]).toEqual([
      300,
      [
        [1, 256],
        [257, 300],
      ],
    ])
    const stored = Buffer.concat(
      tiles.filter(({ level }) => level === 0).map(({ hashes }) => Buffer.from(hashes, 'base64')),
    )
    const expected = rows.map((entry) => saltedLeaf(entryText(entry), saltOf(saltKey, `${projectId}/${entry.seq}`)))
    expect(stored.equals(Buffer.concat(expected))).toBe(true)
  },
)

test('a step fails if one of its entries was not read', () => {
  const pages = [pageOf([row('prj_1', 1), row('prj_1', 3)])]
  const ranges = [{ projectId: 'prj_1', from: 1, to: 3 }]
  expect(() => buildStep({ size: 0, edge: [], saltKey, own: null, pages, ranges })).toThrow('was not read')
})
