import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from '../../testkit/gateway/run-command.ts'
import { type Database, freshDatabase } from '../../testkit/store/engines.ts'

/** What the command line prints before it does anything. */
describe('the command line', () => {
  let database: Database
  beforeAll(async () => {
    database = await freshDatabase('sqlite')
  })
  afterAll(() => database.remove())

  const commands = [
    [],
    ['reviews'],
    ['reviews', 'list'],
    ['reviews', 'settle'],
    ['reviews', 'release'],
    ['accounts'],
    ...['find', 'show', 'suspend', 'reinstate', 'sign-out', 'recover'].map((name) => ['accounts', name]),
    ['keys', 'revoke'],
    ...['grant', 'withdraw'].map((name) => ['credits', name]),
    ...['list', 'approve', 'reject'].map((name) => ['approvals', name]),
    ...['add', 'list', 'disable', 'reset'].map((name) => ['operators', name]),
    ...['list', 'verify'].map((name) => ['audit', name]),
    ['reconcile'],
    ['statement'],
    ['doctor'],
    ['backup'],
    ['sms'],
  ]
  const doing = commands.filter((path) => path.length > 0 && !/^(reviews|accounts)$/.test(path.join()))

  test.each(commands.map((path) => [path.join(' '), path] as const))(
    '%s --help explains the command',
    async (name, path) => {
      // These work even with a broken configuration.
      const broken = { environment: { GATEWAY_ORIGIN: 'nonsense' } }
      const ran = await runCommand(database, [...path, '--help'], broken)
      expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
      expect(ran.stdout).toMatch(new RegExp(`^Usage: npm run gateway --${name && ` ${name}`} `))
      expect(ran.stdout).toContain('--help')
      if (doing.includes(path)) expect(ran.stdout).toContain('--json')
    },
  )

  test('the help names every command', async () => {
    const { stdout } = await runCommand(database, ['--help'])
    for (const [name] of doing) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
  })

  test.each([
    [['nonsense']],
    [['reconcile', '--nonsense']],
    [['reconcile', 'surplus']],
    [['reviews', 'list', '--limit', '0']],
    [['reviews', 'settle', '--reason', 'r']],
    [['statement']],
    [['backup']],
    [['sms', '--limit', 'many']],
  ])('%j is refused in one line with exit code 2', async (argv) => {
    const ran = await runCommand(database, argv)
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ran.stderr).toMatch(/^error: [^\n]+\n$/)
  })

  test('without a command it lists the commands, with exit code 2', async () => {
    for (const argv of [[], ['reviews']]) {
      const ran = await runCommand(database, argv)
      expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
      expect(ran.stderr).toContain('Commands:')
    }
  })

  const needingStore = [
    ['reconcile'],
    ['reviews', 'list'],
    ['statement', 'prj_x'],
    ['backup', '/nonexistent-dir-for-test.sqlite'],
  ]

  test.each(needingStore.map((argv) => [argv]))('%j reports a broken configuration in one line', async (argv) => {
    const ran = await runCommand(database, argv, { environment: { DATABASE_URL: 'mysql://x' } })
    expect(ran).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'DATABASE_URL: is not a known kind of store. Use sqlite:PATH or postgres://...\n',
    })
  })

  test.each(needingStore.map((argv) => [argv]))('%j does not create an empty store', async (argv) => {
    const ran = await runCommand(database, argv)
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' })
    expect(ran.stderr).toMatch(/^there is no store at .+gateway\.sqlite; [^\n]+\n$/)
    expect(existsSync(`${database.dataDir}/gateway.sqlite`)).toBe(false)
  })

  test('an unreachable store is reported in one line, without its password', async () => {
    const environment = { DATABASE_URL: 'postgres://someone:hunter2@127.0.0.1:9/books' }
    const ran = await runCommand(database, ['reconcile'], { environment })
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' })
    expect(ran.stderr).toMatch(/^PostgreSQL cannot be used: [^\n]+\n$/)
    expect(ran.stderr).not.toContain('hunter2')
  })
})
