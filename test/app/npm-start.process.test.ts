import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../testkit/http/free-port.ts'

const root = resolve(import.meta.dirname, '../..')

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
