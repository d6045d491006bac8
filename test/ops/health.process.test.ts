import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const healthModule = JSON.stringify(new URL('../../src/ops/health.ts', import.meta.url).href)

/** Reads the health before, while and after all file descriptors are in use. */
const program = `
  import { closeSync, openSync } from 'node:fs'
  import { checkDescriptors, createHealth } from ${healthModule}
  const health = createHealth({
    checkStore: async () => {}, checkDescriptors, isLeaseHeld: () => true, isRecovered: () => true,
  })
  const seen = [await health.problems()]
  const taken = []
  try { for (;;) taken.push(openSync('/dev/null')) } catch {}
  seen.push(await health.problems())
  for (const fd of taken) closeSync(fd)
  seen.push(await health.problems())
  console.log(JSON.stringify(seen))`

test('readiness is lost while no file descriptor is free, and recovers automatically', async () => {
  const run = promisify(execFile)
  const { stdout } = await run('sh', [
    '-c',
    'ulimit -n 100 && exec "$0" --input-type=module --eval "$1"',
    process.execPath,
    program,
  ])
  expect(JSON.parse(stdout)).toEqual([[], ['the file descriptors are used up'], []])
})
