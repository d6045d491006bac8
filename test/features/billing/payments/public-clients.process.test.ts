import { execFile } from 'node:child_process'
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Aes, Formatter, Rsa, Wechatpay } from 'wechatpay-axios-plugin'
import { isCallbackSigned, signedPart, signParameters } from '../../../../src/providers/payments/alipay-signature.ts'
import { authorizationOf, decryptResource, isSignedBy } from '../../../../src/providers/payments/wechat-signature.ts'
import { AlipayServer } from '../../../../testkit/payments/alipay-server.ts'
import { WechatServer } from '../../../../testkit/payments/wechat-server.ts'

/** Our bytes against those of the public clients, and our protocol servers against the clients themselves. */
describe('WeChat Pay, compared with wechatpay-axios-plugin', () => {
  let server: WechatServer
  beforeAll(async () => {
    server = await new WechatServer().listen()
  })
  afterAll(() => server.stop())

  it.each([
    ['GET', '/v3/pay/transactions/out-trade-no/pay_1?mchid=1900000001', ''],
    ['POST', '/v3/pay/transactions/native', JSON.stringify({ description: '点数 "x"', amount: { total: 1 } })],
  ])('the Authorization header of a %s has the same bytes', (method, path, body) => {
    const [merchantId, serial, timestamp, nonce] = ['1900000001', server.merchantSerial, 1_788_000_000, 'a1b2c3d4']
    const key = Rsa.from(server.merchant.privateKey, Rsa.KEY_TYPE_PRIVATE)
    const signature = Rsa.sign(Formatter.request(method, path, timestamp, nonce, body), key)
    const privateKey = createPrivateKey(server.merchant.privateKey)
    const own = authorizationOf({ merchantId, serial, privateKey }, { method, path, body, timestamp, nonce })
    expect(own).toBe(Formatter.authorization(merchantId, nonce, signature, timestamp, serial))
  })

  it('what their client encrypts, ours decrypts', () => {
    const plain = JSON.stringify({ out_trade_no: 'pay_1', attach: '点数' })
    for (const associated_data of ['transaction', '']) {
      const nonce = 'abcdef012345'
      const ciphertext = Aes.AesGcm.encrypt(plain, server.apiV3Key, nonce, associated_data)
      expect(decryptResource(Buffer.from(server.apiV3Key), { ciphertext, nonce, associated_data })).toBe(plain)
      const changed = `${ciphertext.slice(0, -4)}AAA=`
      const resource = { ciphertext: changed, nonce, associated_data }
      expect(() => decryptResource(Buffer.from(server.apiV3Key), resource)).toThrow()
    }
  })

  it('a callback that their client signs is signed for ours, and their client verifies the one of the tests', () => {
    const { headers, body } = server.callback('pay_1')
    const { 'wechatpay-timestamp': timestamp = '', 'wechatpay-nonce': nonce = '' } = headers
    const message = Formatter.response(timestamp, nonce, body)
    const publicKey = Rsa.from(server.platform.publicKey, Rsa.KEY_TYPE_PUBLIC)
    expect(Rsa.verify(message, headers['wechatpay-signature']!, publicKey)).toBe(true)
    const { ciphertext, nonce: iv, associated_data: aad } = JSON.parse(body).resource
    expect(JSON.parse(Aes.AesGcm.decrypt(ciphertext, server.apiV3Key, iv, aad)).out_trade_no).toBe('pay_1')
    const theirs = Rsa.sign(message, Rsa.from(server.platform.privateKey, Rsa.KEY_TYPE_PRIVATE))
    const header = (name: string) => ({ ...headers, 'wechatpay-signature': theirs })[name]
    const key = createPublicKey(server.platform.publicKey)
    expect(isSignedBy(key, { header, body: Buffer.from(body) })).toBe(true)
    expect(isSignedBy(key, { header, body: Buffer.from(`${body} `) })).toBe(false)
  })

  it('their client creates, queries and closes a payment at the server of the tests', async () => {
    const client = new Wechatpay({
      mchid: '1900000001',
      serial: server.merchantSerial,
      privateKey: server.merchant.privateKey,
      certs: { [server.serial]: server.platform.publicKey },
      baseURL: `${server.url}/`,
      proxy: false,
    } as never) as unknown as { v3: Record<string, never> }
    const { transactions } = (client.v3 as never as { pay: { transactions: Steps } }).pay
    const order = { out_trade_no: 'pay_client', amount: { total: 100, currency: 'CNY' } }
    expect((await transactions.native!.post!(order)).data).toEqual({
      code_url: 'weixin://wxpay/bizpayurl?pr=pay_client',
    })
    const one = transactions.outTradeNo!.$out_trade_no$!
    const params = { mchid: '1900000001' }
    expect((await one.get!({ params, out_trade_no: 'pay_client' } as never)).data).toMatchObject({
      trade_state: 'NOTPAY',
    })
    await one.close!.post!({ mchid: '1900000001' }, { out_trade_no: 'pay_client' })
    expect(server.orders.get('pay_client')!.state).toBe('CLOSED')
  })
})

