import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser, newPhone } from '../../../../testkit/gateway/browser.ts'
import { type Gateway, startGateway } from '../../../../testkit/gateway/gateway.ts'
import { httpEngines, openDatabase } from '../../../../testkit/store/engines.ts'

describe.each(httpEngines)('a secret on %s', (engine) => {
  const secrets = new Map<string, string>()
  let gateway: Gateway

  beforeAll(async () => {
    gateway = await startGateway({ engine })
    const browser = new Browser(gateway)
    const phone = newPhone()
    const password = 'a very secret passphrase'
    const recoveryEmail = 'secret.mailbox@example.com'
    const proof = await browser.requestCode(phone)
    await browser.post('/v1/auth/register', { phone, ...proof, recoveryEmail, password })
    await browser.post('/v1/auth/login', { identifier: phone, password })
    await browser.recharge(1000)
    const { apiKey } = await browser.createKey(['models:invoke'])
    await browser.get('/v1/me?session=marked-query-value')
    await gateway.call(apiKey, '/v1/models/chat', 'marked-idempotency-key', { prompt: 'marked prompt text' })
    await gateway.call(apiKey, '/v1/models/chat', 'marked-idempotency-key-2', { prompt: 'x', 'marked-field': 1 })
    await gateway.send('GET', '/marked-path-value', { authorization: 'Bearer marked-bearer-value' })
    for (const [name, value] of Object.entries({
      phone,
      password,
      recoveryEmail,
      'verification code': `"${proof.verificationCode}"`,
      challenge: proof.challengeId,
      session: browser.cookie!.split('=')[1]!,
      'CSRF token': browser.csrfToken!,
      'API key': apiKey,
      'idempotency key': 'marked-idempotency-key',
    })) {
      secrets.set(name, value)
    }
  })
  afterAll(() => gateway.stop())

  it('a secret is never logged, nor is any other content of a request', () => {
    const log = gateway.log.join('')
    expect(log).toContain('model.chat')
    for (const [name, value] of secrets) expect(log.includes(value), name).toBe(false)
    expect(log).not.toContain('marked')
  })

  it('a secret is never stored in plain text', async () => {
    const contents = engine === 'sqlite' ? await filesOf(gateway.database.dataDir) : await rowsOf(gateway)
    expect(contents).toContain('Personal project')
    for (const [name, value] of secrets) expect(contents.includes(value), name).toBe(false)
  })

  it('a secret is in no response', async () => {
    const responses = [
      await gateway.operator('/metrics'),
      await gateway.operator('/readyz'),
      await gateway.send('GET', '/openapi.json'),
    ]
    for (const { text } of responses)
      for (const [name, value] of secrets) expect(text.includes(value), name).toBe(false)
  })
})

/** The data directory byte by byte: the database, its write-ahead log, and whatever else there is. */
async function filesOf(directory: string): Promise<string> {
  const names = await readdir(directory)
  return (await Promise.all(names.map((name) => readFile(join(directory, name), 'latin1')))).join('\n')
}

async function rowsOf(gateway: Gateway): Promise<string> {
  const store = await openDatabase(gateway.database, { exclusive: false })
  const rows = await store.read(async (tx) => {
    const tables = await tx.all<{ name: string }>(
      "SELECT table_name::text AS name FROM information_schema.tables WHERE table_schema = 'public'",
    )
    const contents = []
    for (const { name } of tables)
      contents.push(...(await tx.all<{ line: string }>(`SELECT t::text AS line FROM ${name} t`)))
    return contents
  })
  await store.close()
  return rows.map(({ line }) => line).join('\n')
}
