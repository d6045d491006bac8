import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const source = resolve(import.meta.dirname, '../../src')

/** Every case that the sources mark with `sometimes`, as often as it is marked. */
export function sometimesNames(): string[] {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  return files.flatMap((name) => {
    if (name === join('base', 'sometimes.ts')) return []
    const calls = readFileSync(join(source, name), 'utf8').matchAll(/\bsometimes\(\s*(?:'([^'\n]*)')?/g)
    return Array.from(calls, ([, text]) => text ?? `a name in src/${name} that is not a plain text`)
  })
}
