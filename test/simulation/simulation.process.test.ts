import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { isFullMatrix } from '../../testkit/store/engines.ts'
import { find, plantedBugs } from './planted.ts'

const root = resolve(import.meta.dirname, '../..')

/** In a process of its own, because a world replaces the time, the timers and the randomness of the whole process. */
async function simulate(...options: readonly string[]): Promise<string> {
  const run = promisify(execFile)(process.execPath, ['test/simulation/run.ts', ...options], { cwd: root })
  // Which seed fails, and how to repeat it, is printed there.
  const { stdout } = await run.catch(({ stdout, stderr }) => Promise.reject(new Error(`${stdout}${stderr}`)))
  return stdout
}

const sizes = ['--gateways', '2', '--callers', '2', '--calls', '3']

test('worlds under all faults lose, double and strand nothing', async () => {
  // As many as 20 seconds allow, others for every commit: what fails fails again until it is mended.
  const head = execFileSync('git', ['rev-parse', '--short=10', 'HEAD'], { cwd: root, encoding: 'utf8' })
  const ofCommit = ['--seed', `0x${head.trim().slice(0, 10)}`, '--seeds', '10', '--cores', '1']
  const printed = await simulate('--minutes', isFullMatrix ? '1' : '0.333', ...ofCommit)
  const [totals] = /^\{.*\}$/m.exec(printed)!
  console.log(`simulated ${totals}`)
  const { seeds, unfinished } = JSON.parse(totals)
  expect(seeds + unfinished).toBeGreaterThan(0)
})

test('the seeds of a run are shared among cores', async () => {
  const printed = await simulate('--seed', '7', '--seeds', '3', '--cores', '2', ...sizes)
  const alone = await simulate('--seed', '7', '--seeds', '3', '--cores', '1', ...sizes)
  const totalsOf = (text: string) => {
    const { seeds, calls, steps, commits, faults } = JSON.parse(/^\{.*\}$/m.exec(text)![0])
    return { seeds, calls, steps, commits, faults }
  }
  expect(totalsOf(printed)).toEqual(totalsOf(alone))
  expect(totalsOf(printed).seeds).toBe(3)
})

test('the same seed gives the same world, byte for byte', async () => {
  // The rate at the end is of real time.
  const trace = async (seed: string) =>
    (await simulate('--seed', seed, '--trace', ...sizes)).replace(/,"callsPerSecondAndCore":\d+/, '')
  const [first, second, other] = await Promise.all(['0x9f3a', '0x9f3a', '0x9f3b'].map(trace))
  expect(second).toBe(first)
  expect(other).not.toBe(first)
})

test('a world that does not fail has nothing to explain', async () => {
  expect(await simulate('--explain', '0x9f3a', ...sizes)).toMatch(/^seed 0x9f3a .*\nthis world does not fail\n$/)
  await expect(simulate('--explain', '0x9f3a', '--seed', '1')).rejects.toThrow('--explain has its own seed')
})

test('a run that is asked to stop prints its totals', async () => {
  const child = spawn(process.execPath, ['test/simulation/run.ts', '--trace', '--seeds', '1000000', ...sizes], {
    cwd: root,
  })
  let printed = ''
  child.stdout.on('data', (part) => {
    // The first line of a world: the run has begun.
    if (printed === '') child.kill('SIGTERM')
    printed = (printed + part).slice(-10_000)
  })
  const [exitCode] = await once(child, 'close')
  expect(exitCode).toBe(0)
  const { seeds, unfinished } = JSON.parse(/^\{"from".*\}$/m.exec(printed)![0])
  expect(seeds + unfinished).toBe(1)
})

test('every planted bug is a patch of the sources as they are', () => {
  const page = readFileSync(join(root, 'docs/simulation.md'), 'utf8')
  const listed = [...page.matchAll(/^\| `([a-z-]+)` \| .* \| (?:\d+|a test) \|$/gm)].map(([, name]) => `${name}.patch`)
  expect(listed).toEqual(plantedBugs)
  for (const patch of plantedBugs) {
    execFileSync('git', ['apply', '--check', join(import.meta.dirname, 'planted', patch)], { cwd: root })
  }
})

/** `npm run simulate -- --planted` tries all of them. */
const tried = ['budget-returned-twice.patch', ...(isFullMatrix ? ['lost-commit-response.patch'] : [])]

test.each(tried)('a planted bug is found: %s', (patch) => {
  const { isFound, printed } = find(patch, 20)
  expect(isFound, printed).toBe(true)
})
