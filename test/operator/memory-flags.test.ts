import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../support/http/free-port.ts'

const root = resolve(import.meta.dirname, '../..')
const mainFile = new URL('../../src/main.ts', import.meta.url).pathname

/** Prints the flags the process ended with. */
const reporter = 'data:text/javascript,process.on("exit",()=>console.log(process.pid,process.execArgv.join(" ")))'

/** Starts with an invalid setting, so that the process ends by itself. */
function flagsOf(...given: string[]) {
  const { pid, stdout, stderr } = spawnSync(process.execPath, [...given, '--import', reporter, mainFile], {
    env: { PATH: process.env.PATH, GATEWAY_LISTEN: 'invalid' },
    encoding: 'utf8',
  })
  expect(stderr).toMatch(/^GATEWAY_LISTEN: [^\n]+\n$/)
  expect(stdout).toMatch(new RegExp(`^${pid} [^\n]+\n$`))
  return stdout.split(' ').filter((flag) => /semi-space|heap-growing/.test(flag))
}

test('the gateway bounds its memory however it is started, in the same process', () => {
  expect(flagsOf()).toEqual(['--max-semi-space-size=16', '--heap-growing-percent=100'])
})

test('a flag given on the command line wins', () => {
  expect(flagsOf('--max-semi-space-size=8')).toEqual(['--heap-growing-percent=100', '--max-semi-space-size=8'])
})

test('a SIGTERM to npm start drains the gateway and leaves no process behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-start-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const [port, operatorPort] = [await freePort(), await freePort()]
  const npm = spawn('npm', ['run', 'start', '--ignore-scripts'], {
    cwd: root,
    // A group of its own, so that nothing outlives a test that fails.
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      LOG_LEVEL: 'error',
      GATEWAY_DATA_DIR: folder,
      GATEWAY_ORIGIN: `http://localhost:${port}`,
      GATEWAY_OPERATOR_LISTEN: `127.0.0.1:${operatorPort}`,
    },
  })
  const exited = once(npm, 'exit')
  let output = ''
  for await (const chunk of npm.stdout) {
    output += chunk
    if (output.includes('API Relay Gateway serves')) break
  }
  npm.kill('SIGTERM')
  const ended = await exited
  const isServing = await fetch(`http://127.0.0.1:${operatorPort}/healthz`).then(
    () => true,
    () => false,
  )
  if (isServing) process.kill(-npm.pid!, 'SIGKILL')
  expect({ ended, isServing }).toEqual({ ended: [0, null], isServing: false })
})
