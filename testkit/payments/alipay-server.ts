import { createSign, createVerify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pemPair } from './keys.ts'

interface Trade {
  readonly amount: string
  status: 'WAIT_BUYER_PAY' | 'TRADE_SUCCESS' | 'TRADE_CLOSED'
  paidAmount?: string
  /** Paid back by hand, and said in the response, which Alipay does not promise. */
  refundFee?: string
  /** As Alipay writes it, in China's time. */
  paidAt?: string
}

const sorted = (parameters: Record<string, string>, left: readonly string[]) =>
  Object.keys(parameters)
    .filter((name) => !left.includes(name) && parameters[name] !== '')
    .sort()
    .map((name) => `${name}=${parameters[name]}`)
    .join('&')

/** Once for all servers of a process: a pair takes 0.1 s of processor time. */
const pairs = { application: pemPair(), own: pemPair() }

/** Alipay's gateway as its documents describe it. A trade exists only once its code was scanned. */
export class AlipayServer {
  readonly application = pairs.application
  readonly own = pairs.own
  readonly trades = new Map<string, Trade>()
  readonly created = new Map<string, string>()
  readonly calls: string[] = []
  /** What each call asked for. */
  readonly contents: { readonly method: string; readonly content: Record<string, string> }[] = []
  /** With which refunds are refused. */
  refundCode: string | null = null
  /** Refunds that were carried out. */
  readonly refunded = new Set<string>()
  /** The ZIP of the bill; null for none. */
  bill: Buffer | null = null
  readonly #server = createServer((request, response) => void this.#serve(request, response))

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/gateway.do`
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  settings() {
    return {
      gatewayUrl: this.url,
      appId: '2021000000000001',
      sellerId: '2088000000000001',
      privateKeyEnv: 'TEST_ALIPAY_KEY',
      publicKeyEnv: 'TEST_ALIPAY_PUBLIC',
    }
  }

  pay(paymentId: string, amount = this.created.get(paymentId)!): void {
    this.trades.set(paymentId, { amount, status: 'TRADE_SUCCESS', paidAmount: amount })
  }

  callback(paymentId: string, notifyId: string): string {
    const parameters: Record<string, string> = {
      ...{ app_id: '2021000000000001', seller_id: '2088000000000001', notify_id: notifyId, charset: 'utf-8' },
      ...{
        notify_type: 'trade_status_sync',
        out_trade_no: paymentId,
        trade_status: 'TRADE_SUCCESS',
        sign_type: 'RSA2',
      },
      subject: 'API 点数 & 更多',
    }
    const sign = this.#sign(sorted(parameters, ['sign', 'sign_type']))
    return new URLSearchParams({ ...parameters, sign }).toString()
  }

  #sign(content: string): string {
    return createSign('RSA-SHA256').update(content).sign(this.own.privateKey, 'base64')
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.startsWith('/bill.zip')) return void response.end(this.bill)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    // In the address, in the body, or in both.
    const { searchParams } = new URL(request.url ?? '', this.url)
    const body = new URLSearchParams(Buffer.concat(chunks).toString())
    const parameters = Object.fromEntries([...searchParams, ...body])
    const isSigned = createVerify('RSA-SHA256')
      .update(sorted(parameters, ['sign']))
      .verify(this.application.publicKey, parameters.sign ?? '', 'base64')
    const method = parameters.method ?? ''
    this.calls.push(method)
    const reply = isSigned
      ? this.#respond(method, JSON.parse(parameters.biz_content!))
      : { code: '40002', msg: 'Invalid Arguments', sub_code: 'isv.invalid-signature' }
    const text = JSON.stringify(reply)
    response.end(`{"${method.replaceAll('.', '_')}_response":${text},"sign":"${this.#sign(text)}"}`)
  }

  #respond(method: string, content: Record<string, string>): object {
    this.contents.push({ method, content })
    const paymentId = content.out_trade_no ?? ''
    const trade = this.trades.get(paymentId)
    const missing = { code: '40004', msg: 'Business Failed', sub_code: 'ACQ.TRADE_NOT_EXIST' }
    switch (method) {
      case 'alipay.trade.precreate':
        this.created.set(paymentId, content.total_amount!)
        return { code: '10000', out_trade_no: paymentId, qr_code: `https://qr.alipay.com/${paymentId}` }
      case 'alipay.trade.query':
        if (!trade) return missing
        return {
          ...{ code: '10000', out_trade_no: paymentId, trade_no: `20${paymentId}`, trade_status: trade.status },
          ...{
            total_amount: trade.paidAmount ?? trade.amount,
            ...(trade.refundFee !== undefined && { refund_fee: trade.refundFee }),
            send_pay_date: trade.paidAt ?? '2026-09-03 16:05:00',
            note: '中文 {"x":1}',
          },
        }
      case 'alipay.trade.close':
        if (!trade) return missing
        if (trade.status === 'TRADE_SUCCESS') return { code: '40004', sub_code: 'ACQ.TRADE_STATUS_ERROR' }
        trade.status = 'TRADE_CLOSED'
        return { code: '10000', out_trade_no: paymentId }
      case 'alipay.trade.refund':
        if (this.refundCode) return { code: '40004', sub_code: this.refundCode }
        return { code: '10000', out_trade_no: paymentId, fund_change: 'Y' }
      case 'alipay.trade.fastpay.refund.query':
        return { code: '10000', ...(this.refunded.has(content.out_request_no!) && { refund_status: 'REFUND_SUCCESS' }) }
      case 'alipay.data.dataservice.bill.downloadurl.query':
        return this.bill
          ? { code: '10000', bill_download_url: new URL('/bill.zip?x=1', this.url).href }
          : { code: '40004', sub_code: 'isp.bill_not_exist' }
      default:
        throw new Error(`this Alipay has no method ${method}`)
    }
  }
}
