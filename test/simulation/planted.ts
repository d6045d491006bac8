import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const folder = join(import.meta.dirname, 'planted')

/** The bugs that the simulation must find, each a small patch of the sources. */
export const plantedBugs = readdirSync(folder)
  .filter((name) => name.endsWith('.patch'))
  .sort()

/** Many small worlds find a bug sooner than a few large ones. */
const sizes = ['--gateways', '3', '--callers', '4', '--calls', '10']

/** A copy of the sources with one bug in it. */
export function plant(patch: string): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'gateway-planted-'))
  const forTests = testOf(patch) === undefined ? [] : ['console', 'vitest.config.ts']
  for (const name of ['src', 'test', 'testkit', 'sdk', 'package.json', 'tsconfig.json', 'release.json', ...forTests])
    cpSync(join(root, name), join(path, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'))
  execFileSync('git', ['apply', join(folder, patch)], { cwd: path })
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

const lineOf = (patch: string, name: 'run' | 'test'): string | undefined =>
  new RegExp(`^${name}: (.*)$`, 'm').exec(readFileSync(join(folder, patch), 'utf8'))?.[1]

/** What a patch adds to the command, in a line of its own: `run: --versions`. */
const optionsOf = (patch: string): readonly string[] => lineOf(patch, 'run')?.split(' ') ?? []

/** The file of the unit test that finds it instead of the simulation: `test: test/storage/lease.test.ts`. */
const testOf = (patch: string): string | undefined => lineOf(patch, 'test')

/** The copy has no history, and worlds of two versions need it. */
const gitDir = () => execFileSync('git', ['rev-parse', '--absolute-git-dir'], { cwd: root, encoding: 'utf8' }).trim()

/** Runs worlds with the bug in them until one shows it, or the test that must find it. */
export function find(patch: string, seeds: number, from = 1): { readonly isFound: boolean; readonly printed: string } {
  const planted = plant(patch)
  const test = testOf(patch)
  try {
    const range = ['--seed', String(from), '--seeds', String(seeds), '--no-shrink']
    const own = optionsOf(patch)
    const command = test
      ? ['node_modules/vitest/vitest.mjs', 'run', test, '--project', 'unit']
      : ['test/simulation/run.ts', ...range, ...(own.length > 0 ? own : sizes)]
    // These files are gone afterwards: compiled, they would only fill the cache.
    const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1', NO_COLOR: '1', GIT_DIR: gitDir() }
    const { status, stdout, stderr } = spawnSync(process.execPath, command, {
      cwd: planted.path,
      env,
      encoding: 'utf8',
    })
    const isFound = status === 1 && (test ? /^ *FAIL .* > /m : /violation:/).test(stdout + stderr)
    return { isFound, printed: stdout + stderr }
  } finally {
    planted.remove()
  }
}

/** Each planted bug, or each of those named, must be found; the exit code is 1 if one is not. */
export async function runPlanted(seeds: number, names: readonly string[] = []): Promise<number> {
  let missed = 0
  for (const patch of names.length === 0 ? plantedBugs : names.map((name) => `${name}.patch`)) {
    const { isFound, printed } = find(patch, seeds)
    if (!isFound) missed += 1
    const [, violation = printed.trim().split('\n').at(-1)] = /(?:violation: |^ *FAIL .* > )(.*)/m.exec(printed) ?? []
    const tried = testOf(patch) ?? `${/"seeds":(\d+)/.exec(printed)?.[1] ?? '?'} seeds`
    console.log(`${isFound ? 'found' : 'MISSED'} after ${tried}: ${basename(patch, '.patch')}: ${violation}`)
  }
  return missed === 0 ? 0 : 1
}
