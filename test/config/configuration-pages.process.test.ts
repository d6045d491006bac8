import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { configurationPages } from '../../docs/generate-configuration.ts'

test.each(Object.entries(configurationPages()))('%s is what `npm run docs` writes', (path, text) => {
  const written = path.endsWith('.md') ? formatted(path, text) : text
  expect(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')).toBe(written)
})

function formatted(path: string, text: string): string {
  const biome = fileURLToPath(new URL('../../node_modules/.bin/biome', import.meta.url))
  return execFileSync(biome, ['format', `--stdin-file-path=${path}`], { input: text, encoding: 'utf8' })
}
