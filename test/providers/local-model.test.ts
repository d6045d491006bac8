import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CompletionResponse } from '../../src/providers/models/completion.ts'
import { createLocalModel } from '../../src/providers/models/local.ts'
import { countUnits } from '../../src/providers/models/units.ts'
import { anyChar } from '../../testkit/http/any-char.ts'

const local = createLocalModel({
  adapter: 'local',
  models: ['local-small', 'local-large'],
  maxPromptChars: 8000,
  maxOutputTokens: 4096,
})
const ask = async (prompt: string, model = 'local-small'): Promise<CompletionResponse & { output: string }> => {
  const outcome = await local.complete({
    model,
    body: { messages: [{ role: 'user', content: prompt }] },
    projectId: 'prj_1',
  })
  if (outcome.kind !== 'confirmed') throw new Error(outcome.kind)
  return { ...outcome.value, output: outcome.value.content! }
}

describe('the local model', () => {
  it('the local model always gives the same output, and its units add up', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyChar, minLength: 1 }), async (prompt) => {
        const answer = await ask(prompt)
        expect(await ask(prompt)).toEqual(answer)
        expect(answer.totalUnits).toBe(answer.inputUnits + answer.outputUnits)
        expect(answer.inputUnits).toBe(countUnits(prompt))
        expect(answer.output.isWellFormed()).toBe(true)
      }),
    )
  })

  it('the local model replies in the language of the prompt', async () => {
    expect((await ask('用一句话介绍杭州。')).output).toMatch(
      /^这是本地模型 local-small 的示例回答.*“用一句话介绍杭州。”/,
    )
    expect((await ask('用 React 写一个表格')).output).toMatch(/^这是/)
    expect((await ask('Describe Hangzhou in one sentence.')).output).toMatch(/^This is a sample response.*“Describe/)
    expect((await ask('What does 你好 mean in English, please?')).output).toMatch(/^This is/)
  })

  it('the local model quotes only the start of a long prompt', async () => {
    expect(Array.from((await ask('长'.repeat(5000))).output).length).toBeLessThan(250)
  })

  it.each([
    ['  one\n\ttwo  three four\u3000 \n', 'one two three four'],
    ['a'.repeat(80), 'a'.repeat(80)],
    ['a'.repeat(81), `${'a'.repeat(80)}…`],
    ['😀'.repeat(80), '😀'.repeat(80)],
    ['😀'.repeat(81), `${'😀'.repeat(80)}…`],
    [`half \ud83d of a pair`, 'half \ufffd of a pair'],
  ])('the local model quotes %j on one line of at most 80 characters', async (prompt, quoted) => {
    expect((await ask(prompt)).output).toContain(`“${quoted}”`)
  })

  it('the local model gives longer output with the large model', async () => {
    expect((await ask('hi', 'local-large')).outputUnits).toBeGreaterThan((await ask('hi')).outputUnits)
  })
})

it.each([
  ['', 0],
  [' \n', 0],
  ['用一句话介绍杭州。', 9],
  ['hello', 2],
  ['a b', 2],
  ['USB-C 65W', 4],
  ['こんにちは', 5],
  ['😀', 1],
])('the local model counts the units of %j as %i', (text, units) => {
  expect(countUnits(text)).toBe(units)
})

it('the local model counts every text exactly as the definition in Unicode classes does', () => {
  const pieces = /[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]]+|\S/gv
  const defined = (text: string) => Array.from(text.matchAll(pieces), ([piece]) => Math.ceil(piece.length / 4))
  const anyText = fc.string({
    unit: fc.oneof(anyChar, fc.constantFrom('a', 'é', '7', '中', 'か', '한', ' ', '𝒜', '-')),
  })
  fc.assert(
    fc.property(anyText, (text) => {
      expect(countUnits(text)).toBe(defined(text).reduce((sum, units) => sum + units, 0))
    }),
    { numRuns: 1000 },
  )
})
