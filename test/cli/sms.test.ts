import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOutboxSms } from '../../src/providers/sms/sms.ts'
import { runCommand } from '../../testkit/gateway/run-command.ts'
import { type Database, freshDatabase } from '../../testkit/store/engines.ts'

describe('the local SMS outbox', () => {
  let database: Database
  beforeAll(async () => {
    database = await freshDatabase('sqlite')
  })
  afterAll(() => database.remove())

  const run = (...argv: string[]) => runCommand(database, ['sms', ...argv])
  const message = (phone: string, code: string, minute: number) => ({
    phone,
    code,
    challengeId: `gvc_${code}`,
    sentAt: `2026-01-02T03:0${minute}:00.000Z`,
    kind: 'registration' as const,
  })
  const messages = [
    message('13800000001', '111111', 1),
    message('13800000002', '222222', 2),
    message('13800000001', '333333', 3),
  ]

  test('the local SMS outbox says so when it is empty', async () => {
    expect(await run()).toEqual({ exitCode: 0, stdout: 'No messages yet.\n', stderr: '' })
    expect(await run('--json')).toMatchObject({ exitCode: 0, stdout: '{\n  "messages": []\n}\n' })
    expect(await run('--code')).toEqual({ exitCode: 1, stdout: '', stderr: 'no messages yet\n' })
  })

  test('the local SMS outbox shows the newest first', async () => {
    const outbox = createOutboxSms(database.dataDir)
    for (const sent of messages) await outbox.send(sent)
    expect((await run()).stdout).toBe(
      [
        'sent                      phone        code',
        '2026-01-02T03:03:00.000Z  13800000001  333333',
        '2026-01-02T03:02:00.000Z  13800000002  222222',
        '2026-01-02T03:01:00.000Z  13800000001  111111',
        '',
      ].join('\n'),
    )
    expect(JSON.parse((await run('--json', '--limit', '2')).stdout)).toEqual({ messages: messages.slice(1).reverse() })
  })

  test('the local SMS outbox prints the newest code alone, for a phone too', async () => {
    expect(await run('--code')).toEqual({ exitCode: 0, stdout: '333333\n', stderr: '' })
    expect((await run('--code', '--phone', '13800000002')).stdout).toBe('222222\n')
    expect(await run('--code', '--phone', '13800000009')).toMatchObject({ exitCode: 1, stdout: '' })
    expect(JSON.parse((await run('--phone', '13800000001', '--json')).stdout).messages).toHaveLength(2)
  })

  test('the local SMS outbox exists on a loopback origin only', async () => {
    const environment = {
      GATEWAY_ORIGIN: 'https://gateway.example',
      GATEWAY_SECRET: 'the secret of the tests, 32 bytes or more',
    }
    const ran = await runCommand(database, ['sms'], { environment })
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ran.stderr).toMatch(/^there is no local SMS outbox[^\n]+\n$/)
  })
})
