import { createCipheriv, createHash, createSign, createVerify, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pemPair } from './keys.ts'

interface Order {
  readonly total: number
  state: 'NOTPAY' | 'SUCCESS' | 'REFUND' | 'CLOSED'
  transactionId?: string
  paidTotal?: number
  paidAt?: Date
  /** Left out of the response if undefined. */
  refunded?: number
}

/** Once for all servers of a process: a pair takes 0.1 s of processor time. */
const pairs = { platform: pemPair(), merchant: pemPair() }

/** WeChat Pay as its documents describe it: it refuses what is not signed, and signs what it answers. */
export class WechatServer {
  platform = pairs.platform
  readonly merchant = pairs.merchant
  readonly apiV3Key = 'k'.repeat(32)
  serial = 'PUB_KEY_ID_0114232134912410000000000000'
  readonly merchantSerial = '5157F09EFDC096DE15EBE81A47057A7232F1B8E1'
  readonly orders = new Map<string, Order>()
  readonly requests: { readonly method: string; readonly path: string; readonly body: string }[] = []
  signsResponses = true
  /** Called before and after each request is carried out. */
  onStep: (name: string, sent: { readonly path: string; readonly body: string }) => void | Promise<void> = () => {}
  /** What `/v3/certificates` has, encrypted. */
  certificates: readonly { readonly serial: string; readonly certificate: string }[] = []
  /** By which the clock of the server is ahead. */
  aheadMs = 0
  /** In place of the bill of its orders. */
  billText: string | null = null
  /** In place of the hash of the bill. */
  billHash: string | null = null
  /** The response to a refund. */
  refundResponse: { readonly status: number; readonly body: object } | null = null
  /** The response to the query of a refund. */
  refundQueryResponse: { readonly status: number; readonly body: object } | null = null
  /** Payments whose refund ends as ABNORMAL. */
  readonly abnormalRefunds = new Set<string>()
  /** Breaks the connection after the work was done. */
  losesResponses = false
  readonly refunds = new Map<string, { refund_id: string; total: number; orderId: string }>()
  readonly #server = createServer((request, response) => void this.#serve(request, response))

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  settings(dataDir: string) {
    return {
      baseUrl: this.url,
      appId: 'wx0123456789abcdef',
      merchantId: '1900000001',
      merchantSerial: this.merchantSerial,
      privateKeyEnv: 'TEST_WECHAT_KEY',
      apiV3KeyEnv: 'TEST_WECHAT_V3',
      platformKeys: [{ serial: this.serial, file: `${dataDir}/wechat.pem` }],
    }
  }

  pay(paymentId: string, total = this.orders.get(paymentId)!.total): void {
    const order = this.orders.get(paymentId)!
    Object.assign(order, { state: 'SUCCESS', transactionId: `42${paymentId}`, paidTotal: total, paidAt: new Date() })
  }

  /** Pays back by hand, in the merchant platform. */
  payBack(paymentId: string, refunded?: number): void {
    Object.assign(this.orders.get(paymentId)!, { state: 'REFUND', ...(refunded !== undefined && { refunded }) })
  }

  /** The headers and the body of a callback. */
  callback(paymentId: string, id = `EV-${randomBytes(8).toString('hex')}`, at = Date.now()) {
    const nonce = 'abcdef012345'
    const cipher = createCipheriv('aes-256-gcm', this.apiV3Key, nonce).setAAD(Buffer.from('transaction'))
    const plain = JSON.stringify({ out_trade_no: paymentId, trade_state: 'SUCCESS' })
    const ciphertext = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64')
    const resource = { algorithm: 'AEAD_AES_256_GCM', ciphertext, nonce, associated_data: 'transaction' }
    const body = JSON.stringify({ id, event_type: 'TRANSACTION.SUCCESS', resource_type: 'encrypt-resource', resource })
    return { headers: this.#signature(body, at), body }
  }

  /** Signs with one of the platform certificates from now on. */
  signWith({ serial, privateKey }: { readonly serial: string; readonly privateKey: string }): void {
    this.serial = serial
    this.platform = { ...this.platform, privateKey }
  }

  #encrypted(plain: string) {
    const nonce = '012345abcdef'
    const cipher = createCipheriv('aes-256-gcm', this.apiV3Key, nonce).setAAD(Buffer.from('certificate'))
    const ciphertext = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64')
    return { algorithm: 'AEAD_AES_256_GCM', nonce, associated_data: 'certificate', ciphertext }
  }

  #signature(body: string, at = Date.now() + this.aheadMs): Record<string, string> {
    const [timestamp, nonce] = [String(Math.floor(at / 1000)), randomBytes(16).toString('hex')]
    const sign = createSign('RSA-SHA256').update(`${timestamp}\n${nonce}\n${body}\n`)
    return {
      'wechatpay-timestamp': timestamp,
      'wechatpay-nonce': nonce,
      'wechatpay-serial': this.serial,
      'wechatpay-signature': sign.sign(this.platform.privateKey, 'base64'),
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const { method = '', url: path = '' } = request
    this.requests.push({ method, path, body })
    const name = `${method} ${path
      .replace(/\?.*/, '')
      .split('/')
      .at(-1)!
      .replace(/^pay_.*/, 'query')}`
    await this.onStep(`${name} before`, { path, body })
    const reply = this.#isSigned(request, body)
      ? this.#respond(method, path, body)
      : { status: 401, body: { code: 'SIGN_ERROR' } }
    await this.onStep(`${name} after`, { path, body })
    if (this.losesResponses) return void request.socket.destroy()
    const text = reply.body === null ? '' : typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body)
    response.writeHead(reply.status, {
      ...(this.signsResponses && this.#signature(text)),
      'content-type': 'application/json',
      date: new Date(Date.now() + this.aheadMs).toUTCString(),
    })
    response.end(text)
  }

