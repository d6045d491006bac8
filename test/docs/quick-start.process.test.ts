import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GatewayProcess, startGatewayProcess } from '../../testkit/gateway/gateway-process.ts'
import { freePort } from '../../testkit/http/free-port.ts'

const root = resolve(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const printed = /<!-- quick start -->\n```sh\n([\s\S]*?)```\n<!-- \/quick start -->/.exec(readme)![1]!

describe("the README's quick start", () => {
  let dataDir: string
  let gateway: GatewayProcess
  let environment: Record<string, string>

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'gateway-quick-start-'))
    const port = await freePort()
    environment = { GATEWAY_ORIGIN: `http://localhost:${port}`, GATEWAY_DATA_DIR: dataDir }
    gateway = await startGatewayProcess({ environment, port })
  })
  afterAll(async () => {
    await gateway.terminate()
    await rm(dataDir, { recursive: true, force: true })
  })

  it("the README's quick start goes from nothing to a charged call as printed", { timeout: 90_000 }, async () => {
    // Only the address and the cookie file differ from what is printed.
    const script = printed
      .replace('http://localhost:8787', environment.GATEWAY_ORIGIN!)
      .replaceAll('.cookies', join(dataDir, 'cookies'))
    const { stdout } = await promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', script], {
      cwd: root,
      env: { ...process.env, ...environment },
    })
    const lines = stdout.trim().split('\n')
    expect(lines[0]).toBe('200')
    expect(JSON.parse(lines[1]!.replace(/\d+$/, ''))).toMatchObject({
      status: 'settled',
      operation: 'model.chat',
      chargedCredits: 3,
    })
    expect(stdout.trim().endsWith('197')).toBe(true)
  })
})
