import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp } from '../../../../src/app/app.ts'
import { createKeyring } from '../../../../src/base/keyring.ts'
import { loadConfig } from '../../../../src/config/config.ts'
import { createAccountStore } from '../../../../src/features/identity/accounts/store.ts'
import { createOutbox } from '../../../../src/features/identity/messages/message.ts'
import { type Gateway, startGateway } from '../../../../testkit/gateway/gateway.ts'
import { startGatewayProcess } from '../../../../testkit/gateway/gateway-process.ts'
import { freePort } from '../../../../testkit/http/free-port.ts'
import { startSmsVendor } from '../../../../testkit/providers/sms-vendor.ts'
import { httpEngines, migratedDatabase, openDatabase, type Store } from '../../../../testkit/store/engines.ts'

const secret = 'the secret of the tests, 32 bytes or more'

/** Adds a recovery code as a request would, in a store beside the gateway. */
async function addCode(store: Store, code: string) {
  const outbox = createOutbox({ keyring: createKeyring(secret), clock: Date.now, wake: () => {} })
  const content = { kind: 'recovery', to: '13800138000', code, challengeId: `gvc_${code}` } as const
  const row = outbox.prepare('sms', content, { accountId: null, expiresAt: Date.now() + 300_000 })
  await createAccountStore(store).write((tx) => tx.addMessage(row))
}

const messagesIn = (store: Store) => store.read((tx) => tx.all('SELECT message_id FROM messages'))

describe.each(httpEngines)('a gateway with messages to send, on %s', (engine) => {
  let gateway: Gateway
  let beside: Store
  let isFailing = true
  beforeAll(async () => {
    gateway = await startGateway({ engine, failSms: () => isFailing })
    beside = await openDatabase(gateway.database, { exclusive: false })
  })
  afterAll(async () => {
    await beside.close()
    await gateway.stop()
  })

  test('counts and logs what happens to a message, without its content', async () => {
    const metrics = async () => (await gateway.operator('/metrics')).text
    await addCode(beside, '135790')
    await expect
      .poll(metrics, { timeout: 20_000 })
      .toMatch(/gateway_messages_failed_total{channel="sms",kind="recovery"} [1-9]/)
    expect(await metrics()).toContain('gateway_messages_queued{channel="sms",kind="recovery"} 1')
    isFailing = false
    await expect
      .poll(metrics, { timeout: 20_000 })
      .toContain('gateway_messages_sent_total{channel="sms",kind="recovery"} 1')
    await expect.poll(() => messagesIn(beside), { timeout: 20_000 }).toEqual([])
    expect(gateway.messages).toMatchObject([{ kind: 'recovery', phone: '13800138000', code: '135790' }])
    const lines = gateway.log.filter((line) => line.includes('a message was not sent yet'))
    expect(JSON.parse(lines[0]!)).toMatchObject({ channel: 'sms', kind: 'recovery', attempts: 1, reason: 'Error' })
    expect(gateway.log.join('')).not.toMatch(/13800138000|135790/)
  })
})

// Once, because starting processes is slow: crashes.test.ts covers every step on both engines.
test('the same code is delivered again after a kill during the send', async () => {
  const database = await migratedDatabase('sqlite')
  const vendor = await startSmsVendor()
  const store = await openDatabase(database, { exclusive: false })
  const configFile = join(database.dataDir, 'config.json')
  await writeFile(configFile, JSON.stringify({ sms: { http: { url: vendor.url, secretEnv: 'RELAY_SECRET' } } }))
  const port = await freePort()
  const start = () =>
    startGatewayProcess({
      port,
      environment: {
        GATEWAY_ORIGIN: `http://localhost:${port}`,
        GATEWAY_DATA_DIR: database.dataDir,
        DATABASE_URL: database.databaseUrl,
        GATEWAY_SECRET: secret,
        GATEWAY_CONFIG: configFile,
        GATEWAY_SMS: 'http',
        RELAY_SECRET: `whsec_${Buffer.from(secret).toString('base64')}`,
      },
    })
  // Committed, and its writer is gone before anybody could send it.
  await addCode(store, '112233')
  vendor.reply = undefined
  const first = await start()
  await expect.poll(() => vendor.requests.length, { timeout: 20_000 }).toBe(1)
  await first.kill()
  expect(await messagesIn(store)).toHaveLength(1)
  // As if the claim of the dead instance had ended.
  await store.write((tx) => tx.run('UPDATE messages SET next_attempt_at = created_at'))
  vendor.reply = () => ({ status: 204 })
  const second = await start()
  await expect.poll(() => messagesIn(store), { timeout: 20_000 }).toEqual([])
  expect(await second.terminate()).toBe(0)
  const sent = vendor.requests.map(({ headers, body }) => [headers['webhook-id'], JSON.parse(body).data.code])
  expect(sent).toEqual([
    ['gvc_112233', '112233'],
    ['gvc_112233', '112233'],
  ])
  await store.close()
  await vendor.close()
  await database.remove()
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
  ])('is refused in one line: %o', async (variables, line) => {
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