  #isSigned({ method, url, headers }: IncomingMessage, body: string): boolean {
    const fields = Object.fromEntries(
      [...(headers.authorization ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    )
    const message = `${method}\n${url}\n${fields.timestamp}\n${fields.nonce_str}\n${body}\n`
    return (
      fields.serial_no === this.merchantSerial &&
      createVerify('RSA-SHA256')
        .update(message)
        .verify(this.merchant.publicKey, fields.signature ?? '', 'base64')
    )
  }

  #respond(method: string, path: string, body: string): { status: number; body: object | string | null } {
    const json = body ? JSON.parse(body) : {}
    if (path.startsWith('/v3/pay/transactions/native') || path.startsWith('/v3/pay/transactions/h5')) {
      if (!this.orders.has(json.out_trade_no))
        this.orders.set(json.out_trade_no, { total: json.amount.total, state: 'NOTPAY' })
      return path.endsWith('h5')
        ? { status: 200, body: { h5_url: `https://wx.tenpay.com/${json.out_trade_no}` } }
        : { status: 200, body: { code_url: `weixin://wxpay/bizpayurl?pr=${json.out_trade_no}` } }
    }
    const order = /^\/v3\/pay\/transactions\/out-trade-no\/(\w+)(\/close)?/.exec(path)
    if (order) return this.#order(order[1]!, method === 'POST')
    if (path === '/v3/certificates')
      return {
        status: 200,
        body: {
          data: this.certificates.map(({ serial, certificate }) => ({
            serial_no: serial,
            encrypt_certificate: this.#encrypted(certificate),
          })),
        },
      }
    if (path === '/v3/refund/domestic/refunds') {
      if (this.refundResponse) return this.refundResponse
      if (this.abnormalRefunds.has(json.out_trade_no)) return { status: 200, body: { status: 'ABNORMAL' } }
      const refund = this.refunds.get(json.out_refund_no) ?? {
        refund_id: `50${json.out_refund_no}`,
        total: json.amount.refund,
        orderId: json.out_trade_no,
      }
      this.refunds.set(json.out_refund_no, refund)
      return { status: 200, body: { refund_id: refund.refund_id, status: 'SUCCESS' } }
    }
    const refundQuery = /^\/v3\/refund\/domestic\/refunds\/(\w+)$/.exec(path)
    if (refundQuery) return this.refundQueryResponse ?? this.#refund(refundQuery[1]!)
    if (path.startsWith('/v3/bill/tradebill')) {
      if (!this.#bill) return { status: 400, body: { code: 'NO_STATEMENT_EXIST' } }
      const hash = this.billHash ?? createHash('sha1').update(this.#bill).digest('hex')
      return {
        status: 200,
        body: { hash_type: 'SHA1', hash_value: hash, download_url: `${this.url}/v3/billdownload/file?token=x` },
      }
    }
    if (path.startsWith('/v3/billdownload')) return { status: 200, body: this.#bill }
    return { status: 404, body: { code: 'RESOURCE_NOT_EXISTS' } }
  }

  #refund(refundId: string): { status: number; body: object } {
    const refund = this.refunds.get(refundId)
    if (!refund) return { status: 404, body: { code: 'RESOURCE_NOT_EXISTS' } }
    return { status: 200, body: { refund_id: refund.refund_id, out_refund_no: refundId, status: 'SUCCESS' } }
  }

  #order(paymentId: string, isClose: boolean): { status: number; body: object | null } {
    const order = this.orders.get(paymentId)
    if (!order) return { status: 404, body: { code: 'ORDER_NOT_EXIST' } }
    if (isClose) {
      if (order.state === 'SUCCESS' || order.state === 'REFUND') return { status: 400, body: { code: 'ORDERPAID' } }
      order.state = 'CLOSED'
      return { status: 204, body: null }
    }
    const { state, transactionId, paidTotal, paidAt, refunded } = order
    const own = { appid: 'wx0123456789abcdef', mchid: '1900000001', out_trade_no: paymentId, trade_state: state }
    const paid = {
      transaction_id: transactionId,
      success_time: paidAt?.toISOString(),
      amount: { total: paidTotal, currency: 'CNY', ...(refunded !== undefined && { refund: refunded }) },
    }
    return { status: 200, body: { ...own, ...((state === 'SUCCESS' || state === 'REFUND') && paid) } }
  }

  get #bill(): string {
    if (this.billText !== null) return this.billText
    const paid = [...this.orders].filter(([, { state }]) => state === 'SUCCESS')
    if (paid.length === 0) return ''
    const yuan = (fen: number) => (fen / 100).toFixed(2)
    const row = (cells: readonly string[]) => cells.map((cell) => `\`${cell}`).join(',')
    const lines = paid.map(([paymentId, { transactionId, paidTotal }]) =>
      row([
        '2026-09-03 10:00:00',
        'wx',
        '1900000001',
        '0',
        '',
        transactionId!,
        paymentId,
        'openid',
        'NATIVE',
        'SUCCESS',
        'CMB',
        'CNY',
        yuan(paidTotal!),
        '0.00',
        '0',
        '0',
        '0.00',
        '0.00',
        '',
        '',
        'API credits',
        '',
        '0.01',
        '0.60%',
        yuan(paidTotal!),
        '0.00',
        '',
      ]),
    )
    return [billHead, ...lines, '总交易单数,应结订单总金额', row(['1', '1.00'])].join('\r\n')
  }
}

const billHead =
  '\uFEFF交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注'
