import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { isFullMatrix } from '../../../testkit/store/engines.ts'

const root = resolve(import.meta.dirname, '../../..')

const sizes = ['--gateways', '2', '--callers', '2', '--calls', '3']

const simulate = (options: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  spawnSync(process.execPath, ['test/simulation/run.ts', '--versions', ...options], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })

test('the last release and this version serve one store through every migration, and lose nothing', () => {
  // As many of its seeds as the time allows: 6 seconds, or 30 in the full matrix.
  const minutes = isFullMatrix ? '0.5' : '0.1'
  const { status, stdout, stderr } = simulate(['--seed', '0x5eed', '--seeds', '12', '--minutes', minutes, ...sizes])
  expect(status, stdout + stderr).toBe(0)
})

test('the same seed gives the same world of two versions', () => {
  // The rate at the end is of real time.
  const digest = () => simulate(['--seed', '0x9f3a', ...sizes]).stdout.replace(/,"callsPerSecondAndCore":\d+/, '')
  const first = digest()
  expect(first).toMatch(/^[0-9a-f]{64}$/m)
  expect(digest()).toBe(first)
})

test('a clone without the last release fails with the command that gets it', () => {
  const { status, stderr } = simulate(['--seed', '1'], { GIT_DIR: '/dev/null' })
  expect(status).toBe(3)
  expect(stderr).toMatch(
    /^the sources of .* are not in this clone: run git fetch --unshallow, or clone the whole history\n$/,
  )
})
