import { createPrivateKey, createPublicKey } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createAlipay } from '../../../../src/providers/payments/alipay.ts'
import { PaymentFault, type PaymentProvider } from '../../../../src/providers/payments/payment-provider.ts'
import { createWechat } from '../../../../src/providers/payments/wechat.ts'
import { AlipayServer } from '../../../../testkit/payments/alipay-server.ts'
import { WechatServer } from '../../../../testkit/payments/wechat-server.ts'

const refund = { refundId: 'rfd_1', paymentId: 'pay_1', amountFen: 400, totalFen: 1000, reason: 'asked for it' }

describe('a refund at WeChat Pay', () => {
  let server: WechatServer
  let provider: PaymentProvider
  beforeAll(async () => {
    server = await new WechatServer().listen()
    const privateKey = createPrivateKey(server.merchant.privateKey)
    provider = createWechat(
      {
        ...{
          baseUrl: server.url,
          appId: 'wx0123456789abcdef',
          timeoutMs: 5000,
          notifyUrl: 'http://localhost/callback',
        },
        merchant: { merchantId: '1900000001', serial: server.merchantSerial, privateKey },
        apiV3Key: Buffer.from(server.apiV3Key),
        platformKeys: new Map([[server.serial, createPublicKey(server.platform.publicKey)]]),
      },
      Date.now,
    )
  })
  afterEach(() => {
    Object.assign(server, {
      ...{ losesResponses: false, signsResponses: true, refundResponse: null, refundQueryResponse: null },
    })
    server.refunds.clear()
  })
  afterAll(async () => {
    await provider.stop?.()
    server.stop()
  })

  /** Carried out, but its response is lost. */
  async function loseResponse() {
    server.losesResponses = true
    await expect(provider.refund(refund)).rejects.toThrow(PaymentFault)
    expect(server.refunds.size).toBe(1)
    server.losesResponses = false
  }

  it.each([400, 403, 404])('an unsigned %s of a proxy is a fault, also to the first attempt', async (status) => {
    server.signsResponses = false
    server.refundResponse = { status, body: { code: 'RESOURCE_NOT_EXISTS' } }
    await expect(provider.refund(refund)).rejects.toThrow('but not signed')
    server.signsResponses = true
    server.refundResponse = null
    await loseResponse()
    server.signsResponses = false
    server.refundResponse = { status, body: {} }
    await expect(provider.refund(refund)).rejects.toThrow('but not signed')
  })

  it('a signed refusal after a lost response is not final: the refund is queried', async () => {
    await loseResponse()
    server.refundResponse = { status: 403, body: { code: 'NOT_ENOUGH' } }
    expect(await provider.refund(refund)).toEqual({ kind: 'refunded', providerRefundId: '50rfd_1' })
  })

  it('a refusal is final once WeChat Pay does not know the refund', async () => {
    server.refundResponse = { status: 403, body: { code: 'NOT_ENOUGH' } }
    expect(await provider.refund(refund)).toEqual({ kind: 'refused', reason: 'NOT_ENOUGH' })
  })

  it.each([
    ['a refused query', { status: 400, body: { code: 'PARAM_ERROR' } }],
    ['another refund', { status: 200, body: { out_refund_no: 'rfd_2', status: 'SUCCESS' } }],
    ['a failure', { status: 500, body: { code: 'SYSTEM_ERROR' } }],
  ])('%s leaves a refused refund uncertain', async (_, answer) => {
    server.refundResponse = { status: 403, body: { code: 'NOT_ENOUGH' } }
    server.refundQueryResponse = answer
    await expect(provider.refund(refund)).rejects.toThrow(PaymentFault)
  })

  it('the refund of one of two payments names its transaction', async () => {
    await provider.refund({ ...refund, transactionId: '4200000001' })
    await provider.refund({ ...refund, refundId: 'rfd_2' })
    const [one, any] = server.requests.slice(-2).map(({ body }) => JSON.parse(body))
    expect(one).toMatchObject({ transaction_id: '4200000001', out_refund_no: 'rfd_1' })
    expect(one).not.toHaveProperty('out_trade_no')
    expect(any).toMatchObject({ out_trade_no: 'pay_1', out_refund_no: 'rfd_2' })
    expect(any).not.toHaveProperty('transaction_id')
  })
})

describe('a refund at Alipay', () => {
  let server: AlipayServer
  let provider: PaymentProvider
  beforeAll(async () => {
    server = await new AlipayServer().listen()
    const { gatewayUrl, appId, sellerId } = server.settings()
    provider = createAlipay(
      {
        ...{ gatewayUrl, appId, sellerId, timeoutMs: 5000, notifyUrl: 'http://localhost/callback' },
        privateKey: createPrivateKey(server.application.privateKey),
        publicKey: createPublicKey(server.own.publicKey),
      },
      Date.now,
    )
  })
  afterAll(async () => {
    await provider.stop?.()
    server.stop()
  })

  it('a refusal is final only if the refund was not carried out before', async () => {
    server.refundCode = 'ACQ.TRADE_HAS_FINISHED'
    expect(await provider.refund(refund)).toEqual({ kind: 'refused', reason: 'ACQ.TRADE_HAS_FINISHED' })
    server.refunded.add('rfd_1')
    expect(await provider.refund(refund)).toEqual({ kind: 'refunded', providerRefundId: null })
  })
  it('the refund of one of two payments names its transaction, also where its outcome is queried', async () => {
    const twice = { ...refund, refundId: 'rfd_3', transactionId: '2026090322001' }
    server.refundCode = 'ACQ.TRADE_HAS_FINISHED'
    await provider.refund(twice)
    const asked = server.contents.slice(-2)
    expect(asked.map(({ method }) => method)).toEqual(['alipay.trade.refund', 'alipay.trade.fastpay.refund.query'])
    for (const { content } of asked) {
      expect(content).toMatchObject({ trade_no: '2026090322001', out_request_no: 'rfd_3' })
      expect(content).not.toHaveProperty('out_trade_no')
    }
  })
})
