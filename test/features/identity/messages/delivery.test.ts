import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp } from '../../../../src/app/app.ts'
import { loadConfig } from '../../../../src/config/config.ts'
import { type Gateway, startGateway } from '../../../../testkit/gateway/gateway.ts'
import { httpEngines, migratedDatabase, openDatabase, type Store } from '../../../../testkit/store/engines.ts'
import { addCode, messagesIn } from './queued-code.ts'

describe.each(httpEngines)('a gateway with messages to send, on %s', (engine) => {
  let gateway: Gateway
  let otherStore: Store
  let isFailing = true
  beforeAll(async () => {
    gateway = await startGateway({ engine, failSms: () => isFailing })
    otherStore = await openDatabase(gateway.database, { exclusive: false })
  })
  afterAll(async () => {
    await otherStore.close()
    await gateway.stop()
  })

  test('a gateway with messages to send counts and logs what happens to a message, without its content', async () => {
    const metrics = async () => (await gateway.operator('/metrics')).text
    await addCode(otherStore, '135790')
    await expect
      .poll(metrics, { timeout: 20_000 })
      .toMatch(/gateway_messages_failed_total{channel="sms",kind="recovery"} [1-9]/)
    expect(await metrics()).toContain('gateway_messages_queued{channel="sms",kind="recovery"} 1')
    isFailing = false
    await expect
      .poll(metrics, { timeout: 20_000 })
      .toContain('gateway_messages_sent_total{channel="sms",kind="recovery"} 1')
    await expect.poll(() => messagesIn(otherStore), { timeout: 20_000 }).toEqual([])
    expect(gateway.messages).toMatchObject([{ kind: 'recovery', phone: '13800138000', code: '135790' }])
    const lines = gateway.log.filter((line) => line.includes('a message was not sent yet'))
    expect(JSON.parse(lines[0]!)).toMatchObject({ channel: 'sms', kind: 'recovery', attempts: 1, reason: 'Error' })
    expect(gateway.log.join('')).not.toMatch(/13800138000|135790/)
  })
})

describe('a start without the credentials of its adapters', () => {
  const aliyun = {
    signName: 'Gateway',
    templates: { registration: '1', recovery: '2', notice: '3' },
    accessKeyIdEnv: 'ALIYUN_ID',
    accessKeySecretEnv: 'ALIYUN_SECRET',
  }
  const file = { sms: { aliyun }, email: { from: 'no-reply@gateway.example' } }

  test.each([
    [{ GATEWAY_SMS: 'aliyun', ALIYUN_ID: 'id' }, /^ALIYUN_SECRET: is not set, and SMS delivery needs it\. Set it /],
    [{ GATEWAY_EMAIL: 'smtp' }, /^SMTP_URL: is not set, and email delivery needs it\. Set it /],
    [{ GATEWAY_EMAIL: 'smtp', SMTP_URL: 'mail://u:hunter2@h' }, /^SMTP_URL: is not the URL of an SMTP server\. Use /],
  ])('a start without the credentials of its adapters is refused in one line: %o', async (variables, line) => {
    const database = await migratedDatabase('sqlite')
    const configFile = join(database.dataDir, 'config.json')
    await writeFile(configFile, JSON.stringify(file))
    const config = loadConfig({
      GATEWAY_DATA_DIR: database.dataDir,
      GATEWAY_CONFIG: configFile,
      GATEWAY_LISTEN: '127.0.0.1:0',
      GATEWAY_OPERATOR_LISTEN: 'off',
      ...variables,
    })
    const started = startApp({ config, logger: pino({ level: 'silent' }) })
    const fault = await started.then(
      () => expect.fail('it started'),
      (error: Error) => error,
    )
    expect(fault).toMatchObject({ name: 'ConfigFault', message: expect.stringMatching(line) })
    expect(fault.message).not.toContain('hunter2')
    await database.remove()
  })
})
