import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { billableOperations, prices } from '../../src/contract/prices.ts'
import { type Gateway, startGateway } from '../support/gateway/gateway.ts'
import { freePort } from '../support/http/free-port.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const program = fileURLToPath(new URL('generated-client/program.ts', import.meta.url))

/** The program as a customer would have it: in its own folder, with types generated from the served document. */
describe('a client generated from the served document', () => {
  let gateway: Gateway
  let baseUrl: string
  let folder: string

  beforeAll(async () => {
    // The real origin, so that the client need not set a Host header.
    const port = await freePort()
    baseUrl = `http://127.0.0.1:${port}`
    gateway = await startGateway({ environment: { GATEWAY_ORIGIN: baseUrl, GATEWAY_LISTEN: `127.0.0.1:${port}` } })
    folder = await mkdtemp(join(tmpdir(), 'generated-client-'))
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    await copyFile(program, join(folder, 'program.ts'))
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    await writeFile(join(folder, 'openapi.json'), await (await fetch(`${baseUrl}/openapi.json`)).text())
    await run(process.execPath, [generator(), join(folder, 'openapi.json'), '-o', join(folder, 'schema.d.ts')])
  })
  afterAll(async () => {
    await gateway.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('compiles, and the compiler rejects every mistake', async () => {
    const compiler = join(root, 'node_modules/.bin/tsc')
    const { stdout } = await run(compiler, ['--noEmit', '-p', folder]).catch((error) => error)
    expect(stdout).toBe('')
  })

  it('registers, recharges, creates a key and buys every operation', async () => {
    const { buyEverything } = await import(pathToFileURL(join(folder, 'program.ts')).href)
    const readCode = (challengeId: string) => gateway.messages.find((sent) => sent.challengeId === challengeId)!.code
    const bought = await buyEverything({ baseUrl, readCode })
    const charged = billableOperations.map((operation) => ({ operation, credits: prices[operation].credits }))
    expect(bought.charged).toHaveLength(charged.length)
    expect(bought.charged).toEqual(expect.arrayContaining(charged))
    expect(bought).toMatchObject({
      credited: 100,
      available: 100 - charged.reduce((sum, { credits }) => sum + credits, 0),
      responses: {
        output: expect.stringContaining('你好'),
        prices: [3900, 4900],
        dimensions: ['priceCents', 'availability', 'highlights'],
        best: '便携保温杯 350ml',
        checks: 2,
        urls: ['https://item.shop-b.example/b-2044', 'https://item.shop-a.example/a-1001'],
        tool: 'compare',
        code: 'INVALID_PROMPT',
      },
    })
  })
})

const compilerOptions = {
  target: 'es2025',
  lib: ['es2025'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: false,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
}

/** Run from the console's packages, which include the older compiler that the tool needs. */
function generator(): string {
  const require = createRequire(join(root, 'console/package.json'))
  return join(dirname(require.resolve('openapi-typescript/package.json')), 'bin/cli.js')
}
