import { expect, test } from 'vitest'
import { csvInChinese } from '../../../console/src/format/csv.ts'
import { byteOrderMark, csvLine, cutLine } from '../../../src/features/records/reports/exports.ts'

const words = {
  columns: { id: '编号', kind: '类型', note: '备注' },
  cells: { kind: (kind: string, of: (name: string) => string) => (kind === 'credit' ? `充值，${of('id')}` : kind) },
}

/** As bytes: reading the text of a file drops its byte order mark. */
const bytesOf = async (file: Blob) => Buffer.from(await file.arrayBuffer()).toString()

test('a file is translated into Chinese, and what is not a word stays as it is', async () => {
  const rows = [
    ['a-1', 'credit', 'say "hi", twice\r\nand again'],
    ['a-2', 'unheard of', '=1+1'],
    ['a-3', null, ''],
  ]
  const file = new Blob([byteOrderMark, csvLine(['id', 'kind', 'note']), ...rows.map(csvLine), cutLine(3)])
  expect(await bytesOf(await csvInChinese(file, words))).toBe(
    [
      '\uFEFF编号,类型,备注',
      'a-1,充值，a-1,"say ""hi"", twice\r\nand again"',
      `a-2,unheard of,"'=1+1"`,
      'a-3,,',
      '文件在 3 行后截断，请缩小日期范围后分批导出。\r\n',
    ].join('\r\n'),
  )
})

test('a file of many rows keeps them all, in their order', async () => {
  const rows = Array.from({ length: 5001 }, (_, i) => csvLine([`n${i}`, 'credit', null]))
  const file = new Blob([byteOrderMark, csvLine(['id', 'kind', 'note']), ...rows])
  const lines = (await bytesOf(await csvInChinese(file, words))).trimEnd().split('\r\n')
  expect(lines).toHaveLength(5002)
  expect(lines.slice(1).every((line, i) => line === `n${i},充值，n${i},`)).toBe(true)
})
