import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startGateway } from '../support/gateway/gateway.ts'

const mainFile = new URL('../../src/main.ts', import.meta.url).pathname

describe('a start that fails prints one line and exits with 1', { timeout: 60_000 }, () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gateway-start-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  async function start(environment: Record<string, string>) {
    const child = spawn(process.execPath, [mainFile], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        PATH: process.env.PATH,
        GATEWAY_DATA_DIR: directory,
        GATEWAY_LISTEN: '127.0.0.1:0',
        GATEWAY_OPERATOR_LISTEN: 'off',
        ...environment,
      },
    })
    let stderr = ''
    child.stderr!.on('data', (chunk) => {
      stderr += chunk
    })
    const [exitCode] = await once(child, 'close')
    return { exitCode, stderr }
  }

  test.each(['GATEWAY_LISTEN', 'GATEWAY_OPERATOR_LISTEN'])('when the port of %s is in use', async (variable) => {
    const occupant = createServer().listen(0, '127.0.0.1')
    await once(occupant, 'listening')
    const address = `127.0.0.1:${(occupant.address() as AddressInfo).port}`
    const remedy = 'Stop that program, or choose another address.'
    expect(await start({ [variable]: address })).toEqual({
      exitCode: 1,
      stderr: `${variable}: ${address} is in use by another program. ${remedy}\n`,
    })
    occupant.close()
  })

  test('when the secret is damaged', async () => {
    await mkdir(directory, { recursive: true })
    await writeFile(join(directory, 'secret'), 'too short', { mode: 0o600 })
    const { exitCode, stderr } = await start({})
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^.*secret is damaged.*\n$/)
  })
})

test('starting on a public origin warns of plain http and of simulated payment', async () => {
  const gateway = await startGateway({
    environment: { GATEWAY_ORIGIN: 'http://gateway.example', GATEWAY_PAYMENT_MODE: 'local-simulated' },
  })
  const warnings = gateway.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a setting is unsafe')
  await gateway.stop()
  expect(warnings).toMatchObject([
    { level: 40, what: expect.stringContaining('not https') },
    { level: 40, what: expect.stringContaining('payment is simulated'), remedy: 'Set GATEWAY_PAYMENT_MODE=disabled.' },
  ])
})

test('starting as the README says warns of nothing', async () => {
  const gateway = await startGateway()
  const warnings = gateway.log.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40)
  await gateway.stop()
  expect(warnings).toEqual([])
})
