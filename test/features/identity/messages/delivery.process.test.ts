import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startGatewayProcess } from '../../../../testkit/gateway/gateway-process.ts'
import { freePort } from '../../../../testkit/http/free-port.ts'
import { startSmsVendor } from '../../../../testkit/providers/sms-vendor.ts'
import { migratedDatabase, openDatabase } from '../../../../testkit/store/engines.ts'
import { addCode, messagesIn, secret } from './queued-code.ts'

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
  // Committed, and its writer is gone before it could be sent.
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
