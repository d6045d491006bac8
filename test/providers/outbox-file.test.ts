import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chooseEmail, readEmailOutbox } from '../../src/providers/email.ts'
import { createOutboxSms, readSmsOutbox } from '../../src/providers/sms/sms.ts'

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'outbox-test-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

const sentAt = '2026-09-03T08:00:00.000Z'
const linesOf = async (name: string) =>
  (await readFile(join(dataDir, name), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)

test('an SMS line has the fields of its kind, and only its owner can read the file', async () => {
  const sender = createOutboxSms(dataDir)
  const code = { phone: '13800138000', code: '123456', challengeId: 'gvc_1', sentAt }
  await sender.send({ kind: 'registration', ...code })
  await sender.send({ kind: 'recovery', ...code })
  const at = '2026-09-03T07:00:00.000Z'
  const notice = { notice: 'new_sign_in', at, text: '新的登录', messageId: 'msg_1' } as const
  await sender.send({ kind: 'notice', phone: '13800138000', sentAt, ...notice })
  expect(await linesOf('sms-outbox.jsonl')).toEqual([
    { ...code, kind: 'registration' },
    { ...code, kind: 'recovery' },
    { phone: '13800138000', kind: 'notice', text: '新的登录', sentAt },
  ])
  expect((await stat(join(dataDir, 'sms-outbox.jsonl'))).mode & 0o777).toBe(0o600)
})

test('an email line has the fields of its kind, and only its owner can read the file', async () => {
  const sender = chooseEmail({ adapter: 'outbox' }, dataDir, () => undefined)!
  const shared = { to: 'payer@example.com', subject: 'Subject', text: 'Text', sentAt }
  const code = { ...shared, kind: 'verification', code: '123456', challengeId: 'gvc_1' } as const
  await sender.send({ messageId: 'msg_1', ...code })
  await sender.send({ messageId: 'msg_2', ...shared, kind: 'notice' })
  expect(await linesOf('email-outbox.jsonl')).toEqual([code, { ...shared, kind: 'notice' }])
  expect((await stat(join(dataDir, 'email-outbox.jsonl'))).mode & 0o777).toBe(0o600)
  expect(await readEmailOutbox(dataDir, 1)).toEqual([{ ...shared, kind: 'notice' }])
})

test('an outbox that is missing, still being written or damaged shows what it can', async () => {
  expect(await readSmsOutbox(join(dataDir, 'missing'), 10)).toEqual([])
  const file = join(dataDir, 'sms-outbox.jsonl')
  await writeFile(file, 'not JSON\n{"phone":"1","code":"1"}\n\n{"phone":"2","co')
  expect(await readSmsOutbox(dataDir, 10)).toEqual([{ phone: '1', code: '1' }])
})

test('a huge outbox is read from its end', async () => {
  const file = join(dataDir, 'sms-outbox.jsonl')
  const line = (phone: number) => `${JSON.stringify({ phone: String(phone), code: '验'.repeat(500) })}\n`
  await writeFile(file, line(0).repeat(5000))
  await appendFile(file, line(1))
  await appendFile(file, line(2))
  expect((await readSmsOutbox(dataDir, 3)).map(({ phone }) => phone)).toEqual(['2', '1', '0'])
  const all = await readSmsOutbox(dataDir, 100_000)
  expect(all.length).toBeLessThan(3000)
  expect(all.at(-1)).toMatchObject({ phone: '0' })
})
