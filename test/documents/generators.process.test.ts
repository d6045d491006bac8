import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documents } from '../../testkit/docs/documents.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const program = join(root, 'testkit/generators/generate.mjs')

const request = `{
  messages: [{ role: 'assistant', content: 'Mount Everest.' }, { role: 'user', content: 'Another?' }],
  max_tokens: 1,
  metadata: { team: 'maps' },
  store: false,
  top_logprobs: 0,
  modalities: ['text'],
  logit_bias: {},
  functions: [],
}`

/** What somebody would write with the generated types. */
const uses = `
import type { components } from './openapi-typescript/openai.ts'
import type { ChatCompletionRequest as OfHeyApi } from './hey-api/openai/types.gen.ts'
import type { ChatCompletionRequest as OfOrval } from './orval/openai.ts'

export const ofOpenapiTypescript: components['schemas']['ChatCompletionRequest'] = ${request}
export const ofHeyApi: OfHeyApi = ${request}
export const ofOrval: OfOrval = ${request}
`

const compilerOptions = {
  ...{ target: 'esnext', lib: ['esnext', 'dom', 'dom.iterable'], module: 'esnext', moduleResolution: 'bundler' },
  ...{ strict: true, noEmit: true, types: [], allowImportingTsExtensions: true },
}

type Document = (typeof documents)[keyof typeof documents]

const operationsOf = ({ paths }: Document) => Object.values(paths).flatMap((methods) => Object.values(methods))

describe('clients', () => {
  const folder = mkdtempSync(join(tmpdir(), 'generated-clients-'))
  const output = new Map<string, string>()
  beforeAll(async () => {
    for (const [name, document] of Object.entries(documents))
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(document))
    await Promise.all(
      ['openapi-typescript', 'hey-api', 'orval'].map(async (generator) => {
        const { stdout, stderr } = await run(process.execPath, [program, generator, folder])
        output.set(generator, stdout + stderr)
      }),
    )
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test('clients that generators make from the documents compile', async () => {
    writeFileSync(join(folder, 'uses.ts'), uses)
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }))
    const compiler = join(root, 'node_modules/typescript/lib/tsc.js')
    const compiled = await run(process.execPath, [compiler, '-p', folder]).catch((error) => error)
    expect(compiled.stdout).toBe('')
    expect(compiled.code ?? 0).toBe(0)
  })

  test('clients have every operation, and no generator warns', () => {
    for (const [name, document] of Object.entries(documents)) {
      const count = operationsOf(document).length
      const orval = readFileSync(join(folder, 'orval', `${name}.ts`), 'utf8')
      expect.soft(orval.match(/^export const get\w+Url = /gm)?.length, `${name} of orval`).toBe(count)
      const heyApi = readFileSync(join(folder, 'hey-api', name, 'sdk.gen.ts'), 'utf8')
      expect.soft(heyApi.match(/^export const \w+ = </gm)?.length, `${name} of hey-api`).toBe(count)
    }
    expect(readdirSync(join(folder, 'openapi-typescript'))).toHaveLength(Object.keys(documents).length)
    for (const text of output.values()) expect(text).not.toMatch(/unhandled|warn|🚨/i)
  })
})
