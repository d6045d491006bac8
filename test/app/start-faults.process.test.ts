import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { freshDatabase, isFullMatrix, openDatabase } from '../../testkit/store/engines.ts'

const some = (first: string, second: string) => (isFullMatrix ? [first, second] : [first])
const mainFile = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

describe('a start that fails prints one line and exits with 1', () => {
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

  // Each start is a process of a second: the full matrix has the second of a kind.
  test.each(some('GATEWAY_LISTEN', 'GATEWAY_OPERATOR_LISTEN'))(
    'a start that fails prints one line and exits with 1 when the port of %s is in use',
    async (variable) => {
      const occupant = createServer().listen(0, '127.0.0.1')
      await once(occupant, 'listening')
      const address = `127.0.0.1:${(occupant.address() as AddressInfo).port}`
      const remedy = 'Stop that program, or choose another address.'
      expect(await start({ [variable]: address })).toEqual({
        exitCode: 1,
        stderr: `${variable}: ${address} is in use by another program. ${remedy}\n`,
      })
      occupant.close()
    },
  )

  test.each([
    ['names a host that cannot be', 'postgres://u:secret@a:5432,b:port/gateway', /^DATABASE_URL: host 2 is not valid/],
    [
      'names servers that are away',
      'postgres://u:secret@127.0.0.1:1,127.0.0.1:2/gateway',
      /^PostgreSQL has no writable host: 127.0.0.1:\d: .*ECONNREFUSED/,
    ],
  ])('a start that fails prints one line and exits with 1 when DATABASE_URL %s', async (_fault, url, line) => {
    const { exitCode, stderr } = await start({ DATABASE_URL: url })
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(line)
    expect(stderr).not.toContain('secret')
    expect(stderr.trimEnd()).not.toContain('\n')
  })

  test('a start that fails prints one line and exits with 1 when the PostgreSQL user may not create the tables', async () => {
    const database = await freshDatabase('postgres')
    onTestFinished(database.remove)
    const role = `poor_${randomBytes(4).toString('hex')}`
    const owner = await openDatabase(database)
    await owner.write((tx) => tx.run(`CREATE ROLE ${role} LOGIN PASSWORD 'x'`))
    onTestFinished(async () => {
      await owner.write((tx) => tx.run(`DROP ROLE ${role}`))
      await owner.close()
    })
    const url = Object.assign(new URL(database.databaseUrl), { username: role, password: 'x' })
    const { exitCode, stderr } = await start({ DATABASE_URL: url.href })
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^the PostgreSQL user lacks a right: permission denied for .*\n$/)
  })

  test('a start that fails prints one line and exits with 1 when the secret is damaged', async () => {
    await mkdir(directory, { recursive: true })
    await writeFile(join(directory, 'secret'), 'too short', { mode: 0o600 })
    const { exitCode, stderr } = await start({})
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^.*secret is damaged.*\n$/)
  })
})
