import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startGateway } from '../../../../testkit/gateway/gateway.ts'
import { AlipayServer } from '../../../../testkit/payments/alipay-server.ts'
import { platformCertificates } from '../../../../testkit/payments/certificates.ts'
import { WechatServer } from '../../../../testkit/payments/wechat-server.ts'
import { type Database, migratedDatabase } from '../../../../testkit/store/engines.ts'
import { examine } from '../../../ops/run-doctor.ts'

describe('the settings of payments', () => {
  let wechat: WechatServer
  let alipay: AlipayServer
  let database: Database
  let environment: Record<string, string>
  beforeAll(async () => {
    wechat = await new WechatServer().listen()
    alipay = await new AlipayServer().listen()
    database = await migratedDatabase('sqlite')
    await writeFile(join(database.dataDir, 'wechat.pem'), wechat.platform.publicKey)
    environment = {
      TEST_WECHAT_KEY: wechat.merchant.privateKey,
      TEST_WECHAT_V3: wechat.apiV3Key,
      TEST_ALIPAY_KEY: alipay.application.privateKey,
      // Line breaks as a file of variables writes them.
      TEST_ALIPAY_PUBLIC: alipay.own.publicKey.replaceAll('\n', '\\n'),
    }
  })
  afterAll(async () => {
    wechat.stop()
    alipay.stop()
    await database.remove()
  })

  async function doctor(changes: { wechat?: object; alipay?: object } = {}, variables: Record<string, string> = {}) {
    const file = join(database.dataDir, 'doctor.json')
    const sections = { wechat: wechat.settings(database.dataDir), alipay: alipay.settings() }
    const payments = {
      wechat: { ...sections.wechat, ...changes.wechat },
      alipay: { ...sections.alipay, ...changes.alipay },
    }
    await writeFile(file, JSON.stringify({ payments }))
    return examine(database, { environment: { ...environment, ...variables, GATEWAY_CONFIG: file } })
  }

  test('doctor asks each provider, and shows no secret', async () => {
    const { of, findings } = await doctor()
    expect(of('payments.simulated')).toEqual(['ok: is on, because the origin is this machine'])
    expect(of('payments.wechat')).toEqual(['ok: platform keys are configured'])
    expect(of('payments.alipay')).toEqual(['ok: Alipay answered, and its signature is right'])
    for (const secret of Object.values(environment)) expect(JSON.stringify(findings)).not.toContain(secret)
  })

  test('doctor downloads the platform certificates, and says if it cannot', async () => {
    const { platform, serial } = wechat
    wechat.certificates = [platformCertificates[0]]
    wechat.signWith(platformCertificates[0])
    expect((await doctor({ wechat: { platformKeys: [] } })).of('payments.wechat')).toEqual([
      'ok: platform certificates were downloaded',
    ])
    wechat.certificates = [platformCertificates[1]]
    expect((await doctor({ wechat: { platformKeys: [] } })).of('payments.wechat')).toEqual([
      'failure: the download of the platform certificates is not signed',
    ])
    Object.assign(wechat, { platform, serial })
  })

  test('doctor finds clocks that differ, merchant keys that the provider does not know, and providers that are away', async () => {
    wechat.aheadMs = 120_000
    expect((await doctor()).of('payments.wechat')[0]).toMatch(/^failure: the clocks of .* differ by 1(?:19|20) s$/)
    wechat.aheadMs = 0
    const swapped = { TEST_WECHAT_KEY: alipay.application.privateKey, TEST_ALIPAY_PUBLIC: wechat.platform.publicKey }
    const { of } = await doctor({}, swapped)
    expect(of('payments.wechat')).toEqual(['failure: WeChat Pay answered 401 SIGN_ERROR'])
    expect(of('payments.alipay')).toEqual(['failure: a response from Alipay is not signed'])
    const away = await doctor({ wechat: { baseUrl: 'http://127.0.0.1:9' } })
    expect(away.of('payments.wechat')).toEqual(['failure: http://127.0.0.1:9 gave no response: ECONNREFUSED'])
  })

  test('doctor says what each key must hold, all at once, and refuses a private key in place of a public one', async () => {
    await writeFile(join(database.dataDir, 'merchant.pem'), wechat.merchant.privateKey)
    const file = join(database.dataDir, 'merchant.pem')
    const { of, findings } = await doctor(
      { wechat: { platformKeys: [{ serial: 'PUB_KEY_ID_01', file }] } },
      { TEST_WECHAT_V3: 'short', TEST_WECHAT_KEY: 'no key', TEST_ALIPAY_PUBLIC: alipay.application.privateKey },
    )
    expect(of('payments.wechat')).toEqual([
      'failure: payments.wechat.privateKeyEnv: TEST_WECHAT_KEY must hold an RSA private key as PEM (PKCS 8), as it was downloaded',
      'failure: payments.wechat.apiV3KeyEnv: TEST_WECHAT_V3 must hold exactly 32 bytes of text',
      `failure: payments.wechat.platformKeys.0.file: ${file} must hold an RSA public key or a certificate as PEM, not a private key`,
    ])
    expect(of('payments.alipay')).toEqual([
      expect.stringMatching(/^failure: .* TEST_ALIPAY_PUBLIC must hold an RSA public key .*, not a private key$/),
    ])
    for (const { what, remedy } of findings) expect(`${what}. ${remedy}`).not.toMatch(/\.\s*\. /)
  })

  const ec = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  test.each<[string, { wechat?: object; alipay?: object }, Record<string, string>, RegExp]>([
    [
      'a key that does not parse',
      {},
      { TEST_WECHAT_KEY: 'no key' },
      /^payments\.wechat\.privateKeyEnv: TEST_WECHAT_KEY/,
    ],
    [
      'a key of another kind',
      {},
      { TEST_ALIPAY_KEY: ec.privateKey },
      /^payments\.alipay\.privateKeyEnv: TEST_ALIPAY_KEY/,
    ],
    [
      'an API v3 key of 31 bytes',
      {},
      { TEST_WECHAT_V3: 'k'.repeat(31) },
      /^payments\.wechat\.apiV3KeyEnv: TEST_WECHAT_V3/,
    ],
    [
      'a variable that is not set',
      {},
      { TEST_ALIPAY_PUBLIC: '' },
      /^payments\.alipay\.publicKeyEnv: TEST_ALIPAY_PUBLIC/,
    ],
    [
      'both of a pair',
      { wechat: { privateKeyFile: '/x' } },
      {},
      /^payments\.wechat\.privateKeyEnv: both it and privateKeyFile/,
    ],
    [
      'neither of a pair',
      { alipay: { publicKeyEnv: undefined } },
      {},
      /^payments\.alipay\.publicKeyEnv: neither it nor publicKeyFile/,
    ],
    [
      'a file that is not there',
      { wechat: { platformKeys: [{ serial: 'PUB_KEY_ID_01', file: '/nowhere/x.pem' }] } },
      {},
      /^payments\.wechat\.platformKeys\.0\.file: \/nowhere\/x\.pem cannot be read/,
    ],
    ['plain http to another host', { wechat: { baseUrl: 'http://pay.example' } }, {}, /^payments\.wechat\.baseUrl/],
  ])('%s stops the start with one line', async (_, changes, variables, line) => {
    const sections = { wechat: wechat.settings(database.dataDir), alipay: alipay.settings() }
    const payments = {
      wechat: { ...sections.wechat, ...changes.wechat },
      alipay: { ...sections.alipay, ...changes.alipay },
    }
    const started = startGateway({ database, environment: { ...environment, ...variables }, file: { payments } })
    await expect(started).rejects.toMatchObject({ name: 'ConfigFault', message: expect.stringMatching(line) })
    await expect(started).rejects.not.toMatchObject({ message: expect.stringMatching(/\n|PRIVATE KEY/) })
  })
})
