import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKeyring } from '../../../src/base/keyring.ts'
import { createPasswords } from '../../../src/features/identity/accounts/passwords.ts'
import { totpContext } from '../../../src/features/operators/access/operators.ts'
import { permits } from '../../../src/operator-kit/roles.ts'
import { runCommand } from '../../../testkit/gateway/run-command.ts'
import { freshStore, httpEngines } from '../../../testkit/store/engines.ts'

const secret = 'the secret of the tests, 32 bytes or more'

describe.each(httpEngines)('operators on %s', (engine) => {
  let fresh: Awaited<ReturnType<typeof freshStore>>
  beforeAll(async () => {
    fresh = await freshStore(engine)
  })
  afterAll(() => fresh.remove())

  const run = async (...argv: string[]) => {
    const environment = { GATEWAY_SECRET: secret }
    const ran = await runCommand(fresh.database, ['operators', ...argv, '--json'], { environment })
    return { exitCode: ran.exitCode, ...JSON.parse(ran.stdout || '{}') }
  }
  const stored = (name: string) =>
    fresh.store.read((tx) => tx.get<Record<string, string>>('SELECT * FROM operators WHERE name = $1', [name]))

  test('a new operator gets a password and a one-time code secret, which are stored only as digest and sealed', async () => {
    const added = await run('add', 'ada', '--role', 'treasurer', '--by', 'root')
    expect(added).toEqual({
      exitCode: 0,
      name: 'ada',
      role: 'treasurer',
      state: 'active',
      password: expect.stringMatching(/^\w{20}$/),
      totpUri: expect.stringMatching(/^otpauth:\/\/totp\/API%20Relay%20Gateway:ada\?secret=[A-Z2-7]{32}&issuer=/),
    })
    const row = (await stored('ada'))!
    expect(row).toMatchObject({ role: 'treasurer', must_change_password: 1, disabled_at: null, last_totp_step: null })
    expect(await createPasswords().verify(added.password, row.password_digest)).toMatchObject({ isRight: true })
    const sealed = { sealed: row.totp_sealed!, keyVersion: row.totp_key_version! }
    const totp = createKeyring(secret).open(totpContext('ada'), sealed)
    expect(added.totpUri).toContain(`secret=${totp}&`)
    expect(JSON.stringify(row)).not.toContain(totp)
  })

  test.each(['\u0430da', 'ad\u0430', '\uff41da', 'ada\u00b2', 'ada\uff11', 'ada\u0661', 'be\u0301a', '\u674elee'])(
    'an operator cannot be added as %j, which may look like another one',
    async (name) => {
      expect(await run('add', name, '--role', 'viewer')).toMatchObject({
        exitCode: 1,
        error: { code: 'OPERATOR_NAME_INVALID' },
      })
    },
  )

  test('names of operators are unique, regardless of case', async () => {
    expect(await run('add', 'Ada', '--role', 'viewer')).toMatchObject({
      exitCode: 1,
      error: { code: 'OPERATOR_ALREADY_EXISTS' },
    })
    expect(await run('add', 'a b', '--role', 'viewer')).toMatchObject({
      exitCode: 1,
      error: { code: 'OPERATOR_NAME_INVALID' },
    })
    expect(await run('add', 'bea', '--role', 'boss')).toMatchObject({ exitCode: 2 })
    expect(await run('add', 'bea')).toMatchObject({ exitCode: 2 })
  })

  test('a disabled operator has no session left, and a reset gives new credentials', async () => {
    const before = await stored('ada')
    await fresh.store.write((tx) =>
      tx.run("INSERT INTO operator_sessions VALUES ('digest', 'ada', 0, 'csrf', 1, 1, 9000000000000)"),
    )
    expect(await run('disable', 'ada')).toMatchObject({ exitCode: 0, name: 'ada', state: 'disabled' })
    expect(await fresh.store.read((tx) => tx.all('SELECT * FROM operator_sessions'))).toEqual([])
    expect(await run('list')).toMatchObject({ items: [{ name: 'ada', role: 'treasurer', state: 'disabled' }] })
    expect(await run('reset', 'ada')).toMatchObject({ exitCode: 0, name: 'ada', role: 'treasurer' })
    const after = await stored('ada')
    expect(after).toMatchObject({ disabled_at: null, must_change_password: 1 })
    expect(after!.password_digest).not.toBe(before!.password_digest)
    expect(after!.totp_sealed).not.toBe(before!.totp_sealed)
    expect(await run('disable', 'unknown')).toMatchObject({ exitCode: 1, error: { code: 'OPERATOR_NOT_FOUND' } })
    expect(await run('reset', 'unknown')).toMatchObject({ exitCode: 1, error: { code: 'OPERATOR_NOT_FOUND' } })
  })

  test('each change is in the audit log, and a refused one is not', async () => {
    const ran = await runCommand(fresh.database, ['audit', 'list', '--json'])
    const { items } = JSON.parse(ran.stdout)
    expect(items.map(({ action, object }: { action: string; object: string }) => `${action} ${object}`)).toEqual([
      'operator.add ada',
      'operator.disable ada',
      'operator.reset ada',
    ])
    expect(items[0]).toMatchObject({ by: 'root', via: 'command line', before: null, after: { role: 'treasurer' } })
    expect(ran.stdout).not.toMatch(/argon2|otpauth/)
  })

  test('names of one script are taken, and an operator who has another name keeps it', async () => {
    for (const name of ['b\u00e9a-1', '\u5c0f\u674e', '\u0430\u043d\u043d\u0430', '\u7530\u4e2d\u3055\u3093'])
      expect(await run('add', name, '--role', 'viewer')).toMatchObject({ exitCode: 0, name })
    const mixed = '\u0430nna'
    await fresh.store.write((tx) =>
      tx.run('UPDATE operators SET name = $1 WHERE name = $2', [mixed, '\u0430\u043d\u043d\u0430']),
    )
    expect(await run('reset', mixed)).toMatchObject({ exitCode: 0, name: mixed })
  })
})

test('each role may do what the ones before it may', () => {
  const table = { viewer: 0, support: 5, treasurer: 7, admin: 8 } as const
  const all = ['accounts', 'keys', 'reviews', 'providers', 'reconcile', 'credits', 'approvals', 'operators'] as const
  for (const [role, count] of Object.entries(table)) {
    expect(all.filter((permission) => permits(role as keyof typeof table, permission))).toEqual(all.slice(0, count))
  }
})
