import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'

/**
 * `npm test` and its siblings: `node build/test.ts KIND... [options of Vitest]`. The kinds that are asked for share one
 * run: when a worker finds no more files of one kind, it starts on the next. The checks of format, lint and types run
 * alongside the unit tests and give way to them, which have time limits; what they print comes last.
 */
const projects: Record<string, readonly string[]> = {
  unit: ['unit', 'smoke'],
  browser: ['browser'],
  process: ['process'],
}
const kinds = Object.keys(projects)
const asked = process.argv.slice(2)
const chosen = asked.filter((word) => kinds.includes(word))
const options = asked.filter((word) => !kinds.includes(word))

const checks = chosen.includes('unit') ? startChecks() : undefined
let hasFailed = !(await passes(chosen))
if (checks && !(await checks())) hasFailed = true
process.exitCode = hasFailed ? 1 : 0

async function passes(kinds: readonly string[]): Promise<boolean> {
  const chosenProjects = kinds.flatMap((kind) => projects[kind]!).flatMap((name) => ['--project', name])
  const tests = spawn('vitest', ['run', ...chosenProjects, ...options], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void tests.kill(signal))
  const [code, signal] = await once(tests, 'close')
  if (signal) process.stdout.write(`\nThe tests were ended by ${signal}.\n`)
  return code === 0
}

/** Returns a function that waits for the checks, prints their findings and says whether they passed. */
function startChecks(): () => Promise<boolean> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('check.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid !== undefined) setPriority(child.pid, 10)
  const printed: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => printed.push(chunk))
  const closed = once(child, 'close')
  return async () => {
    const [code] = await closed
    process.stdout.write(Buffer.concat(printed))
    if (code !== 0) process.stdout.write('\nThe checks of format, lint and types failed: see above.\n')
    return code === 0
  }
}
