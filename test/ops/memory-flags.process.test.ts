import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { memoryFlags, missingMemoryFlags } from '../../src/ops/memory-flags.ts'
import { freePort } from '../../testkit/http/free-port.ts'

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
