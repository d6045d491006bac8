import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAlike, readDifferently } from '../../testkit/deploy/environment-lines.ts'

/** `npm run test:machines` compares the same lines with systemd itself. */
const shipped = readFileSync(resolve(import.meta.dirname, '../../deploy/gateway.sh'), 'utf8')
const run = promisify(execFile)

let folder: string
let script: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-command-'))
  script = join(folder, 'gateway.sh')
  const adapted = shipped
    .replace('cd /opt/gateway', `cd ${folder}`)
    .replace('/etc/gateway/environment', join(folder, 'environment'))
    .replace(/^exec .*/m, 'printf %s "$NAME"')
  await writeFile(script, adapted)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function read(lines: string): Promise<string> {
  await writeFile(join(folder, 'environment'), `FIRST=1\n${lines}\n`)
  return (await run('sh', [script])).stdout
}

test.each(readAlike)('%j is read as %j', async (line, value) => {
  expect(await read(line)).toBe(value)
})

test.each(readDifferently)('%j is refused with its line, without its value', async (line) => {
  const { code, stdout, stderr } = await read(line).catch((error) => error)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/environment, line 2( 3)?: put the value, on one line, into single quotes: NAME='value'\n$/)
})
