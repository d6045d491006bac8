import { createPrivateKey } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PaymentProvider } from '../../../../src/providers/payments/payment-provider.ts'
import { createWechat } from '../../../../src/providers/payments/wechat.ts'
import { platformCertificates } from '../../../../testkit/payments/certificates.ts'
import { WechatServer } from '../../../../testkit/payments/wechat-server.ts'

const [first, second] = platformCertificates

describe('platform certificates that are downloaded', () => {
  let server: WechatServer
  let provider: PaymentProvider
  let now = Date.now()
  const unknown = 'pay_00000000000000000001'
  const downloads = () => server.requests.filter(({ path }) => path === '/v3/certificates').length
  const callbackAt = (at: number) => {
    const { headers, body } = server.callback('pay_1', 'EV-1', at)
    return provider.readCallback({ header: (name) => headers[name], body: Buffer.from(body), at })
  }
  beforeAll(async () => {
    server = await new WechatServer().listen()
  })
  beforeEach(() => {
    server.requests.length = 0
    server.aheadMs = 0
    server.certificates = [first]
    server.signWith(first)
    now = Date.now()
    provider = createWechat(
      {
        baseUrl: server.url,
        appId: 'wx0123456789abcdef',
        merchant: {
          merchantId: '1900000001',
          serial: server.merchantSerial,
          privateKey: createPrivateKey(server.merchant.privateKey),
        },
        apiV3Key: Buffer.from(server.apiV3Key),
        platformKeys: new Map(),
        timeoutMs: 5000,
        notifyUrl: 'http://localhost:8787/v1/payments/callbacks/wechat',
      },
      () => now,
    )
  })
  afterAll(() => server.stop())
  const ahead = (ms: number) => {
    now += ms
    server.aheadMs += ms
  }
  const orderOf = (paymentId: string) => ({
    ...{ paymentId, amountFen: 100, display: 'qr' as const, createdAt: now, expiresAt: now + 900_000 },
    clientAddress: null,
  })

  it('platform certificates that are downloaded are fetched once, and verify responses and callbacks', async () => {
    const waits = await Promise.all([1, 2, 3].map((one) => provider.create(orderOf(`pay_0000000000000000000${one}`))))
    expect(waits.map(({ kind }) => kind)).toEqual(['created', 'created', 'created'])
    expect(await callbackAt(now)).toMatchObject({ eventId: 'EV-1', paymentId: 'pay_1' })
    expect(downloads()).toBe(1)
  })

  it('a new serial downloads the platform certificates again, and the old one stays valid', async () => {
    await provider.create(orderOf('pay_00000000000000000004'))
    server.certificates = [first, second]
    server.signWith(second)
    ahead(61_000)
    expect(await provider.create(orderOf('pay_00000000000000000005'))).toMatchObject({ kind: 'created' })
    server.signWith(first)
    expect(await provider.create(orderOf('pay_00000000000000000006'))).toMatchObject({ kind: 'created' })
    expect(downloads()).toBe(2)
  })

  it('platform certificates are fetched again after a day, and if that fails, the old ones stay valid', async () => {
    await provider.create(orderOf('pay_00000000000000000007'))
    ahead(86_400_001)
    server.certificates = []
    expect(await provider.create(orderOf('pay_00000000000000000008'))).toMatchObject({ kind: 'created' })
    expect(downloads()).toBe(2)
    await provider.create(orderOf('pay_00000000000000000009'))
    expect(downloads()).toBe(2)
  })

  it('forged serials cause one download a minute at most', async () => {
    await provider.create(orderOf('pay_00000000000000000010'))
    server.serial = 'F'.repeat(40)
    expect(await Promise.all([1, 2, 3, 4].map(() => callbackAt(now)))).toEqual([null, null, null, null])
    expect(downloads()).toBe(1)
    ahead(60_000)
    await Promise.all([1, 2, 3, 4].map(() => callbackAt(now)))
    expect(downloads()).toBe(2)
  })

  it.each([
    ['are signed with a certificate that is not among them', () => server.signWith(second)],
    ['are not signed', () => Object.assign(server, { signsResponses: false })],
    ['are encrypted with another key', () => Object.assign(server, { apiV3Key: 'x'.repeat(32) })],
    ['are an hour old', () => Object.assign(server, { aheadMs: -3_600_000 })],
  ])('platform certificates that are downloaded that %s are not used', async (_, change) => {
    const { apiV3Key } = server
    change()
    try {
      await expect(provider.query(unknown).then(() => provider.create(orderOf(unknown)))).rejects.toMatchObject({
        name: 'PaymentFault',
      })
    } finally {
      Object.assign(server, { apiV3Key, signsResponses: true })
    }
  })
})
