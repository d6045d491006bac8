import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'

/**
 * `npm test`: format, lint and types alongside the tests. Fails if one of them does. Arguments go to Vitest.
 * The checks give way to the tests, which take longer and have time limits; what they print comes last.
 */
const checks = spawn('npm', ['run', '--silent', 'check'], { stdio: ['ignore', 'pipe', 'pipe'] })
if (checks.pid !== undefined) setPriority(checks.pid, 10)
const printed: Buffer[] = []
for (const stream of [checks.stdout, checks.stderr]) stream.on('data', (chunk: Buffer) => printed.push(chunk))
const checked = once(checks, 'close')

const tests = spawn('vitest', ['run', ...process.argv.slice(2)], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => [tests, checks].forEach((child) => void child.kill(signal)))
}
const [testsCode, endedBy] = await once(tests, 'close')
const [checksCode] = await checked

process.stdout.write(Buffer.concat(printed))
if (checksCode !== 0) process.stdout.write('\nThe checks of format, lint and types failed: see above.\n')
if (endedBy) process.stdout.write(`\nThe tests were ended by ${endedBy}.\n`)
process.exitCode = testsCode === 0 && checksCode === 0 ? 0 : 1
