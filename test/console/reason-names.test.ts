import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { reasonNames } from '../../console/src/format/reason-names.ts'
import { outcomeTable } from '../../src/providers/outcome-table.ts'

test('the console has words in each language for every ending that nobody can tell', () => {
  const endings = Object.values(outcomeTable).filter(({ kind }) => kind === 'uncertain')
  expect(endings.length).toBeGreaterThan(0)
  for (const { when } of endings) expect(reasonNames).toHaveProperty([when])
})

test('the console knows the words that recovery and the relay write', () => {
  const written = ['../../src/relay/recover.ts', '../../src/relay/forward.ts', '../../src/operations/never-throw.ts']
    .map((path) => readFileSync(new URL(path, import.meta.url), 'utf8'))
    .join('\n')
  const reasons = [...written.matchAll(/'((?:the|our) [a-z ]+)'/g)].map(([, reason]) => reason!)
  expect(reasons.length).toBeGreaterThanOrEqual(3)
  for (const reason of reasons) expect(reasonNames).toHaveProperty([reason])
})
