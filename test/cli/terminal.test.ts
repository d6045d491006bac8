import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createTerminal, table } from '../../src/cli/terminal.ts'

const collect = (into: string[]) => new Writable({ write: (chunk, _, done) => done(void into.push(String(chunk))) })
const terminalOn = (stderr: Writable & { isTTY?: boolean }, stdout: Writable = collect([])) =>
  createTerminal({ stdout, stderr }, () => {})

test('a table aligns its columns and lets no text move the cursor', () => {
  expect(
    table(
      ['name', 'credits', 'why'],
      [
        ['a', 5, null],
        ['longer', 12_345, 'x\u001b[2J\ny'],
      ],
    ),
  ).toBe(['name    credits  why', 'a             5  -', 'longer    12345  x?[2J?y', ''].join('\n'))
})

test('progress is drawn on a terminal for a large store, and cleared at the end', () => {
  const drawn: string[] = []
  const { drawProgress } = terminalOn(Object.assign(collect(drawn), { isTTY: true }))
  drawProgress!(40_000, 49_999)
  expect(drawn).toEqual([])
  for (let rows = 0; rows <= 100_000; rows += 1000) drawProgress!(rows, 100_000)
  expect(drawn).toHaveLength(20)
  expect(drawn[9]).toBe(`\r${'#'.repeat(20)}${'.'.repeat(20)} 50% of 100000 rows`)
  expect(drawn.at(-1)).toBe('\r\u001b[K')
})

test('progress is not written to a file', () => {
  expect(terminalOn(collect([])).drawProgress).toBeNull()
})

test('a long listing waits for a slow reader', async () => {
  const released: (() => void)[] = []
  const slow = new Writable({ highWaterMark: 4, write: (_chunk, _encoding, done) => void released.push(done) })
  let isTaken = false
  const printing = terminalOn(collect([]), slow)
    .print('more than fits')
    .then(() => {
      isTaken = true
    })
  await new Promise(setImmediate)
  expect(isTaken).toBe(false)
  released[0]!()
  await printing
})