type Steps = { readonly [name: string]: Steps } & {
  readonly get?: (config?: object) => Promise<{ data: object }>
  readonly post?: (body: object, config?: object) => Promise<{ data: object }>
}

/**
 * Asks `alipay-sdk` in a process of its own: its HTTP client changes every socket of the process that loads it.
 * Each call is the name of a method and its arguments.
 */
async function askSdk(server: AlipayServer, calls: readonly (readonly [string, ...unknown[]])[]): Promise<unknown[]> {
  const program = `
    import { AlipaySdk } from 'alipay-sdk'
    const { options, calls } = JSON.parse(process.argv[1])
    const sdk = new AlipaySdk(options)
    const answers = []
    for (const [method, ...given] of calls) answers.push(await sdk[method](...given))
    process.stdout.write(JSON.stringify(answers), () => process.exit(0))`
  const options = {
    appId: '2021000000000001',
    privateKey: server.application.privateKey,
    keyType: 'PKCS8',
    alipayPublicKey: server.own.publicKey,
    gateway: server.url,
    signType: 'RSA2',
  }
  const given = JSON.stringify({ options, calls })
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, given], {
    cwd: import.meta.dirname,
  })
  return JSON.parse(stdout)
}

describe('Alipay, compared with alipay-sdk', () => {
  let server: AlipayServer
  beforeAll(async () => {
    server = await new AlipayServer().listen()
  })
  afterAll(() => server.stop())

  it('signatures over sorted parameters have the same bytes', async () => {
    const contents = [
      { out_trade_no: 'pay_1', total_amount: '10.00', subject: 'API credits', product_code: 'FAST_INSTANT_TRADE_PAY' },
      {
        out_trade_no: 'pay_2',
        total_amount: '0.10',
        subject: '点数 & "更多" = 1+1',
        product_code: 'FAST_INSTANT_TRADE_PAY',
      },
    ]
    const notifyUrl = 'https://gateway.example/v1/payments/callbacks/alipay?a=1&b=2'
    const urls = await askSdk(
      server,
      contents.map((bizContent) => ['pageExecute', 'alipay.trade.page.pay', 'GET', { notifyUrl, bizContent }]),
    )
    for (const [at, url] of urls.entries()) {
      const { sign, ...parameters } = Object.fromEntries(new URL(url as string).searchParams)
      expect(JSON.parse(parameters.biz_content!)).toEqual(contents[at])
      expect(signParameters(parameters, createPrivateKey(server.application.privateKey))).toBe(sign)
    }
  })

  it('their client is answered by the server of the tests, and verifies the signature', async () => {
    const bizContent = { out_trade_no: 'pay_3', total_amount: '1.00', subject: '点数' }
    const [created] = await askSdk(server, [['exec', 'alipay.trade.precreate', { bizContent }, { validateSign: true }]])
    expect(created).toMatchObject({ code: '10000', qrCode: 'https://qr.alipay.com/pay_3' })
    server.pay('pay_3')
    const query = { bizContent: { out_trade_no: 'pay_3' } }
    const [paid] = await askSdk(server, [['exec', 'alipay.trade.query', query, { validateSign: true }]])
    expect(paid).toMatchObject({ tradeStatus: 'TRADE_SUCCESS', totalAmount: '1.00' })
  })

  it('a callback is signed for both, and a changed one for neither', async () => {
    const parameters = Object.fromEntries(new URLSearchParams(server.callback('pay_3', 'n1')))
    const key = createPublicKey(server.own.publicKey)
    const changes = [parameters, { ...parameters, trade_status: 'TRADE_FINISHED' }, { ...parameters, extra: '1' }]
    const theirs = await askSdk(
      server,
      changes.map((changed) => ['checkNotifySignV2', changed]),
    )
    expect(theirs).toEqual([true, false, false])
    expect(changes.map((changed) => isCallbackSigned(changed, key))).toEqual(theirs)
  })

  it('the signed part of a response is the same for both', async () => {
    const node = 'alipay_trade_query_response'
    const texts = [
      '{"alipay_trade_query_response":{"code":"10000","note":"中文 {\\"x\\":1}","list":[{"a":{}}]},"sign":"SIGN"}',
      '{ "alipay_trade_query_response" : {"code":"10000"} , "sign":"SIGN"}',
    ].map((pattern) => pattern.replace('SIGN', 'a'.repeat(344)))
    const theirs = await askSdk(
      server,
      texts.map((text) => ['getSignStr', text, node]),
    )
    expect(texts.map((text) => signedPart(text, node))).toEqual(theirs)
  })
})
