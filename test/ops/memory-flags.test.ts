import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { memoryFlags, missingMemoryFlags } from '../../src/ops/memory-flags.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const startLines = {
  'npm start': JSON.parse(read('package.json')).scripts.start,
  'npm run dev': JSON.parse(read('package.json')).scripts.dev,
  'the image': JSON.parse(/^CMD (.*)$/m.exec(read('deploy/Dockerfile'))![1]!).join(' '),
  'the systemd unit': /^ExecStart=(.*)$/m.exec(read('deploy/gateway.service'))![1]!,
}

test.each(Object.entries(startLines))('%s bounds the memory', (_, line) => {
  for (const start of line.split('||')) {
    expect(start).toContain(`${memoryFlags.join(' ')} src/main.ts`)
  }
})

test('compose and the chart start the gateway as the image does', () => {
  expect(read('deploy/compose.yaml')).not.toMatch(/src\/main\.ts/)
  expect(read('deploy/helm/templates/deployment.yaml')).not.toMatch(/command:|args:/)
})

test('a flag is missing unless it is given, with whatever value', () => {
  expect(missingMemoryFlags([...memoryFlags])).toEqual([])
  expect(missingMemoryFlags(['--max-semi-space-size=8'])).toEqual(['--heap-growing-percent=100'])
  expect(missingMemoryFlags([])).toEqual(memoryFlags)
})
